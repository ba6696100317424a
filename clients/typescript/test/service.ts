/**
 * Plays and watches a game on a real server over a bad connection, and checks that nothing is lost or carried out twice.
 *
 * node service.ts URL: prints a line when the server should be killed and restarted, and reads a line when it is back.
 * Finally prints a line with counters.
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
const print = (what: object): void => console.log(JSON.stringify(what));
const faults = { dropped: 0, doubled: 0, cut: 0 };

/** A bad connection: answers are lost after the server has acted, requests are repeated, streams break. */
let calls = 0;
const badConnection: typeof fetch = async (url, init) => {
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

/** Return a response whose stream breaks after a few messages, inside of a message. */
function cut(response: Response): Response {
  const body = ReadableStream.from(breakStream(response.body!)) as unknown as BodyInit;
  return new Response(body, { status: response.status, headers: response.headers });
}

async function* breakStream(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
  let messages = 0;
  let rest = Buffer.alloc(0);
  for await (const piece of body) {
    rest = Buffer.concat([rest, piece]);
    // Before each message are five bytes; the last four are its length.
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

const client = connect({ baseUrl: process.argv[2]!, fetch: badConnection, retryTimeoutMs: 200_000 });
const created = await client.createGame({ title: "orleans", seats: [person("Anna"), person("Bruno")] });
const seats = created.seats;
assert.equal(seats.length, 2);
const first = seats[0]!;

const states: string[] = [];
const watched: Event[] = [];
let wake = () => {};
const watcher = (async () => {
  for await (const update of first.watch({ onState: (state) => states.push(state) })) {
    if (update.kind === "event") watched.push(update.event);
    wake();
  }
})();
watcher.catch((error) => {
  if (error.name === "AbortError") return; // the client is closed at the end
  console.error(error);
  process.exit(1);
});

const answers: SubmitCommandsResponse[] = [];
let chance = 1;
for (let turn = 0; turn < 50; turn++) {
  if (turn === 20) {
    print({ kill: turn }); // without waiting: the server is killed while the game is played
  }
  const { deciding } = await client.game(created.gameId, { minVersion: answers.at(-1)?.version ?? 0n });
  const seat = seats.find((it) => deciding.includes(it.number))!;
  const { commands } = await seat.legalCommands({ withEffects: true });
  chance = (chance * 48271) % 2147483647;
  answers.push(await seat.submit(commands[chance % commands.length]!));
}
assert.equal((await lines.next()).value, "it is back");

// No command was carried out twice: submissions have different events.
for (const [at, { firstVersion }] of answers.entries()) {
  if (at > 0) assert.ok(firstVersion > answers[at - 1]!.version, `submission ${at}`);
}
assert.ok(
  answers.some((it) => it.repeated),
  "at least one answer was lost and its command repeated",
);

// The stream had each event once.
const last = Number(answers.at(-1)!.version);
while (watched.length < last)
  await new Promise<void>((resolve) => {
    wake = resolve;
  });
const listed = await all(first.events({ until: last }));
assert.deepEqual(
  listed.map((it) => Number(it.version)),
  Array.from({ length: last }, (_, at) => at + 1),
);
const bytes = (it: Event) => Buffer.from(toBinary(EventSchema, it)).toString("hex");
assert.deepEqual(watched.slice(0, last).map(bytes), listed.map(bytes));
assert.ok(states.includes("waiting"));

// The folded table equals the server's.
const begin = await first.table({ version: 1 });
const timeline = new Timeline(KnownTable.of(begin.table), 1, listed.slice(1));
for (const version of [last, 1, Math.floor(last / 2), last - 1, 2]) {
  const { table } = await first.table({ version });
  const own = timeline.goTo(version).message();
  assert.deepEqual(toBinary(TableSchema, own), toBinary(TableSchema, table), `version ${version}`);
}

// A rejection has its fields: no vote is open.
await assert.rejects(first.answerUndo(1, true), (error) => {
  assert.ok(error instanceof Rejected);
  assert.ok(error.sentence && error.code && error.callId);
  return true;
});

// Explanations exist for everything on the board.
const { explanations } = await first.explainRefusals([...timeline.table.zones.keys()].slice(0, 3));
for (const { command, legal, refusal } of explanations) {
  assert.equal(legal, refusal === undefined);
  if (refusal !== undefined) assert.ok(refusal.sentence && refusal.reason);
  if (command === undefined) assert.equal(legal, false);
}

// The record of the server passes the verifier.
const record = await verifyRecord(await first.record());
assert.deepEqual(record.problems, []);
assert.equal(record.events, Number((await first.game()).version));
assert.equal(record.viewer, "seat.1");

const title = await first.title();
assert.ok(title.zones.length > 0);
for await (const game of client.games({ title: "orleans" })) assert.equal(game.gameId, created.gameId);
print({ ...faults, events: last, states: states.length });
client.close();
await assert.rejects(watcher, { name: "AbortError" });
process.exit(0);
