/**
 * Plays games of the title "pebbles", which no package of the SDK knows, on a real server.
 *
 * node outside.ts URL: one game with the message types from the server, and one with sentences only.
 */
import assert from "node:assert/strict";
import {
  type Client,
  CommandSchema,
  connect,
  type Event,
  type Game,
  GameStatus,
  KnownTable,
  person,
  Rejected,
  Timeline,
} from "@boardkeeper/client";
import { TableSchema } from "@boardkeeper/client/gen/boardkeeper/v1/table_pb";
import {
  create,
  createFileRegistry,
  type DescMessage,
  fromJson,
  type JsonValue,
  toBinary,
  toJson,
} from "@bufbuild/protobuf";
import { type Any, anyPack, anyUnpack } from "@bufbuild/protobuf/wkt";
import { all } from "./fakes.ts";

const client = connect({ baseUrl: process.argv[2]! });
assert.deepEqual(
  (await client.titles()).map(({ id }) => id),
  ["pebbles"],
);
await playWithTypes(client);
await playWithSentences(client);
client.close();

/** Load the schema at run time, send a typed command, and read the typed event and board. */
async function playWithTypes(client: Client): Promise<void> {
  const types = createFileRegistry(await client.schema("pebbles"));
  const type = (name: string): DescMessage => {
    const found = types.getMessage(`boardkeeper.pebbles.v1.${name}`);
    assert.ok(found, name);
    return found;
  };
  const command = (json: JsonValue) => {
    const value = anyPack(type("Command"), fromJson(type("Command"), json));
    return create(CommandSchema, { title: { case: "outside", value } });
  };
  const content = (name: string, arm: { case: string | undefined; value?: unknown } | undefined) => {
    assert.equal(arm?.case, "outside");
    const any = arm.value as Any;
    assert.equal(any.typeUrl, `type.googleapis.com/boardkeeper.pebbles.v1.${name}`);
    const message = anyUnpack(any, types);
    assert.ok(message);
    return toJson(type(name), message);
  };

  const { seats } = await client.createGame({ title: "pebbles", seats: [person("Ada"), person("Bob")] });
  const [ada, bob] = seats as [(typeof seats)[0], (typeof seats)[0]];
  const { events } = await ada.submit(command({ drawPebbles: { count: 2 } }));
  assert.deepEqual(
    events.map((it) => content("EventDetail", it.detail?.detail)),
    [{ pebblesDrawn: { count: 2 } }],
  );
  const { board } = await bob.board();
  assert.deepEqual(content("Board", board?.title), { turn: 1, bag: 9 });
  const { commands } = await bob.legalCommands();
  assert.deepEqual(
    commands.map((it) => content("Command", it.command?.title)),
    [1, 2, 3].map((count) => ({ drawPebbles: { count } })),
  );
  await assert.rejects(bob.submit(command({ drawPebbles: { count: 4 } })), (error) => {
    assert.ok(error instanceof Rejected);
    assert.deepEqual([error.code, error.rule], ["NOT_SO_MANY", "pebbles.draw"]);
    return true;
  });
  assert.throws(() => command({ drawPebbles: { pebbles: 1 } }), /pebbles/);
}

/** Play to the end like a client without message types: choose by sentence, and send the command back. */
async function playWithSentences(client: Client): Promise<void> {
  const { gameId, seats } = await client.createGame({ title: "pebbles", seats: [person("Ada"), person("Bob")] });
  let game: Game;
  for (;;) {
    game = await client.game(gameId);
    const seat = seats.find(({ number }) => game.deciding.includes(number));
    if (!seat) break;
    const { commands } = await seat.legalCommands();
    const two = commands.find(({ sentence }) => sentence === "Draw 2") ?? commands[0]!;
    await seat.submit(two);
  }
  assert.equal(game.status, GameStatus.ENDED);
  assert.equal(
    game.standings.reduce((sum, { points }) => sum + (points ?? 0), 0),
    5,
  );
  const watched: Event[] = [];
  for await (const update of client.viewer(gameId).watch()) if (update.kind === "event") watched.push(update.event);
  assert.equal(watched.filter(({ sentence }) => sentence === "Ada draws 2.").length, 3);
  assert.deepEqual(await all(client.viewer(gameId).events()), watched);

  const [first, last] = await Promise.all([1, game.version].map((version) => client.viewer(gameId).table({ version })));
  const timeline = new Timeline(KnownTable.of(first!.table), 1, watched.slice(1));
  const folded = timeline.goTo(Number(game.version)).message();
  assert.deepEqual(toBinary(TableSchema, folded), toBinary(TableSchema, last!.table));
}
