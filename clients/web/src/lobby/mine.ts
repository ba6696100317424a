/** The games of this browser in the order in which somebody wants to see them. */
import { type Game, GameStatus } from "@boardkeeper/client";

/** How a game stands for who has seats in it here. */
export type Standing = "turn" | "waiting" | "open" | "over" | "unknown";

const ORDER: readonly Standing[] = ["turn", "waiting", "open", "over", "unknown"];

/** How it stands; `seats` are those that are played here. */
export function standingOf(game: Pick<Game, "status" | "deciding"> | undefined, seats: readonly number[]): Standing {
  if (game === undefined) return "unknown";
  if (game.status === GameStatus.ENDED) return "over";
  if (game.status === GameStatus.OPEN) return "open";
  return game.deciding.some((seat) => seats.includes(seat)) ? "turn" : "waiting";
}

/** Games in which one of the seats has to decide first, then those under way, those that wait for players, and those that are over. */
export function ordered<Each extends { readonly standing: Standing; readonly time: number }>(
  games: readonly Each[],
): Each[] {
  return [...games].sort(
    (one, other) => ORDER.indexOf(one.standing) - ORDER.indexOf(other.standing) || other.time - one.time,
  );
}
