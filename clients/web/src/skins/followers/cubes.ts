/** Cubes of all seats on a track. */
import type { Guide } from "../../table/guide";
import type { Drawing } from "../kit";
import type { Box } from "../room";

/** Positions of cubes in a space, as fractions of its size. */
const SPREAD = { left: 0.25, top: 0.24, bottom: 0.76 };

/**
 * Draw a cube for each seat in the space of its marker's value; `boxOf` returns the rectangle of a space, undefined
 * after the last one.
 */
export function cubes(
  board: Drawing,
  { seats }: Guide,
  track: string,
  size: number,
  boxOf: (space: number) => Box | undefined,
  { left, top, bottom } = SPREAD,
): void {
  for (const { seat } of seats)
    board.token(`seat.${seat}.${track}`, seat, `cube.${seat}`, size, (value) => {
      const box = typeof value === "number" && value >= 0 ? boxOf(value) : undefined;
      if (!box) return undefined;
      // Each seat has a corner, a fifth one the centre; two seats are side by side.
      const across = seat > 4 ? 0.5 : seat % 2 === 1 ? left : 1 - left;
      const down = seat > 4 || seats.length < 3 ? 0.5 : seat < 3 ? top : bottom;
      return { x: box.x + box.w * across, y: box.y + box.h * down };
    });
}
