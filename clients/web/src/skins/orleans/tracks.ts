/** The tracks: what each space brings, and everybody's cube where it stands. */
import type { KnownTable } from "@boardkeeper/client";
import type { Point } from "../../stage/scene";
import type { Guide, Values } from "../../table/guide";
import { isRecord, type Sign, steps } from "../followers/effects";
import { BOARD_WIDTH, signsFrom, widthOf } from "../followers/places";
import { Drawing } from "../kit";

const W = BOARD_WIDTH;
const LABEL = 142;
const CELL = 50;
const ROW = 36;
const DEVELOPMENT_ROW = 50;

const CHARACTERS: Readonly<Record<string, string>> = {
  farmers: "farmer",
  boatmen: "boatman",
  craftsmen: "craftsman",
  traders: "trader",
  knights: "knight",
  scholars: "scholar",
};

/** The six tracks of the characters, and that of development. */
export function tracksBoard(guide: Guide, table: KnownTable): Drawing {
  const board = new Drawing("tracks", guide.text("development"), 0, W, 0);
  let y = 10;
  for (const [track, character] of Object.entries(CHARACTERS)) {
    if (!table.markers.has(`seat.1.${track}`)) continue;
    characterTrack(board, guide, table, track, character, y);
    y += ROW;
  }
  board.h = development(board, guide, table, y + 6) + 8;
  return board;
}

function characterTrack(board: Drawing, guide: Guide, table: KnownTable, track: string, character: string, y: number) {
  const values = guide.components.get(track)?.values ?? {};
  const prizes = prizesOf(values);
  board.printed(22, y + ROW / 2 - 1, 25, character, "clear");
  board.text(39, y + 20, guide.text(track), 14, "name", "start", LABEL - 41);
  const left = (space: number) => LABEL + space * CELL;
  for (let space = 0; space <= prizes.length; space++) {
    board.rect(left(space), y, CELL - 2, ROW - 3, space === 0 ? "track-start" : "track", 4);
    const signs = prizes[space - 1] ?? [];
    signsFrom(board, signs, left(space) + Math.max(2, 13 - widthOf(signs) / 2), y + 15);
  }
  const zone = `track.${track}`;
  if (table.zones.has(zone)) {
    const space = Number(values.citizen ?? prizes.length);
    board.spot({
      zone,
      x: left(space) + CELL - 27,
      y: y + 1,
      w: 25,
      h: ROW - 5,
      size: 24,
      show: "each",
      outline: "none",
      symbol: "citizen",
    });
  }
  for (const { seat } of guide.seats) {
    cube(board, seat, `seat.${seat}.${track}`, (space) =>
      space > prizes.length
        ? undefined
        : inCell(left(space) + 27, y + 1.5, CELL - 31, ROW - 6, seat, guide.seats.length),
    );
  }
}

/** What the spaces of a track bring, by the facts of the catalogue. */
function prizesOf(values: Values): Sign[][] {
  const list = (key: string) => (Array.isArray(values[key]) ? (values[key] as unknown[]) : []);
  const glyph = (name: string): Sign => ({ glyph: name });
  const letters = (text: string): Sign => ({ letters: text });
  const farmerOnly = list("farmer_only");
  return [
    ...list("goods").map((good) => [glyph(String(good))]),
    ...list("coins").map((coins) => (coins ? [glyph(`coin.${coins}`)] : [])),
    ...list("technology").map((_, index) => [glyph("technology"), ...(farmerOnly[index] ? [glyph("farmer")] : [])]),
    ...list("place_tiles").map((kinds) => [
      letters(Array.isArray(kinds) ? kinds.map((kind) => "I".repeat(Number(kind))).join("·") : ""),
    ]),
    ...list("draw").map((count) => [letters(String(count)), glyph("shape.bag")]),
    ...list("development").map((count) => steps(Number(count))),
  ];
}

/** The track of development in two rows; the height where it ends. */
function development(board: Drawing, guide: Guide, table: KnownTable, y: number): number {
  const values = guide.components.get("development")?.values ?? {};
  const last = Number(values.last ?? 30);
  const columns = Math.ceil((last + 1) / 2);
  const wide = (W - 20) / columns;
  board.text(10, y + 13, guide.text("development"), 14, "name");
  const top = y + 20;
  const corner = (space: number): Point => ({
    x: 10 + (space % columns) * wide,
    y: top + Math.floor(space / columns) * DEVELOPMENT_ROW,
  });
  const coins = isRecord(values.coins) ? values.coins : {};
  const status = isRecord(values.status) ? values.status : {};
  for (let space = 0; space <= last; space++) {
    const { x, y } = corner(space);
    const star = status[String(space)];
    board.rect(x, y, wide - 2, DEVELOPMENT_ROW - 3, star ? "track status" : "track", 4);
    board.text(x + 3, y + 11, String(space), 10, "faint");
    const coin = coins[String(space)];
    if (coin) board.printed(x + wide - 11, y + 9, 17, `coin.${coin}`, "clear");
    if (star) {
      board.printed(x + wide - 19, y + 8, 15, "shape.star", "clear");
      board.text(x + wide - 11, y + 12.5, String(star), 11, "sign");
    }
    const zone = `track.development.${space}`;
    if (table.zones.has(zone)) {
      board.spot({
        zone,
        x: x + wide - 25,
        y: y - 2,
        w: 24,
        h: 22,
        size: 21,
        show: "each",
        outline: "none",
        symbol: "citizen",
      });
    }
  }
  for (const { seat } of guide.seats) {
    cube(board, seat, `seat.${seat}.development`, (space) => {
      if (space > last) return undefined;
      const { x, y } = corner(space);
      return inCell(x + 1, y + 14, wide - 4, DEVELOPMENT_ROW - 18, seat, guide.seats.length);
    });
  }
  return top + 2 * DEVELOPMENT_ROW;
}

function cube(board: Drawing, seat: number, marker: string, at: (space: number) => Point | undefined): void {
  board.mark({
    kind: "token",
    marker,
    seat,
    glyph: `cube.${seat}`,
    size: 18,
    at: (value) => (typeof value === "number" && value >= 0 ? at(value) : undefined),
  });
}

/** Where a seat's cube stands in a space: each seat has a corner of its own. */
function inCell(x: number, y: number, w: number, h: number, seat: number, seats: number): Point {
  const columns = seats > 4 ? 3 : 2;
  const column = (seat - 1) % columns;
  const row = Math.floor((seat - 1) / columns);
  const rows = Math.ceil(seats / columns);
  return { x: x + ((column + 0.5) * w) / columns, y: y + ((row + 0.5) * h) / rows };
}
