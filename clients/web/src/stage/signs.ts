/** What is printed on boards to be chosen there, and what lies on it: a click on a worker in an action may mean the action. */
import type { Board, Sign } from "./scene";

/** Of the zones that lie on a sign: which one. */
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
