/** Finding places on a map where little is covered. */

/** A part of a board. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
}

/** The side of the squares in which what is taken is looked up: a map has hundreds of boxes, and few are near any place. */
const SQUARE = 40;

/** What is taken of a board, and how much it matters if that is covered. */
export class Room {
  private readonly taken: (readonly [Box, number])[] = [];
  /** What is taken in each square, by its place in `taken`, in ascending order. */
  private readonly squares = new Map<number, number[]>();

  constructor(private readonly whole: Box) {}

  take(box: Box, weight = 1): void {
    const index = this.taken.push([box, weight]) - 1;
    for (const square of squaresOf(box)) {
      const here = this.squares.get(square);
      if (here) here.push(index);
      else this.squares.set(square, [index]);
    }
  }

  /** How much would be covered there, and how much would lie outside. */
  cost(box: Box): number {
    let sum = 5 * (box.w * box.h - common(box, this.whole));
    for (const index of this.near(box)) {
      const [other, weight] = this.taken[index] as readonly [Box, number];
      sum += weight * common(box, other);
    }
    return sum;
  }

  /** All that a box may touch, in the order in which it was taken: so sums are the same to the last digit. */
  private near(box: Box): readonly number[] {
    const found = squaresOf(box).flatMap((square) => this.squares.get(square) ?? []);
    return [...new Set(found)].sort((one, other) => one - other);
  }

  /** The candidate that covers least; of equals the first. */
  best<T>(candidates: readonly T[], boxes: (candidate: T) => readonly Box[]): T {
    const costs = candidates.map((candidate) => boxes(candidate).reduce((sum, box) => sum + this.cost(box), 0));
    return candidates[costs.indexOf(Math.min(...costs))] as T;
  }
}

/** A square around a point. */
export function around({ x, y }: { x: number; y: number }, size: number): Box {
  return { x: x - size / 2, y: y - size / 2, w: size, h: size };
}

/** The squares that a box lies in, each as a number of its own. */
function squaresOf({ x, y, w, h }: Box): number[] {
  const found: number[] = [];
  for (let column = Math.floor(x / SQUARE); column <= Math.floor((x + w) / SQUARE); column++)
    for (let row = Math.floor(y / SQUARE); row <= Math.floor((y + h) / SQUARE); row++) found.push(column * 4096 + row);
  return found;
}

function common(one: Box, other: Box): number {
  const w = Math.min(one.x + one.w, other.x + other.w) - Math.max(one.x, other.x);
  const h = Math.min(one.y + one.h, other.y + other.h) - Math.max(one.y, other.y);
  return w > 0 && h > 0 ? w * h : 0;
}
