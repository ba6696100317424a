/** Steps after a game was created: store its seats, and create invitations for open seats. */
import type { Made } from "@boardkeeper/client";
import { toGame } from "../app/routes.svelte";
import type { PageContext } from "./context";

/** Store the seats of a new game and open its page. If an invitation fails, players can create it later. */
export async function storeCreatedGame(context: PageContext, made: Made, byInvitation: boolean): Promise<void> {
  const { game } = made;
  context.seats.add(
    ...made.seats.map(({ number: seat, token }) => ({
      server: context.server,
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
        await createInvitation(context, game.gameId, seat);
      } catch {
        break; // the page of the game has a button for it
      }
    }
  }
  context.go(toGame(game.gameId));
}

/** Create an invitation with the token of a local seat, and store its code. */
export async function createInvitation(context: PageContext, game: string, seat: number): Promise<void> {
  const own = context.seats.of(context.server, game)[0];
  if (own === undefined) return;
  const code = await context.client.invite(game, { seat, token: own.token });
  context.invitations.add({ server: context.server, game, seat, code });
}
