/** Placement of labels on a map where they cover little. */

/** A rectangle on a board. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
}

/** Side of the squares of the spatial index: a map has hundreds of boxes, but few near any place. */
const SQUARE = 40;

/** The occupied parts of a board, each with a weight. */
export class Room {
  private readonly taken: (readonly [Box, number])[] = [];
  /** Indices into `taken` for each square, ascending. */
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

  /** Return the weighted area that a box would cover, or that would be off the board. */
  cost(box: Box): number {
    let sum = 5 * (box.w * box.h - common(box, this.whole));
    for (const index of this.near(box)) {
      const [other, weight] = this.taken[index] as readonly [Box, number];
      sum += weight * common(box, other);
    }
    return sum;
  }

  /** Return the indices of boxes near a box, in order of insertion, so that sums of floats are reproducible. */
  private near(box: Box): readonly number[] {
    const found = squaresOf(box).flatMap((square) => this.squares.get(square) ?? []);
    return [...new Set(found)].sort((one, other) => one - other);
  }

  /** Return the candidate with the least cost; the first of equal ones. */
  best<T>(candidates: readonly T[], boxes: (candidate: T) => readonly Box[]): T {
    const costs = candidates.map((candidate) => boxes(candidate).reduce((sum, box) => sum + this.cost(box), 0));
    return candidates[costs.indexOf(Math.min(...costs))] as T;
  }
}

/** Return a square around a point. */
export function around({ x, y }: { x: number; y: number }, size: number): Box {
  return { x: x - size / 2, y: y - size / 2, w: size, h: size };
}

/** Return the squares that a box touches, each as a unique number. */
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
