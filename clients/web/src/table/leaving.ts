/** What becomes of a game when somebody leaves it, to be said before it is done. The service decides. */
import type { SeatGuide } from "./guide";

/** A seat of a game that has begun, as it is now. */
export type Sitting = Pick<SeatGuide, "seat" | "bot" | "handedOver" | "resigned">;

/** Whether the game ends if `own` resigns: fewer than two are left then, or no person, or there is no bot to play on. */
export function endsByResigning(seats: readonly Sitting[], own: number, hasBots: boolean): boolean {
  const left = seats.filter(({ seat, resigned }) => seat !== own && !resigned);
  return !hasBots || left.length < 2 || !left.some(({ bot, handedOver }) => bot === "" || handedOver);
}

/** Whether only bots play if one plays for `own`: then the game goes on without anybody. */
export function leavesBotsAlone(seats: readonly Sitting[], own: number): boolean {
  return !seats.some(({ seat, bot }) => seat !== own && bot === "");
}
