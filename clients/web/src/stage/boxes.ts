/** Positions on the page. */
import type { Point } from "./scene";

/** A rectangle on the page, in pixels. */
export type Box = Pick<DOMRect, "x" | "y" | "width" | "height">;

export function middleOf({ x, y, width, height }: Box): Point {
  return { x: x + width / 2, y: y + height / 2 };
}
