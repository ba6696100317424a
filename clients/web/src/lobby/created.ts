/** Steps after a game was created: store its seats, and create invitations for open seats. */
import type { Made } from "@boardkeeper/client";
import { toGame } from "../app/routes.svelte";
import type { Here } from "./here";

/** Store the seats of a new game and open its page. If an invitation fails, players can create it later. */
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
        break; // the page of the game has a button for it
      }
    }
  }
  here.go(toGame(game.gameId));
}

/** Create an invitation with the token of a local seat, and store its code. */
export async function invite(here: Here, game: string, seat: number): Promise<void> {
  const own = here.seats.of(here.server, game)[0];
  if (own === undefined) return;
  const code = await here.client.invite(game, { seat, token: own.token });
  here.invitations.add({ server: here.server, game, seat, code });
}
