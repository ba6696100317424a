// How to write a Boardkeeper client: play a whole game of any title, using only the generated stubs.
//
// A client needs no rules. It lists its seat's legal commands, chooses one and sends it back unchanged. The folders
// beside this one have the same client, in the same seven steps, in other languages. README.md says how to run it.

import { randomInt, randomUUID } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import type { DescMessage, MessageShape } from "@bufbuild/protobuf";
import { type CallOptions, Code, ConnectError, createClient } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import type { Event } from "./gen/boardkeeper/v1/event_pb.js";
import { Games } from "./gen/boardkeeper/v1/games_pb.js";
import { ErrorInfoSchema, RetryInfoSchema } from "./gen/google/rpc/error_details_pb.js";

const MAX_TRIES = 12; // failed attempts in a row before the client gives up: with the pauses, about twenty seconds
let tries = 0; // failed attempts in a row

// 1. One transport to the server, and one client for each gRPC service. Pings detect a dead connection.
const [server = "localhost:8050", title = "orleans", edition = "", players = "2"] = process.argv.slice(2);
const transport = createGrpcTransport({ baseUrl: `http://${server}`, pingIntervalMs: 30_000 });
const games = createClient(Games, transport);
const headers: Record<string, string> = { "accept-language": "en" }; // the language of sentences

/** Return the error detail of that kind (ErrorInfo, RetryInfo, …), or undefined if the error has none. */
function detail<Kind extends DescMessage>(error: ConnectError, kind: Kind): MessageShape<Kind> | undefined {
  return error.findDetails(kind)[0];
}

/** Wait before the next attempt; throw the error if a retry cannot help. */
async function pause(caught: unknown): Promise<void> {
  const error = ConnectError.from(caught);
  const info = detail(error, ErrorInfoSchema); // the reason; without it, the error is not the server's
  const retry = detail(error, RetryInfoSchema)?.retryDelay; // when to retry; without it, do not retry
  const own = Math.min(100 * 2 ** tries, 3000) * (0.5 + Math.random() / 2);
  const wait = Math.max(own, Number(retry?.seconds ?? 0) * 1000 + (retry?.nanos ?? 0) / 1e6);
  // Do not wait for longer than 30 seconds: report the error instead.
  if ((info && !retry) || ++tries >= MAX_TRIES || wait > 30_000) throw error;
  await setTimeout(wait);
}

/** Return the response. Send the same request again if there is none; its id makes sure that it counts once. */
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

/** Make moves until the seat has no decision to make; return the version of the game at that time. */
async function makeMoves(gameId: string, seat: number, version: bigint): Promise<bigint> {
  for (let rejected = 0; ; ) {
    // 4. List the legal commands. `minVersion` makes sure that the list includes our own last move.
    const legal = await call(games.listLegalCommands, { gameId, seat, minVersion: version });
    if (legal.commands.length === 0) return legal.version;
    const chosen = legal.commands[randomInt(legal.commands.length)]; // a real client shows the sentences
    // 5. Submit one. Make a new `commandId` for each move: a retry with the same id is not carried out twice. With
    //    `expectedVersion` the server rejects the command if the game has changed: then list the commands again.
    const commands = [chosen!.command!];
    const submission = { gameId, seat, commands, commandId: randomUUID(), expectedVersion: legal.version };
    try {
      version = (await call(games.submitCommands, submission)).version;
      rejected = 0;
    } catch (error) {
      const { code } = ConnectError.from(error);
      if ((code !== Code.Aborted && code !== Code.FailedPrecondition) || ++rejected === MAX_TRIES) throw error;
    }
  }
}

/** Yield every event of the game once, in order, to the last one. */
async function* follow(gameId: string): AsyncGenerator<Event> {
  for (let last = 0n; ; ) {
    // 6. Watch the game. After a broken connection, open the stream again after the last event that we have.
    try {
      for await (const { update } of games.watchGame({ gameId, afterVersion: last }, { headers })) {
        // Skip heartbeats, events that we have, and updates of a newer server.
        if (update.case !== "event" || update.value.version <= last) continue;
        last = update.value.version;
        tries = 0;
        yield update.value;
        if (update.value.detail?.detail.case === "gameEnded") return;
      }
      throw new ConnectError("the stream ended, and the game has not"); // a proxy may end it
    } catch (error) {
      await pause(error);
    }
  }
}

try {
  // 2. Create a game: one seat for us, bots in the others. `requestId` makes it safe to send the call again. The
  //    response has a token for each seat of a person: not for bots, nor for seats that are open for others.
  const bots = Array.from({ length: Number(players) - 1 }, (_, it) => ({ name: `Robot ${it + 2}`, bot: "sensible" }));
  const wanted = { title, edition, seats: [{ name: "Anna" }, ...bots], requestId: randomUUID() };
  const created = await call(games.createGame, wanted);
  const { gameId } = created.game!;
  const { seat, token } = created.seatTokens[0]!;
  // 3. Send the seat's token in the headers of each further call.
  headers.authorization = `Bearer ${token}`;

  let decided = await makeMoves(gameId, seat, 0n);
  for await (const event of follow(gameId)) {
    console.log(`${String(event.version).padStart(5)}  ${event.sentence}`);
    // Effects say which seat has to decide next. Skip events that we knew when we last listed the commands.
    const mustDecide = event.effects.some(
      ({ effect: it }) => it.case === "ask" && it.value.seat === seat && it.value.after,
    );
    if (mustDecide && event.version > decided) decided = await makeMoves(gameId, seat, event.version);
  }

  // 7. Show the result. GetBoard has the whole score sheet.
  const { game } = await call(games.getGame, { gameId });
  for (const { rank, seat, points } of game?.standings ?? []) {
    console.log(`rank ${rank}: ${game?.seats[seat - 1]?.name}, ${points} points`);
  }
  process.exit(); // do not wait for the idle connection
} catch (caught) {
  // The details say what is wrong: a stable reason, the rule (if the rules forbid the command) and the values.
  const error = ConnectError.from(caught);
  const info = detail(error, ErrorInfoSchema);
  console.error(`${Code[error.code]} ${info?.reason ?? ""}: ${error.rawMessage}`);
  for (const [name, value] of Object.entries(info?.metadata ?? {})) console.error(`  ${name}: ${value}`);
  console.error("  what to do: see docs/errors.md");
  process.exit(1);
}
