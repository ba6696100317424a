/** Status and order of this browser's games. */
import { type Game, GameStatus } from "@boardkeeper/client";

/** The status of a game for its players in this browser. */
export type PlayerStatus = "turn" | "waiting" | "open" | "over" | "unknown";

const ORDER: readonly PlayerStatus[] = ["turn", "waiting", "open", "over", "unknown"];

/** Return the status; `seats` are those of this browser. */
export function playerStatus(
  game: Pick<Game, "status" | "deciding"> | undefined,
  seats: readonly number[],
): PlayerStatus {
  if (game === undefined) return "unknown";
  if (game.status === GameStatus.ENDED) return "over";
  if (game.status === GameStatus.OPEN) return "open";
  return game.deciding.some((seat) => seats.includes(seat)) ? "turn" : "waiting";
}

/**
 * Sort games: those that need a decision first, then running, waiting and finished ones; in each group the newest
 * first.
 */
export function sortGames<Each extends { readonly standing: PlayerStatus; readonly time: number }>(
  games: readonly Each[],
): Each[] {
  return [...games].sort(
    (one, other) => ORDER.indexOf(one.standing) - ORDER.indexOf(other.standing) || other.time - one.time,
  );
}
