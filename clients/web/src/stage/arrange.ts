/** The arrangement of boards on the page. */
import type { Board } from "./scene";

/** A board and its top left corner, in units of the whole drawing. */
export interface PlacedBoard {
  readonly board: Board;
  readonly x: number;
  readonly y: number;
}

export interface Arrangement {
  readonly standings: readonly PlacedBoard[];
  readonly w: number;
  readonly h: number;
}

const GAP = 14;

/** The page width in pixels below which boards are stacked. */
export const NARROW = 640;

/** Candidates for the width of the drawing, in widths of its widest board. */
const WIDTHS = [1, 1.25, 1.5, 1.75, 2, 2.4, 2.8, 3.3];

/**
 * Arrange boards as large as possible on a page of this width and height in pixels. Height counts less than width,
 * because a page scrolls down. At least `least` pixels remain for a unit, so that small print can be read.
 */
export function arrange(boards: readonly Board[], width: number, height: number, least = 0): Arrangement {
  if (boards.length === 0) return { standings: [], w: 100, h: 100 };
  const widest = Math.max(...boards.map((board) => board.w));
  let best: Arrangement | undefined;
  let bestScale = 0;
  for (const factor of width < NARROW ? [1] : WIDTHS) {
    const made = pack(boards, widest * factor);
    if (best && width / made.w < least) break;
    const scale = Math.min(width / made.w, (height * 1.3) / made.h);
    if (scale > bestScale * 1.02) {
      best = made;
      bestScale = scale;
    }
  }
  return best ?? pack(boards, widest);
}

/** Place each board as high up as possible, then as far left (a skyline). */
function pack(boards: readonly Board[], width: number): Arrangement {
  let skyline: { x: number; w: number; y: number }[] = [{ x: 0, w: width, y: 0 }];
  const standings: PlacedBoard[] = [];
  for (const board of boards) {
    const w = Math.min(board.w + (board.w < width ? GAP : 0), width);
    let found = { x: 0, y: Number.POSITIVE_INFINITY };
    for (const { x } of skyline) {
      if (x + board.w > width + 0.01) continue;
      const y = Math.max(
        ...skyline.filter((part) => part.x < x + w - 0.01 && part.x + part.w > x + 0.01).map((part) => part.y),
      );
      if (y < found.y - 0.01) found = { x, y };
    }
    standings.push({ board, ...found });
    skyline = raised(skyline, found.x, Math.min(w, width - found.x), found.y + board.h + GAP);
  }
  const right = Math.max(...standings.map(({ board, x }) => x + board.w));
  const bottom = Math.max(...standings.map(({ board, y }) => y + board.h));
  return { standings, w: right, h: bottom };
}

function raised(skyline: { x: number; w: number; y: number }[], x: number, w: number, y: number) {
  const next: { x: number; w: number; y: number }[] = [];
  for (const part of skyline) {
    const end = part.x + part.w;
    if (part.x < x) next.push({ x: part.x, w: Math.min(end, x) - part.x, y: part.y });
    if (end > x + w) next.push({ x: Math.max(part.x, x + w), w: end - Math.max(part.x, x + w), y: part.y });
  }
  next.push({ x, w, y });
  return next.filter((part) => part.w > 0.01).sort((one, other) => one.x - other.x);
}
