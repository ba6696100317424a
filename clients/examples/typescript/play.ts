// How to write a client of Boardkeeper: a whole game of any title with nothing but the generated stubs.
//
// A client needs no rules. It asks what a seat may do, takes one of the answers, and sends it back as it came. The same
// client, in the same seven steps, is beside this folder in other languages; how it is run is in README.md.

import { randomInt, randomUUID } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import type { DescMessage, MessageShape } from "@bufbuild/protobuf";
import { type CallOptions, Code, ConnectError, createClient } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import type { Event } from "./gen/boardkeeper/v1/event_pb.js";
import { Games } from "./gen/boardkeeper/v1/games_pb.js";
import { ErrorInfoSchema, RetryInfoSchema } from "./gen/google/rpc/error_details_pb.js";

const PATIENCE = 12; // so often in a row there may be no answer: with the pauses between, for about twenty seconds
let tries = 0; // so often in a row there was none

// 1. One transport to the service, one client for each of its services. The transport is told to notice a service that is
//    gone without a word.
const [server = "localhost:50051", title = "orleans", edition = "", players = "2"] = process.argv.slice(2);
const transport = createGrpcTransport({ baseUrl: `http://${server}`, pingIntervalMs: 30_000 });
const games = createClient(Games, transport);
const headers: Record<string, string> = { "accept-language": "en" }; // of sentences, in events and in errors

/** One of the details that errors have beside their code: ErrorInfo, RetryInfo …; undefined if it is not there. */
function detail<Kind extends DescMessage>(error: ConnectError, kind: Kind): MessageShape<Kind> | undefined {
  return error.findDetails(kind)[0];
}

/** Wait until it makes sense to ask again; throws the error where it does not. */
async function pause(caught: unknown): Promise<void> {
  const error = ConnectError.from(caught);
  const info = detail(error, ErrorInfoSchema); // why, in a stable word; who has none is not the service: the line broke
  const retry = detail(error, RetryInfoSchema)?.retryDelay; // when to ask again; what does not pass has none
  const own = Math.min(100 * 2 ** tries, 3000) * (0.5 + Math.random() / 2);
  const wait = Math.max(own, Number(retry?.seconds ?? 0) * 1000 + (retry?.nanos ?? 0) / 1e6);
  // Who is told to wait for longer than half a minute should tell a person instead.
  if ((info && !retry) || ++tries >= PATIENCE || wait > 30_000) throw error;
  await setTimeout(wait);
}

/** The answer to a request. If none comes the same request is sent again, and by the id in it counts once. */
async function call<Request, Answer>(
  method: (request: Request, options: CallOptions) => Promise<Answer>,
  request: Request,
): Promise<Answer> {
  for (;;) {
    try {
      const answer = await method(request, { headers, timeoutMs: 10_000 });
      tries = 0;
      return answer;
    } catch (error) {
      await pause(error);
    }
  }
}

/** Take decisions until the seat has none; answers the version of the game at which that was so. */
async function playWhileAsked(gameId: string, seat: number, version: bigint): Promise<bigint> {
  for (let refused = 0; ; ) {
    // 4. What may we do? `minVersion` makes sure that we see the board after our own last move.
    const legal = await call(games.listLegalCommands, { gameId, seat, minVersion: version });
    if (legal.commands.length === 0) return legal.version;
    const chosen = legal.commands[randomInt(legal.commands.length)]; // by its sentence a person decides, or a cleverer bot
    // 5. Do it. `commandId` is made once for what we mean to do: sent again, it is not done again. If others moved
    //    meanwhile the service refuses, for we said which board we saw: then we look again.
    const commands = [chosen!.command!];
    const submission = { gameId, seat, commands, commandId: randomUUID(), expectedVersion: legal.version };
    try {
      version = (await call(games.submitCommands, submission)).version;
      refused = 0;
    } catch (error) {
      const { code } = ConnectError.from(error);
      if ((code !== Code.Aborted && code !== Code.FailedPrecondition) || ++refused === PATIENCE) throw error;
    }
  }
}

/** Every event of the game once, in order, to the last one. */
async function* follow(gameId: string): AsyncGenerator<Event> {
  for (let last = 0n; ; ) {
    // 6. The stream begins after any version, so when it is cut we ask for what comes after the last one we have.
    try {
      for await (const { update } of games.watchGame({ gameId, afterVersion: last }, { headers })) {
        // A heartbeat, when nothing happened for a while; or something that later services tell.
        if (update.case !== "event" || update.value.version <= last) continue;
        last = update.value.version;
        tries = 0;
        yield update.value;
        if (update.value.detail?.detail.case === "gameEnded") return;
      }
      throw new ConnectError("the stream ended, and the game has not"); // somebody between us and the service did that
    } catch (error) {
      await pause(error);
    }
  }
}

try {
  // 2. A game: one seat for us, the others are played by the service. `requestId` makes the call safe to send again.
  //    Whoever creates a game gets a token for each seat that is neither a bot's nor left open for others to join.
  const bots = Array.from({ length: Number(players) - 1 }, (_, it) => ({ name: `Robot ${it + 2}`, bot: "sensible" }));
  const wanted = { title, edition, seats: [{ name: "Anna" }, ...bots], requestId: randomUUID() };
  const created = await call(games.createGame, wanted);
  const { gameId } = created.game!;
  const { seat, token } = created.seatTokens[0]!;
  // 3. From now on the seat's token goes beside each call.
  headers.authorization = `Bearer ${token}`;

  let decided = await playWhileAsked(gameId, seat, 0n);
  for await (const event of follow(gameId)) {
    console.log(`${String(event.version).padStart(5)}  ${event.sentence}`);
    // Each event says who is asked to decide next; what came before our last look is behind us.
    const asked = event.effects.some(({ effect: it }) => it.case === "ask" && it.value.seat === seat && it.value.after);
    if (asked && event.version > decided) decided = await playWhileAsked(gameId, seat, event.version);
  }

  // 7. Results are part of the game; the board has the whole score sheet.
  const { game } = await call(games.getGame, { gameId });
  for (const { rank, seat, points } of game?.standings ?? []) {
    console.log(`rank ${rank}: ${game?.seats[seat - 1]?.name}, ${points} points`);
  }
  process.exit(); // without waiting for the connection to fall idle
} catch (caught) {
  // What went wrong is told by details: a stable reason, the rule if one forbids it, and what failed.
  const error = ConnectError.from(caught);
  const info = detail(error, ErrorInfoSchema);
  console.error(`${Code[error.code]} ${info?.reason ?? ""}: ${error.rawMessage}`);
  for (const [name, value] of Object.entries(info?.metadata ?? {})) console.error(`  ${name}: ${value}`);
  console.error("  what to do: see docs/errors.md");
  process.exit(1);
}
