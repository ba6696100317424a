/** The map: towns, the rivers and roads between them, and the goods on those ways. */
import type { KnownTable } from "@boardkeeper/client";
import type { Point } from "../../stage/scene";
import { textWidth } from "../../stage/textWidth";
import type { Guide } from "../../table/guide";
import { words } from "../followers/effects";
import { Drawing } from "../kit";
import { around, type Box, Room } from "../room";

const LEFT = 48;
const TOP = 58;
const RIGHT = 48;
const BOTTOM = 52;
const TOWN = 36;
const GOOD = 28;

/** The town where all seats start and each may build. */
const SHARED = "orleans";

/** Offsets of merchants around their town, one for each seat. */
const BESIDE: readonly Point[] = [
  { x: -23, y: -9 },
  { x: 23, y: -9 },
  { x: -12, y: -23 },
  { x: 12, y: -23 },
  { x: 0, y: -33 },
];

/** Draw the map with its pieces. */
export function mapBoard(guide: Guide, table: KnownTable, w: number): Drawing {
  const h = w < 500 ? 700 : 620;
  const board = new Drawing("map", guide.text("game_board"), 0, w, h);
  board.rect(6, 6, w - 12, h - 12, "parchment", 8);
  board.rect(11, 11, w - 22, h - 22, "margin", 5);
  const towns = townsOf(guide, table, board);
  const room = new Room({ x: 14, y: 14, w: w - 28, h: h - 28 });
  for (const town of towns.values()) {
    room.take(around(town, TOWN + 4), 2);
    room.take({ x: town.x - 32, y: town.y - 36, w: 64, h: 36 }, 0.9); // merchants
  }
  for (const [from, to] of pairsOf(guide, towns)) {
    for (let part = 2; part < 9; part++)
      room.take(
        around({ x: from.x + ((to.x - from.x) * part) / 10, y: from.y + ((to.y - from.y) * part) / 10 }, 14),
        0.4,
      );
  }
  const names = [...towns].map(([town, at]) => nameOf(guide.text(town), at, town === SHARED, room));
  const ways = waysOf(guide, table, towns, room);
  compass(board, 62, 62);
  for (const way of ways) if (way.isWater) board.path(way.path, "river-bank");
  for (const way of ways) if (way.isWater) board.path(way.path, "river");
  for (const way of ways) if (!way.isWater) board.path(way.path, "road-edge");
  for (const way of ways) if (!way.isWater) board.path(way.path, "road");
  for (const { zone, goods } of ways) {
    const boxes = goods.map((good) => around(good, GOOD));
    const x = Math.min(...boxes.map((box) => box.x));
    const y = Math.min(...boxes.map((box) => box.y));
    const wide = Math.max(...boxes.map((box) => box.x)) - x + GOOD;
    const high = Math.max(...boxes.map((box) => box.y)) - y + GOOD;
    for (const good of goods) board.rect(good.x - 9, good.y - 9, 18, 18, "good-space", 3);
    board.spot({
      zone,
      x,
      y,
      w: wide,
      h: high,
      size: GOOD,
      show: "each",
      outline: "none",
      at: (_, __, index) => goods[index],
    });
  }
  for (const [town, at] of towns) townAt(board, town, at);
  for (const name of names) printName(board, name);
  merchants(board, guide, table, towns);
  return board;
}

/** Return the positions of towns, spread over the map. */
function townsOf(guide: Guide, table: KnownTable, board: Drawing): Map<string, Point> {
  const found = [...guide.components.values()].filter(
    ({ id, kind }) => kind === "town" && table.zones.has(`town.${id}`),
  );
  const xs = found.map(({ values }) => Number(values.x));
  const ys = found.map(({ values }) => Number(values.y));
  const spread = (value: number, all: readonly number[], from: number, to: number) =>
    from + ((value - Math.min(...all)) / (Math.max(...all) - Math.min(...all) || 1)) * (to - from);
  return new Map(
    found.map(({ id, values }) => [
      id,
      {
        x: spread(Number(values.x), xs, LEFT, board.w - RIGHT),
        y: spread(Number(values.y), ys, TOP, board.h - BOTTOM),
      },
    ]),
  );
}

interface WayDrawn {
  readonly zone: string;
  readonly isWater: boolean;
  readonly path: string;
  readonly goods: readonly Point[];
}

const MIDDLES: readonly number[] = [0.5, 0.46, 0.54, 0.42, 0.58, 0.38, 0.62, 0.34, 0.66, 0.3, 0.7];

/** Positions of two goods along a way: well apart if nothing is covered, otherwise closer together or to one end. */
const PAIRS: readonly (readonly number[])[] = [0.28, 0.24, 0.33, 0.2].flatMap((gap) =>
  [0.36, 0.32, 0.4, 0.28, 0.44, 0.24, 0.48, 0.52, 0.56].map((first) => [first, first + gap]),
);

/** Positions along a way where it should not cover anything. */
const SAMPLES: readonly number[] = [0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8];

/** Return the ways as curves, bent so that they and their goods cover as little as possible. */
function waysOf(guide: Guide, table: KnownTable, towns: ReadonlyMap<string, Point>, room: Room): WayDrawn[] {
  const bends = new Map<string, number>();
  const found: WayDrawn[] = [];
  for (const { id, kind, values } of guide.components.values()) {
    const zone = `way.${id}`;
    if (!table.zones.has(zone)) continue;
    const [from = "", to = ""] = words(values.towns);
    const start = towns.get(from);
    const end = towns.get(to);
    if (!start || !end) continue;
    const isWater = kind === "water";
    const pair = [from, to].sort().join();
    const other = bends.get(pair);
    const much = isWater ? 0.13 : 0.06;
    // A second way between the same towns bends to the other side.
    const isDouble = Array.isArray(values.spaces) && values.spaces.length > 1;
    const bent = isDouble ? [1, -1, 2, -2, 3, -3] : [1, -1, 2, -2];
    const possible = other === undefined ? bent.map((times) => times * much) : [-Math.sign(other) * 0.22];
    const candidates = possible.flatMap((bend) => {
      const path = curve(start, end, bend, isWater ? 0.08 : 0);
      return isDouble
        ? PAIRS.map((pair) => ({ bend, path, goods: pair.map((part) => path.at(part)) })).filter(areApart)
        : MIDDLES.map((middle) => ({ bend, path, goods: [path.at(middle)] }));
    });
    const best = room.best(candidates, ({ goods, path }) => [
      ...goods.map((good) => around(good, GOOD + 2)),
      ...SAMPLES.map((part) => around(path.at(part), 9)),
    ]);
    bends.set(pair, best.bend);
    for (const good of best.goods) room.take(around(good, GOOD), 3);
    for (let part = 1; part < 12; part++) room.take(around(best.path.at(part / 12), 8), 0.25);
    found.push({ zone, isWater, path: best.path.d, goods: best.goods });
  }
  return found;
}

/** Return whether the goods of a way do not overlap. */
function areApart({ goods: [one, other] }: { readonly goods: readonly Point[] }): boolean {
  return !one || !other || Math.hypot(one.x - other.x, one.y - other.y) > GOOD;
}

/** Return a curve between two points; `bend` and `wind` are fractions of its length. */
function curve(from: Point, to: Point, bend: number, wind: number) {
  const away = { x: to.x - from.x, y: to.y - from.y };
  const control = (part: number, side: number) => ({
    x: from.x + away.x * part - away.y * side,
    y: from.y + away.y * part + away.x * side,
  });
  const one = control(1 / 3, bend + wind);
  const two = control(2 / 3, bend - wind);
  const written = ({ x, y }: Point) => `${x.toFixed(1)} ${y.toFixed(1)}`;
  return {
    d: `M${written(from)}C${written(one)} ${written(two)} ${written(to)}`,
    at(t: number): Point {
      const rest = 1 - t;
      const sum = (pick: (point: Point) => number) =>
        rest ** 3 * pick(from) + 3 * rest ** 2 * t * pick(one) + 3 * rest * t ** 2 * pick(two) + t ** 3 * pick(to);
      return { x: sum(({ x }) => x), y: sum(({ y }) => y) };
    },
  };
}

function townAt(board: Drawing, town: string, { x, y }: Point): void {
  const isShared = town === SHARED;
  const far = TOWN / 2;
  board.circle(x, y, far, isShared ? "town capital" : "town");
  board.path(houses(x, y), "houses");
  board.spot({
    zone: `town.${town}`,
    x: x - far - 2,
    y: y - far - 2,
    w: TOWN + 4,
    h: TOWN + 4,
    size: isShared ? 18 : 27,
    show: "each",
    outline: "ring",
    ...(isShared ? { at: (station: string) => aside(x, y, Number(station.split(".")[1] ?? 1)) } : {}),
  });
}

interface Name {
  readonly x: number;
  readonly y: number;
  readonly anchor: "start" | "middle" | "end";
  readonly lines: readonly string[];
  readonly size: number;
}

/** Return the label of a town on the side where it covers least. */
function nameOf(text: string, { x, y }: Point, isLarge: boolean, room: Room): Name {
  const size = isLarge ? 16 : 14;
  const parts = text.split(/(?<=-)/);
  const lines = text.length > 14 && parts.length > 1 ? [parts.slice(0, -1).join(""), parts.at(-1) ?? ""] : [text];
  const w = Math.max(...lines.map((line) => textWidth(line, size, true)));
  const h = size * lines.length;
  const far = TOWN / 2 + 3;
  const beside = isLarge ? far + 16 : far; // merchants stand beside the first town
  const sides: Pick<Name, "x" | "y" | "anchor">[] = [
    { x, y: y + far + size - 3, anchor: "middle" },
    { x: x + beside, y: y + 5 - (h - size) / 2, anchor: "start" },
    { x: x - beside, y: y + 5 - (h - size) / 2, anchor: "end" },
    { x, y: y - far - 2 - (h - size), anchor: "middle" },
    { x: x + far - 6, y: y + far + 7, anchor: "start" },
    { x: x - far + 6, y: y + far + 7, anchor: "end" },
    { x: x + far - 6, y: y - far + 2 - (h - size), anchor: "start" },
    { x: x - far + 6, y: y - far + 2 - (h - size), anchor: "end" },
    { x: x + far, y: y + far + size - 3, anchor: "end" },
    { x: x - far, y: y + far + size - 3, anchor: "start" },
  ];
  const boxOf = (side: Pick<Name, "x" | "y" | "anchor">): Box => ({
    x: side.x - (side.anchor === "start" ? 0 : side.anchor === "end" ? w : w / 2),
    y: side.y - size + 2,
    w,
    h,
  });
  const best = room.best(sides, (side) => [boxOf(side)]);
  room.take(boxOf(best), 4);
  return { ...best, lines, size };
}

function printName(board: Drawing, { x, y, anchor, lines, size }: Name): void {
  lines.forEach((line, at) => {
    board.text(x, y + at * size, line, size, "place-name", anchor);
  });
}

/** Return the towns at both ends of all ways. */
function pairsOf(guide: Guide, towns: ReadonlyMap<string, Point>): (readonly [Point, Point])[] {
  const pairs: (readonly [Point, Point])[] = [];
  for (const { values } of guide.components.values()) {
    const [from, to] = words(values.towns).map((town) => towns.get(town));
    if (from && to) pairs.push([from, to]);
  }
  return pairs;
}

/** Return the position of a seat's station in the town that all seats share. */
function aside(x: number, y: number, seat: number): Point {
  return { x: x + ((seat - 1) % 3) * 15 - (seat > 3 ? 7 : 15), y: y + (seat > 3 ? 9 : -6) };
}

function houses(x: number, y: number): string {
  return `M${x - 13} ${y + 9}v-9l5-5 5 5v9ZM${x - 3} ${y + 9}v-15l4.500-7 4.500 7v15ZM${x + 6} ${y + 9}v-8l4-4 4 4v8Z`;
}

function merchants(board: Drawing, guide: Guide, table: KnownTable, towns: ReadonlyMap<string, Point>): void {
  for (const { seat } of guide.seats) {
    const marker = `seat.${seat}.merchant`;
    if (!table.markers.has(marker)) continue;
    const beside = BESIDE[seat - 1] ?? { x: 0, y: 0 };
    board.mark({
      kind: "token",
      marker,
      seat,
      glyph: `merchant.${seat}`,
      size: 26,
      at: (value) => {
        const town = towns.get(String(value));
        return town && { x: town.x + beside.x, y: town.y + beside.y };
      },
    });
  }
}

function compass(board: Drawing, x: number, y: number): void {
  board.circle(x, y, 24, "rose-ring");
  board.path(`M${x} ${y - 30}l5 25 25 5-25 5-5 25-5-25-25-5 25-5Z`, "rose");
  board.path(
    `M${x} ${y - 30}l5 25-5 5ZM${x + 30} ${y}l-25 5-5-5ZM${x} ${y + 30}l-5-25 5-5ZM${x - 30} ${y}l25-5 5 5Z`,
    "rose-dark",
  );
}
