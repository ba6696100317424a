import assert from "node:assert/strict";
import { test } from "node:test";
import { arrange } from "../src/stage/arrange.ts";
import { nextInDirection } from "../src/stage/arrowKeys.ts";
import { Painter } from "../src/stage/picture.ts";
import { Pieces } from "../src/stage/pieces.ts";
import { placePieces } from "../src/stage/placePieces.ts";
import { reusePrint } from "../src/stage/reuse.ts";
import type { Board, Spot } from "../src/stage/scene.ts";
import { signsUnder } from "../src/stage/signs.ts";
import { touchedBox } from "../src/stage/touch.ts";
import type { Guide } from "../src/table/guide.ts";
import { move, tableOf } from "./tables.ts";

const board = (id: string, w: number, h: number): Board => ({
  id,
  name: id,
  seat: 0,
  w,
  h,
  decor: [],
  spots: [],
  marks: [],
});

test("boards never overlap, on pages of any size", () => {
  const boards = [
    board("map", 620, 700),
    board("tracks", 620, 300),
    board("a", 500, 320),
    board("b", 500, 320),
    board("c", 400, 500),
  ];
  for (const [width, height] of [
    [1600, 900],
    [900, 1200],
    [390, 800],
    [2600, 700],
  ] as const) {
    const { standings, w, h } = arrange(boards, width, height);
    assert.equal(standings.length, boards.length);
    for (const one of standings) {
      assert.ok(one.x >= 0 && one.y >= 0 && one.x + one.board.w <= w + 0.01 && one.y + one.board.h <= h + 0.01);
      for (const other of standings) {
        if (one === other) continue;
        const apart =
          one.x + one.board.w <= other.x ||
          other.x + other.board.w <= one.x ||
          one.y + one.board.h <= other.y ||
          other.y + other.board.h <= one.y;
        assert.ok(apart, `${one.board.id} overlaps ${other.board.id} at ${width}`);
      }
    }
  }
});

test("a phone shows boards below each other", () => {
  const { w } = arrange([board("a", 600, 300), board("b", 500, 300)], 390, 800);
  assert.equal(w, 600);
});

const pieces = (count: number, component = "x") => Array.from({ length: count }, (_, key) => ({ key, component }));
const spot = (more: Partial<Spot>): Spot => ({ zone: "z", x: 0, y: 0, w: 100, h: 50, size: 24, show: "each", ...more });

test("any number of pieces stays within its spot", () => {
  for (const count of [1, 3, 8, 20]) {
    const [placed] = placePieces(spot({}), pieces(count), () => 1);
    assert.equal(placed.length, count);
    for (const { x, y, size } of placed) {
      assert.ok(x - size / 2 >= -1 && x + size / 2 <= 101, `${count} pieces: ${x}`);
      assert.ok(y - size / 2 >= -1 && y + size / 2 <= 51, `${count} pieces: ${y}`);
    }
  }
});

test("a heap of one kind has a badge with its number, and only a few pieces are drawn", () => {
  const [placed, badges] = placePieces(
    spot({ show: "kinds" }),
    [...pieces(12, "a"), { key: 99, component: "b" }],
    () => 1,
  );
  assert.equal(badges.length, 1);
  assert.deepEqual([badges[0]?.component, badges[0]?.count], ["a", 12]);
  assert.equal(placed.filter(({ component }) => component === "a").length, 3);
  assert.equal(placed.filter(({ component }) => component === "b").length, 1);
});

test("pieces with a fixed place are drawn there, the others in free places", () => {
  const own = spot({ at: (component, nth, index) => (component === "a" ? { x: 10 * nth, y: index } : undefined) });
  const [placed] = placePieces(
    own,
    [...pieces(2, "b"), { key: 7, component: "a" }, { key: 8, component: "a" }],
    () => 1,
  );
  const where = new Map(placed.map(({ key, x, y }) => [key, { x, y }]));
  assert.deepEqual(where.get(7), { x: 0, y: 2 });
  assert.deepEqual(where.get(8), { x: 10, y: 3 });
  assert.equal(placed.length, 4);
});

test("boards side by side stay readable", () => {
  const mats = ["a", "b", "c", "d", "e", "f"].map((id) => board(id, 460, 740));
  const { w } = arrange(mats, 960, 700, 0.9);
  assert.ok(960 / w >= 0.9, `${w} units in 960 pixels`);
  assert.ok(w > 900, "there is room for two");
});

test("a row that empties from the left keeps its right end, and a deck shows its back", () => {
  const [placed] = placePieces(spot({ align: "end", as: () => "back" }), pieces(2), () => 1);
  assert.deepEqual(
    placed.map(({ x }) => x),
    [64, 88],
  );
  assert.deepEqual(new Set(placed.map(({ looks, component }) => `${component} as ${looks}`)), new Set(["x as back"]));
});

test("spots on a sign are found by their place", () => {
  const sign = { marker: "action", word: "hunt", x: 0, y: 0, w: 100, h: 50 };
  const spot = { w: 20, h: 20, size: 20, show: "each" } as const;
  const spots = [
    { ...spot, zone: "hunt.1", x: 5, y: 5 },
    { ...spot, zone: "beside", x: 95, y: 5 },
  ];
  const under = signsUnder([{ ...board("mat", 200, 100), spots, signs: [sign] }]);
  assert.deepEqual([...under], [["hunt.1", sign]]);
});

test("arrow keys move to the nearest place in their direction", () => {
  const at = (x: number, y: number) => ({ x, y, width: 10, height: 10 });
  const places = [at(0, 0), at(30, 2), at(20, 60), at(90, 0)];
  const [from] = places as [(typeof places)[number]];
  assert.equal(nextInDirection("ArrowRight", from, places), 1);
  assert.equal(nextInDirection("ArrowDown", from, places), 2);
  assert.equal(nextInDirection("ArrowLeft", from, places), -1);
  assert.equal(nextInDirection("Enter", from, places), -1);
});

test("only changed parts of a picture are new objects, also with newly created boards", () => {
  const guide = {
    words: { hidden: "hidden", empty: "nothing" },
    text: (component: string) => component,
    zone: (id: string) => ({ text: id }),
    marker: (id: string) => ({ text: id }),
    value: (_: string, value: number) => String(value),
  } as unknown as Guide;
  const scene = () => [
    {
      ...board("mat", 100, 100),
      decor: [{ kind: "circle", x: 1, y: 2, r: 3, role: "box" } as const],
      spots: ["hand", "bag", "row"].map((zone, index) => spot({ zone, y: index * 50, at: () => undefined })),
      marks: [{ kind: "token", marker: "round", glyph: "stone", size: 9, at: () => ({ x: 5, y: 5 }) } as const],
    },
  ];
  const before = tableOf({ hand: { red: 2, blue: 1 }, bag: { red: 1 }, row: { blue: 3 } });
  const round = { id: "round", visibility: "public", value: 1 };
  before.markers.set("round", round);
  const drawnPieces = new Pieces(before);
  const painter = new Painter(guide, () => ({ shape: "disc", fill: "red" }));
  const dark = { lit: new Map<string, number>(), picked: new Set<string>(), touched: new Set<string>(), asking: false };
  const first = scene();
  const one = painter.paint(arrange(first, 500, 500), before, drawnPieces, dark);

  const after = tableOf({ hand: { red: 2 }, bag: { red: 1, blue: 1 }, row: { blue: 3 } });
  after.markers.set("round", round);
  drawnPieces.stepForward([move("blue", "hand", "bag")], after);
  const second = reusePrint(first, scene());
  assert.equal(second[0]?.decor[0], first[0]?.decor[0]);
  const touched = new Set(["z|bag"]);
  const two = painter.paint(arrange(second, 500, 500), after, drawnPieces, { ...dark, touched });

  const places = ({ places }: typeof one) => [...places.values()].flat();
  const changed = places(two).filter((placePieces) => !places(one).includes(placePieces));
  assert.deepEqual(
    changed.map((placePieces) => [placePieces.of.zone, placePieces.words, placePieces.isTouched]),
    [
      ["hand", "hand: 2 × red", undefined],
      ["bag", "bag: 1 × red, 1 × blue", true],
    ],
  );
  assert.deepEqual(
    one.tokens.map((token) => two.tokens.includes(token)),
    [true],
  );
  const row = one.placed.filter(({ zone }) => zone === "row");
  assert.equal(row.length, 3);
  for (const piece of row) assert.ok(two.placed.includes(piece));
  const moved = two.placed.find(({ component, zone }) => component === "blue" && zone === "bag");
  assert.ok(one.placed.some(({ key, zone }) => key === moved?.key && zone === "hand"));
});

const touchable = (x: number, y: number, side = 12) => ({
  x: x - side / 2,
  y: y - side / 2,
  width: side,
  height: side,
});

test("a touch beside a small item selects it, or the nearer of two", () => {
  assert.equal(touchedBox({ x: 118, y: 100 }, [touchable(100, 100)]), 0);
  assert.equal(touchedBox({ x: 123, y: 100 }, [touchable(100, 100)]), -1);
  assert.equal(touchedBox({ x: 112, y: 100 }, [touchable(100, 100), touchable(120, 100)]), 1);
});

test("a touched item is preferred to items at a distance", () => {
  assert.equal(touchedBox({ x: 116, y: 100 }, [touchable(100, 100)], touchable(120, 100)), -1);
  assert.equal(touchedBox({ x: 108, y: 100 }, [touchable(100, 100)], touchable(160, 100, 200)), 0);
});
