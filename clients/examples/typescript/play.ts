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
import { GameStatus } from "./gen/boardkeeper/v1/game_pb.js";
import { Games } from "./gen/boardkeeper/v1/games_pb.js";
import { BadRequestSchema, ErrorInfoSchema, RetryInfoSchema } from "./gen/google/rpc/error_details_pb.js";

const TIMEOUT = 10_000; // milliseconds for one answer
const TRIES = 12; // of one call, while nobody answers: with the pauses between, about twenty seconds
const LONGEST_PAUSE = 30_000; // milliseconds: who is told to wait longer should tell a person instead

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
async function pause(caught: unknown, tries: number): Promise<void> {
  const error = ConnectError.from(caught);
  const asked = detail(error, RetryInfoSchema)?.retryDelay;
  const reason = detail(error, ErrorInfoSchema)?.reason;
  // So is a connection that broke amid an answer called; what the service says itself has a reason.
  const broke = [Code.Aborted, Code.Internal, Code.Unknown].includes(error.code) && reason === undefined;
  const lost = broke || [Code.Unavailable, Code.DeadlineExceeded, Code.Canceled].includes(error.code);
  // A limit says when to come back. A stream whose reader was too slow goes on whenever he likes.
  const busy = error.code === Code.ResourceExhausted && (asked !== undefined || reason === "TOO_SLOW");
  const wait = Math.min(100 * 2 ** tries, 3000) * (0.5 + Math.random() / 2);
  const longer = Math.max(wait, Number(asked?.seconds ?? 0) * 1000 + (asked?.nanos ?? 0) / 1e6);
  if (!(lost || busy) || tries >= TRIES || longer > LONGEST_PAUSE) throw error;
  await setTimeout(longer);
}

/** The answer to a request. If none comes the same request is sent again, and by the id in it counts once. */
async function call<Request, Answer>(
  method: (request: Request, options: CallOptions) => Promise<Answer>,
  request: Request,
): Promise<Answer> {
  for (let tries = 1; ; tries++) {
    try {
      return await method(request, { headers, timeoutMs: TIMEOUT });
    } catch (error) {
      await pause(error, tries);
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
      if ((code !== Code.Aborted && code !== Code.FailedPrecondition) || ++refused === TRIES) throw error;
    }
  }
}

/** Every event of the game once, in order, to the last one. */
async function* follow(gameId: string): AsyncGenerator<Event> {
  for (let last = 0n, tries = 1; ; tries++) {
    // 6. The stream begins after any version, so when it is cut we ask for what comes after the last one we have.
    try {
      for await (const { update } of games.watchGame({ gameId, afterVersion: last }, { headers })) {
        // A heartbeat, when nothing happened for a while; or something that later services tell.
        if (update.case !== "event" || update.value.version <= last) continue;
        last = update.value.version;
        tries = 0;
        yield update.value;
      }
    } catch (error) {
      await pause(error, tries);
      continue;
    }
    // It ended as it should: with the game, unless somebody between us and the service did that.
    const { game } = await call(games.getGame, { gameId });
    if (game?.status === GameStatus.ENDED && game.version <= last) return;
    await setTimeout(200);
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
  for (const it of detail(error, BadRequestSchema)?.fieldViolations ?? [])
    console.error(`  ${it.field}: ${it.description}`);
  console.error(`  what to do: ${info ? "see docs/errors.md" : `is a service at ${server}?`}`);
  process.exit(1);
}
