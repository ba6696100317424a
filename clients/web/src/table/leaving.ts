/** Consequences of leaving a seat, for warnings before the player confirms. The server decides. */
import type { SeatGuide } from "./guide";

/** The current state of a seat. */
export type SeatState = Pick<SeatGuide, "seat" | "bot" | "handedOver" | "resigned">;

/** Return whether the game ends if `own` resigns: fewer than two seats or no person remain, or no bot can take over. */
export function endsByResigning(seats: readonly SeatState[], own: number, hasBots: boolean): boolean {
  const left = seats.filter(({ seat, resigned }) => seat !== own && !resigned);
  return !hasBots || left.length < 2 || !left.some(({ bot, handedOver }) => bot === "" || handedOver);
}

/** Return whether only bots would play if a bot takes over `own`. */
export function leavesBotsAlone(seats: readonly SeatState[], own: number): boolean {
  return !seats.some(({ seat, bot }) => seat !== own && bot === "");
}
