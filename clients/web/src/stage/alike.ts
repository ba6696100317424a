/** Keeping what would be drawn alike: whoever has drawn it sees the same object again, and need not look at it. */
import type { Board } from "./scene";

/** What was before, if it is drawn just as what is now. Functions are not looked at: nobody sees them. */
export function keep<It>(before: It | undefined, now: It): It {
  return isAlike(before, now) ? (before as It) : now;
}

/** The boards, but what is printed on them is what was printed before wherever it is alike. */
export function keepPrinted(before: readonly Board[], now: readonly Board[]): Board[] {
  const known = new Map(before.map((board) => [board.id, board.decor]));
  return now.map((board) => ({
    ...board,
    decor: board.decor.map((item, index) => keep(known.get(board.id)?.[index], item)),
  }));
}

function isAlike(one: unknown, other: unknown): boolean {
  if (one === other || (typeof one === "function" && typeof other === "function")) return true;
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null) return false;
  const fields = Object.keys(one);
  if (fields.length !== Object.keys(other).length) return false;
  return fields.every((field) => isAlike(one[field as keyof typeof one], other[field as keyof typeof other]));
}
