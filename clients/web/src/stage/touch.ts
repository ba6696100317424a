/** Touches near small targets. */
import { type Box, middleOf } from "./boxes";
import type { Point } from "./scene";

/** The side in pixels of the square around a touch in which targets can be hit. */
export const REACH = 44;

/**
 * Return the index of the nearest box within reach of a touch, or −1. The box `under` the finger wins over boxes with a
 * more distant centre, so that "Why not?" reaches disabled things beside enabled ones.
 */
export function touchedBox(at: Point, boxes: readonly Box[], under?: Box): number {
  const far = (box: Box) => {
    const middle = middleOf(box);
    return Math.hypot(middle.x - at.x, middle.y - at.y);
  };
  let found = -1;
  let least = under ? far(under) : Number.POSITIVE_INFINITY;
  for (const [index, box] of boxes.entries()) {
    const middle = middleOf(box);
    const isWithin =
      Math.abs(middle.x - at.x) <= Math.max(box.width, REACH) / 2 &&
      Math.abs(middle.y - at.y) <= Math.max(box.height, REACH) / 2;
    if (isWithin && far(box) < least) {
      found = index;
      least = far(box);
    }
  }
  return found;
}
