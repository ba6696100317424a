/** Signs and the zones on them: a click on a worker in an action may select the action. */
import type { Board, Sign } from "./scene";

/** Return the sign below each zone that is on one. */
export function signsUnder(boards: readonly Board[]): Map<string, Sign> {
  const under = new Map<string, Sign>();
  for (const { signs, spots } of boards)
    for (const sign of signs ?? [])
      for (const { zone, x, y, w, h } of spots) {
        const isOn = x >= sign.x && y >= sign.y && x + w <= sign.x + sign.w && y + h <= sign.y + sign.h;
        if (isOn) under.set(zone, sign);
      }
  return under;
}
