/** What a finger means: small things are meant a little beside themselves, too. */

/** The side of the square, in pixels, in which a finger reaches what can be used, however small that is. */
export const REACH = 44;

/** Where something is on the page, in pixels. */
export type Box = Pick<DOMRect, "x" | "y" | "width" | "height">;

/**
 * Which of the boxes a finger at a point means: the nearest within reach. One that is touched itself, `under` the finger, is
 * meant rather than any whose middle is further away, so that what cannot be used can be asked about beside what can. −1: none.
 */
export function meantBy(at: { x: number; y: number }, boxes: readonly Box[], under?: Box): number {
  const far = ({ x, y, width, height }: Box) => Math.hypot(x + width / 2 - at.x, y + height / 2 - at.y);
  let found = -1;
  let least = under ? far(under) : Number.POSITIVE_INFINITY;
  for (const [index, box] of boxes.entries()) {
    const isWithin =
      Math.abs(box.x + box.width / 2 - at.x) <= Math.max(box.width, REACH) / 2 &&
      Math.abs(box.y + box.height / 2 - at.y) <= Math.max(box.height, REACH) / 2;
    if (isWithin && far(box) < least) {
      found = index;
      least = far(box);
    }
  }
  return found;
}
