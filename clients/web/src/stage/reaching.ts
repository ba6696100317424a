/** What a finger means: small things are meant a little beside themselves, too. */
import { type Box, middleOf } from "./boxes";
import type { Point } from "./scene";

/** The side of the square, in pixels, in which a finger reaches what can be used, however small that is. */
export const REACH = 44;

/**
 * Which of the boxes a finger at a point means: the nearest within reach. One that is touched itself, `under` the finger, is
 * meant rather than any whose middle is further away, so that what cannot be used can be asked about beside what can. −1: none.
 */
export function meantBy(at: Point, boxes: readonly Box[], under?: Box): number {
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
