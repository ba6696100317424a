import assert from "node:assert/strict";
import { test } from "node:test";
import { Pieces } from "../src/stage/pieces.ts";
import { move, tableOf } from "./tables.ts";

const keys = (pieces: Pieces, zone: string) => pieces.in(zone).map(({ key }) => key);

test("a piece keeps its key when it moves back and forth", () => {
  const before = tableOf({ bag: { farmer: 2, monk: 1 }, market: {} });
  const after = tableOf({ bag: { farmer: 1, monk: 1 }, market: { farmer: 1 } });
  const pieces = new Pieces(before);
  const all = new Set(keys(pieces, "bag"));
  const effects = [move("farmer", "bag", "market")];
  pieces.stepForward(effects, after);
  const [moved] = keys(pieces, "market");
  assert.ok(moved !== undefined && all.has(moved));
  pieces.stepBackward(effects, before);
  assert.deepEqual(new Set(keys(pieces, "bag")), all);
  assert.deepEqual(keys(pieces, "market"), []);
});

test("two pieces that swap places keep their keys", () => {
  const pieces = new Pieces(tableOf({ a: { tile: 1 }, b: { tile: 1 }, c: {} }));
  const [fromA] = keys(pieces, "a");
  const [fromB] = keys(pieces, "b");
  pieces.stepForward(
    [move("tile", "a", "c"), move("tile", "b", "a"), move("tile", "c", "b")],
    tableOf({ a: { tile: 1 }, b: { tile: 1 }, c: {} }),
  );
  assert.deepEqual([keys(pieces, "a"), keys(pieces, "b")], [[fromB], [fromA]]);
});

test("a piece from a hidden zone keeps its key and gets its face", () => {
  const pieces = new Pieces(tableOf({ bag: 3, market: {} }));
  assert.deepEqual(
    pieces.in("bag").map(({ component }) => component),
    ["?", "?", "?"],
  );
  const bag = keys(pieces, "bag");
  pieces.stepForward([move("monk", "bag", "market")], tableOf({ bag: 2, market: { monk: 1 } }));
  assert.equal(pieces.in("market")[0]?.component, "monk");
  assert.ok(bag.includes(keys(pieces, "market")[0] ?? -1));
  pieces.stepBackward([move("monk", "bag", "market")], tableOf({ bag: 3, market: {} }));
  assert.deepEqual(
    pieces.in("bag").map(({ component }) => component),
    ["?", "?", "?"],
  );
});

test("a jump keeps as many pieces as possible, and shows exactly the table", () => {
  const pieces = new Pieces(tableOf({ a: { x: 2, y: 1 }, b: {} }));
  const before = new Set(keys(pieces, "a"));
  pieces.match(tableOf({ a: { y: 1 }, b: { x: 1, z: 1 } }));
  assert.deepEqual(
    pieces.in("a").map(({ component }) => component),
    ["y"],
  );
  assert.deepEqual(
    pieces
      .in("b")
      .map(({ component }) => component)
      .sort(),
    ["x", "z"],
  );
  const x = pieces.in("b").find(({ component }) => component === "x");
  assert.ok(x && before.has(x.key));
});
