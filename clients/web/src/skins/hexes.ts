/** Geometry of maps of hexagons that stand on a side. */
import type { Point } from "../stage/scene";

/** Width and height of all hexagons of a map. */
export interface HexSize {
  readonly w: number;
  readonly h: number;
}

/** Return the outline of a hexagon around a point as a path, smaller by `inset` on each side. */
export function hexagon({ x, y }: Point, { w: wide, h: high }: HexSize, inset: Point): string {
  const [w, h] = [wide - 2 * inset.x, high - 2 * inset.y];
  const [left, top] = [x - wide / 2 + inset.x, y - high / 2 + inset.y];
  return `M${left + w / 4} ${top}h${w / 2}l${w / 4} ${h / 2}l${-w / 4} ${h / 2}h${-w / 2}l${-w / 4} ${-h / 2}Z`;
}

/** Return the sides between the first and the other hexagons as a path, from west to east. */
export function borderOf(first: readonly Point[], others: readonly Point[], { w, h }: HexSize): string {
  const sides: string[] = [];
  for (const one of first)
    for (const other of others) {
      const across = other.x - one.x;
      const down = other.y - one.y;
      if (Math.abs(across) > w * 0.8 || Math.abs(down) > h * 1.1) continue;
      const middle = { x: (one.x + other.x) / 2, y: (one.y + other.y) / 2 };
      // At right angles to the line between the centres, as long as a side.
      const far = Math.hypot(across, down) || 1;
      const along = { x: (-down / far) * (w / 4), y: (across / far) * (w / 4) };
      const ends = [
        { x: middle.x + along.x, y: middle.y + along.y },
        { x: middle.x - along.x, y: middle.y - along.y },
      ].sort((a, b) => a.x - b.x);
      sides.push(`M${ends.map(({ x, y }) => `${x.toFixed(1)} ${y.toFixed(1)}`).join("L")}`);
    }
  return sides.join("");
}
