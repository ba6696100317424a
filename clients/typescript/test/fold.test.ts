// The fold of effects, step by step. tests/client/test_fold_in_typescript.py compares it with the server's tables.
import assert from "node:assert/strict";
import { test } from "node:test";
import { type Effect, EffectSchema, type Event, EventSchema, KnownTable, Timeline } from "@boardkeeper/client";
import { TableSchema } from "@boardkeeper/client/gen/boardkeeper/v1/table_pb";
import { create, type MessageInitShape } from "@bufbuild/protobuf";

type EffectInit = NonNullable<MessageInitShape<typeof EffectSchema>["effect"]>;

const effects = (...inits: EffectInit[]): Effect[] => inits.map((effect) => create(EffectSchema, { effect }));

const move = (component: string, count: number, source: string, target: string) => ({
  case: "move" as const,
  value: { component, count, source, target },
});

const reveal = (subject: string, before: string, after: string) => ({
  case: "reveal" as const,
  value: { subject, before, after },
});

const start = (): KnownTable =>
  KnownTable.of(
    create(TableSchema, {
      viewer: "seat.1",
      zones: [
        {
          id: "hand",
          visibility: "seat.1",
          seen: true,
          count: 3,
          contents: [
            { component: "ace", count: 1 },
            { component: "king", count: 2 },
          ],
        },
        { id: "other", visibility: "seat.2", count: 2 },
        { id: "deck", visibility: "count", stack: true, count: 5 },
        { id: "row", visibility: "public", stack: true, seen: true, count: 1, order: ["ten"] },
        { id: "secret", visibility: "secret.2" },
      ],
      markers: [
        { id: "turn", visibility: "public", value: { value: { case: "number", value: 1n } } },
        { id: "plan", visibility: "seat.2" },
      ],
      decisions: ["play", ""],
    }),
  );

const zone = (table: KnownTable, id: string) => {
  const { seen, count, contents, order } = table.zones.get(id)!;
  return { seen, count, holds: order.length > 0 ? [...order] : Object.fromEntries(contents) };
};

test("components that move to a hidden zone are only counted", () => {
  const table = start();
  table.apply(effects(move("king", 2, "hand", "other"), move("?", 1, "deck", "other"), move("nine", 1, "deck", "row")));
  assert.deepEqual(zone(table, "hand"), { seen: true, count: 1, holds: { ace: 1 } });
  assert.deepEqual(zone(table, "other"), { seen: false, count: 5, holds: { "?": 5 } });
  assert.deepEqual(zone(table, "deck"), { seen: false, count: 3, holds: ["?", "?", "?"] });
  assert.deepEqual(zone(table, "row"), { seen: true, count: 2, holds: ["ten", "nine"] });
  assert.equal(table.lacks().size, 0);
});

test("hidden contents are forgotten, and restored by a step back", () => {
  const table = start();
  const before = table.zones.get("hand");
  const journal = table.apply(effects(reveal("hand", "seat.1", "seat.2")));
  assert.deepEqual(zone(table, "hand"), { seen: false, count: 3, holds: { "?": 3 } });
  table.revert(journal);
  assert.equal(table.zones.get("hand"), before, "the same object");
  table.apply(effects(reveal("hand", "seat.1", "nobody")));
  assert.deepEqual(zone(table, "hand"), { seen: false, count: undefined, holds: {} });
});

test("revealed contents are lacking until an effect contains them", () => {
  const table = start();
  table.apply(
    effects(
      reveal("other", "seat.2", "public"),
      reveal("secret", "secret.2", "public"),
      reveal("plan", "seat.2", "public"),
    ),
  );
  assert.deepEqual(table.lacks(), new Set(["other", "secret", "plan"]));
  table.apply(
    effects(move("ace", 1, "other", "other"), move("two", 1, "other", "other"), move("six", 1, "secret", "secret"), {
      case: "set",
      value: {
        marker: "plan",
        before: { value: { case: "word", value: "war" } },
        after: { value: { case: "word", value: "war" } },
      },
    }),
  );
  assert.deepEqual(zone(table, "other"), { seen: true, count: 2, holds: { ace: 1, two: 1 } });
  assert.deepEqual(zone(table, "secret"), { seen: true, count: 1, holds: { six: 1 } });
  assert.equal(table.markers.get("plan")?.value, "war");
  assert.equal(table.lacks().size, 0);
});

test("only changed zones and markers are new objects", () => {
  const table = start();
  const [zones, markers] = [new Map(table.zones), new Map(table.markers)];
  const copy = table.clone();
  table.apply(effects(move("king", 1, "hand", "row"), { case: "ask", value: { seat: 2, before: "", after: "play" } }));
  const changed = [...zones.keys()].filter((id) => table.zones.get(id) !== zones.get(id));
  assert.deepEqual(changed, ["hand", "row"]);
  assert.ok([...markers.keys()].every((id) => table.markers.get(id) === markers.get(id)));
  assert.deepEqual(table.decisions, ["play", "play"]);
  assert.deepEqual([zone(copy, "row").count, copy.decisions], [1, ["play", ""]], "the copy is independent");
});

const event = (version: number, ...inits: EffectInit[]): Event =>
  create(EventSchema, { version: BigInt(version), effects: effects(...inits) });

test("a timeline accepts events in order and goes to existing versions", () => {
  const timeline = new Timeline(start(), 7, [event(8, move("king", 1, "hand", "row"))]);
  assert.deepEqual([timeline.first, timeline.last, timeline.version], [7, 8, 7]);
  assert.throws(() => timeline.append(event(10)), /event 9 is next/);
  assert.throws(() => timeline.goTo(9), RangeError);
  assert.throws(() => timeline.goTo(6), RangeError);
  timeline.append(event(9, move("ace", 1, "hand", "row")));
  timeline.goTo(9);
  assert.deepEqual(zone(timeline.table, "row").holds, ["ten", "king", "ace"]);
  assert.equal(timeline.event(9)?.version, 9n);
  assert.equal(timeline.event(7), undefined);
});

test("a table of the server corrects what effects do not contain", () => {
  const events = [event(8, reveal("other", "seat.2", "public")), event(9, move("ace", 1, "other", "row"))];
  const timeline = new Timeline(start(), 7, events);
  timeline.goTo(9);
  assert.ok(timeline.table.lacks().has("other"));
  const correct = start();
  correct.apply(
    effects(reveal("other", "seat.2", "public"), move("ace", 1, "other", "other"), move("two", 1, "other", "other")),
  );
  timeline.correct(8, correct);
  assert.equal(timeline.version, 9);
  assert.deepEqual(zone(timeline.table, "other"), { seen: true, count: 1, holds: { two: 1 } });
  for (const version of [8, 7, 8, 9]) timeline.goTo(version);
  assert.deepEqual(zone(timeline.table, "other"), { seen: true, count: 1, holds: { two: 1 } });
  assert.deepEqual(zone(timeline.goTo(7), "other"), { seen: false, count: 2, holds: { "?": 2 } });
});
