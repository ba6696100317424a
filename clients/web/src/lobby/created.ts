/** What follows when a game was made: this browser keeps its seats, and open seats that need an invitation get theirs. */
import type { Made } from "@boardkeeper/client";
import { toGame } from "../app/routes.svelte";
import type { Here } from "./here";

/** Keep what came with a new game, and go to its table. Without an invitation somebody at the table can still make one. */
export async function keepMade(here: Here, made: Made, byInvitation: boolean): Promise<void> {
  const { game } = made;
  here.seats.add(
    ...made.seats.map(({ number: seat, token }) => ({
      server: here.server,
      game: game.gameId,
      seat,
      token,
      name: game.seats[seat - 1]?.name ?? "",
      title: game.title,
    })),
  );
  if (byInvitation) {
    for (const { seat, taken } of game.seats) {
      if (taken) continue;
      try {
        await invite(here, game.gameId, seat);
      } catch {
        break; // the page of the game offers it again
      }
    }
  }
  here.go(toGame(game.gameId));
}

/** Make an invitation with the right of a seat of this browser, and keep its code. */
export async function invite(here: Here, game: string, seat: number): Promise<void> {
  const own = here.seats.of(here.server, game)[0];
  if (own === undefined) return;
  const code = await here.client.invite(game, { seat, token: own.token });
  here.invitations.add({ server: here.server, game, seat, code });
}
