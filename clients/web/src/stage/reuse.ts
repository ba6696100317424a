/** Reuse of equal objects: components that drew an object are not drawn again for an equal one. */
import type { Board } from "./scene";

/** Return `before` if it equals `now`. Functions are ignored, because they are not visible. */
export function reuse<It>(before: It | undefined, now: It): It {
  return isEqual(before, now) ? (before as It) : now;
}

/** Return the new boards with the previous print objects where they are equal. */
export function reusePrint(before: readonly Board[], now: readonly Board[]): Board[] {
  const known = new Map(before.map((board) => [board.id, board.decor]));
  return now.map((board) => ({
    ...board,
    decor: board.decor.map((item, index) => reuse(known.get(board.id)?.[index], item)),
  }));
}

function isEqual(one: unknown, other: unknown): boolean {
  if (one === other || (typeof one === "function" && typeof other === "function")) return true;
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null) return false;
  const fields = Object.keys(one);
  if (fields.length !== Object.keys(other).length) return false;
  return fields.every((field) => isEqual(one[field as keyof typeof one], other[field as keyof typeof other]));
}
