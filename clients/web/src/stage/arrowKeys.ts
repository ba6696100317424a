/** Navigation with arrow keys among things anywhere on the page. */
import { type Box, middleOf } from "./boxes";

const TOWARDS: Readonly<Record<string, readonly [x: number, y: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** Return the index of the nearest box in the direction of an arrow key; -1 if none exists or for another key. */
export function nextInDirection(key: string, from: Box, others: readonly Box[]): number {
  const [dx, dy] = TOWARDS[key] ?? [0, 0];
  const start = middleOf(from);
  let nearest = -1;
  let least = Number.POSITIVE_INFINITY;
  others.forEach((box, index) => {
    const middle = middleOf(box);
    const right = middle.x - start.x;
    const down = middle.y - start.y;
    const ahead = right * dx + down * dy;
    const aside = Math.abs(right * dy) + Math.abs(down * dx);
    // A box straight ahead wins over a nearer one far to the side.
    if (ahead > 0 && aside <= 2 * ahead && ahead + 2 * aside < least) {
      nearest = index;
      least = ahead + 2 * aside;
    }
  });
  return nearest;
}
