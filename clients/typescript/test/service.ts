/**
 * Plays and watches a game of a real service over a bad line, and says whether anything was lost or done twice.
 *
 * node service.ts URL: asks, by lines on standard output, for the service to be killed and started again, and reads a
 * line when it is. Ends with a line of what it saw.
 */
import assert from "node:assert/strict";
import { createInterface } from "node:readline";
import { ReadableStream } from "node:stream/web";
import {
  connect,
  type Event,
  EventSchema,
  KnownTable,
  person,
  Rejected,
  type SubmitCommandsResponse,
  Timeline,
} from "@boardkeeper/client";
import { TableSchema } from "@boardkeeper/client/gen/boardkeeper/v1/table_pb";
import { verifyRecord } from "@boardkeeper/client/verifier";
import { toBinary } from "@bufbuild/protobuf";
import { all } from "./fakes.ts";

const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const say = (what: object): void => console.log(JSON.stringify(what));
const faults = { dropped: 0, doubled: 0, cut: 0 };

/** What a bad line does: answers are lost after the service has acted, requests come twice, streams break. */
let calls = 0;
const badLine: typeof fetch = async (url, init) => {
  if (String(url).endsWith("/WatchGame")) return cut(await fetch(url, init));
  switch (calls++ % 4) {
    case 1:
      await (await fetch(url, init)).arrayBuffer();
      faults.dropped++;
      throw new TypeError("fetch failed");
    case 3:
      await (await fetch(url, init)).arrayBuffer();
      faults.doubled++;
  }
  return fetch(url, init);
};

/** A stream that breaks after a few messages, in the middle of one, however many of them the network brings at once. */
function cut(response: Response): Response {
  const body = ReadableStream.from(broken(response.body!)) as unknown as BodyInit;
  return new Response(body, { status: response.status, headers: response.headers });
}

async function* broken(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
  let messages = 0;
  let rest = Buffer.alloc(0);
  for await (const piece of body) {
    rest = Buffer.concat([rest, piece]);
    // Before each message there are five bytes, the last four of which say how long it is.
    while (rest.length >= 5 && rest.length >= 5 + rest.readUInt32BE(1)) {
      const message = rest.subarray(0, 5 + rest.readUInt32BE(1));
      rest = rest.subarray(message.length);
      if (++messages < 6) {
        yield message;
        continue;
      }
      faults.cut++;
      yield message.subarray(0, message.length / 2);
      throw new TypeError("terminated");
    }
  }
  yield rest;
}

const client = connect({ baseUrl: process.argv[2]!, fetch: badLine, patienceMs: 200_000 });
const made = await client.createGame({ title: "orleans", seats: [person("Anna"), person("Bruno")] });
const seats = made.seats;
assert.equal(seats.length, 2);
const first = seats[0]!;

const states: string[] = [];
const watched: Event[] = [];
let heard = () => {};
const watching = (async () => {
  for await (const update of first.watch({ onState: (state) => states.push(state) })) {
    if (update.kind === "event") watched.push(update.event);
    heard();
  }
})();
watching.catch((error) => {
  if (error.name === "AbortError") return; // the client is closed at the end
  console.error(error);
  process.exit(1);
});

const answers: SubmitCommandsResponse[] = [];
let chance = 1;
for (let turn = 0; turn < 50; turn++) {
  if (turn === 20) {
    say({ kill: turn }); // nobody waits for it: the service goes away while the game is played
  }
  const { deciding } = await client.game(made.gameId, { minVersion: answers.at(-1)?.version ?? 0n });
  const seat = seats.find((it) => deciding.includes(it.number))!;
  const { commands } = await seat.legalCommands({ withEffects: true });
  chance = (chance * 48271) % 2147483647;
  answers.push(await seat.submit(commands[chance % commands.length]!));
}
assert.equal((await lines.next()).value, "it is back");

// Nothing was done twice: no two submissions had the same events, and no event came from nowhere.
for (const [at, { firstVersion }] of answers.entries()) {
  if (at > 0) assert.ok(firstVersion > answers[at - 1]!.version, `submission ${at}`);
}
assert.ok(
  answers.some((it) => it.repeated),
  "an answer was lost, and the command sent again",
);

// Nothing was missed or told twice.
const last = Number(answers.at(-1)!.version);
while (watched.length < last)
  await new Promise<void>((resolve) => {
    heard = resolve;
  });
const listed = await all(first.events({ until: last }));
assert.deepEqual(
  listed.map((it) => Number(it.version)),
  Array.from({ length: last }, (_, at) => at + 1),
);
const bytes = (it: Event) => Buffer.from(toBinary(EventSchema, it)).toString("hex");
assert.deepEqual(watched.slice(0, last).map(bytes), listed.map(bytes));
assert.ok(states.includes("waiting"));

// The table that is folded is the one that the service tells.
const begin = await first.table({ version: 1 });
const timeline = new Timeline(KnownTable.of(begin.table), 1, listed.slice(1));
for (const version of [last, 1, Math.floor(last / 2), last - 1, 2]) {
  const { table } = await first.table({ version });
  const own = timeline.goTo(version).message();
  assert.deepEqual(toBinary(TableSchema, own), toBinary(TableSchema, table), `version ${version}`);
}

// A rejection comes with its fields: no vote is open.
await assert.rejects(first.answerUndo(1, true), (error) => {
  assert.ok(error instanceof Rejected);
  assert.ok(error.sentence && error.code && error.callId);
  return true;
});

// Why not? is answered for whatever is on the board.
const { explanations } = await first.explainRefusals([...timeline.table.zones.keys()].slice(0, 3));
for (const { command, legal, refusal } of explanations) {
  assert.equal(legal, refusal === undefined);
  if (refusal !== undefined) assert.ok(refusal.sentence && refusal.reason);
  if (command === undefined) assert.equal(legal, false);
}

// What the page checks is what the service has signed.
const record = await verifyRecord(await first.record());
assert.deepEqual(record.problems, []);
assert.equal(record.events, Number((await first.game()).version));
assert.equal(record.viewer, "seat.1");

const title = await first.title();
assert.ok(title.zones.length > 0);
for await (const game of client.games({ title: "orleans" })) assert.equal(game.gameId, made.gameId);
say({ ...faults, events: last, states: states.length });
client.close();
await assert.rejects(watching, { name: "AbortError" });
process.exit(0);
