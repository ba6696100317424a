/** Finding places on a map where little is covered. */

/** A part of a board. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
}

/** What is taken of a board, and how much it matters if that is covered. */
export class Room {
  private readonly taken: (readonly [Box, number])[] = [];

  constructor(private readonly whole: Box) {}

  take(box: Box, weight = 1): void {
    this.taken.push([box, weight]);
  }

  /** How much would be covered there, and how much would lie outside. */
  cost(box: Box): number {
    const outside = box.w * box.h - common(box, this.whole);
    return this.taken.reduce((sum, [other, weight]) => sum + weight * common(box, other), outside * 5);
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

function common(one: Box, other: Box): number {
  const w = Math.min(one.x + one.w, other.x + other.w) - Math.max(one.x, other.x);
  const h = Math.min(one.y + one.h, other.y + other.h) - Math.max(one.y, other.y);
  return w > 0 && h > 0 ? w * h : 0;
}
