/** The tracks: what each space brings, and everybody's cube where it stands. */
import type { KnownTable } from "@boardkeeper/client";
import type { Point } from "../../stage/scene";
import type { Guide, Values } from "../../table/guide";
import { isRecord, type Sign, steps } from "../followers/effects";
import { signsFrom, widthOf } from "../followers/places";
import { Drawing } from "../kit";
import type { Box } from "./room";

/** How the tracks are laid: on narrow boards without names, and with cubes below what a space brings. */
interface Plan {
  readonly w: number;
  readonly label: number;
  readonly cell: number;
  readonly row: number;
}

const DEVELOPMENT_ROW = 50;
const DEVELOPMENT_SPACE = 36;

const CHARACTERS: Readonly<Record<string, string>> = {
  farmers: "farmer",
  boatmen: "boatman",
  craftsmen: "craftsman",
  traders: "trader",
  knights: "knight",
  scholars: "scholar",
};

/** The six tracks of the characters, and that of development. */
export function tracksBoard(guide: Guide, table: KnownTable, w: number): Drawing {
  const board = new Drawing("tracks", guide.text("development"), 0, w, 0);
  const plan: Plan = w < 500 ? { w, label: 38, cell: (w - 44) / 9, row: 52 } : { w, label: 142, cell: 50, row: 36 };
  let y = 10;
  for (const [track, character] of Object.entries(CHARACTERS)) {
    if (!table.markers.has(`seat.1.${track}`)) continue;
    characterTrack(board, guide, table, track, character, plan, y);
    y += plan.row;
  }
  board.h = development(board, guide, table, y + 6) + 8;
  return board;
}

function characterTrack(
  board: Drawing,
  guide: Guide,
  table: KnownTable,
  track: string,
  character: string,
  { label, cell, row }: Plan,
  y: number,
) {
  const prizes = prizesOf(guide.components.get(track)?.values ?? {});
  const isStacked = cell < 48;
  board.printed(22, y + row / 2 - 1, 25, character, "clear");
  if (label > 60) board.text(39, y + row / 2 + 3, guide.text(track), 14, "name", "start", label - 42);
  const left = (space: number) => label + space * cell;
  for (let space = 0; space <= prizes.length; space++) {
    board.rect(left(space), y, cell - 2, row - 3, space === 0 ? "track-start" : "track", 4);
    const signs = prizes[space - 1] ?? [];
    const middle = isStacked ? cell / 2 - 1 : 12;
    signsFrom(
      board,
      signs,
      left(space) + Math.max(2, middle - widthOf(signs) / 2),
      isStacked ? y + 10 : y + row / 2 - 2,
    );
  }
  const zone = `track.${track}`;
  if (table.zones.has(zone)) {
    const space = Number(guide.components.get(track)?.values.citizen ?? prizes.length);
    board.spot({
      zone,
      x: left(space) + cell - 27,
      y: isStacked ? y + 20 : y + 1,
      w: 25,
      h: isStacked ? row - 24 : row - 5,
      size: 24,
      show: "each",
      outline: "none",
      symbol: "citizen",
    });
  }
  for (const { seat } of guide.seats) {
    cube(board, seat, guide.seats.length, `seat.${seat}.${track}`, (space) => {
      if (space > prizes.length) return undefined;
      const box = isStacked
        ? { x: left(space) + 1, y: y + 18, w: cell - 4, h: row - 23 }
        : { x: left(space) + (space === 0 ? 12 : 21), y: y + 1.5, w: cell - 24, h: row - 6 };
      return inCell(box, seat, guide.seats.length);
    });
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
  const columns = Math.floor((board.w - 20) / DEVELOPMENT_SPACE);
  const wide = (board.w - 20) / columns;
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
    board.text(x + 2, y + 11, String(space), 10.5, "faint");
    const coin = coins[String(space)];
    if (coin) board.printed(x + wide - 11, y + 9, 17, `coin.${coin}`, "clear");
    if (star) {
      board.printed(x + wide - 18, y + 8, 11.5, "shape.star", "clear");
      board.text(x + wide - 10, y + 12.5, String(star), 11, "sign");
    }
    const zone = `track.development.${space}`;
    if (table.zones.has(zone)) {
      board.spot({
        zone,
        x: x + wide - 23,
        y: y - 2,
        w: 22,
        h: 22,
        size: 20,
        show: "each",
        outline: "none",
        symbol: "citizen",
      });
    }
  }
  for (const { seat } of guide.seats) {
    cube(board, seat, guide.seats.length, `seat.${seat}.development`, (space) => {
      if (space > last) return undefined;
      const { x, y } = corner(space);
      return inCell({ x: x + 1, y: y + 14, w: wide - 4, h: DEVELOPMENT_ROW - 18 }, seat, guide.seats.length);
    });
  }
  return top + Math.ceil((last + 1) / columns) * DEVELOPMENT_ROW;
}

function cube(
  board: Drawing,
  seat: number,
  seats: number,
  marker: string,
  at: (space: number) => Point | undefined,
): void {
  board.mark({
    kind: "token",
    marker,
    seat,
    glyph: `cube.${seat}`,
    size: seats > 4 ? 16 : 17,
    at: (value) => (typeof value === "number" && value >= 0 ? at(value) : undefined),
  });
}

/** Where a seat's cube stands in a space: each seat has a corner of its own, a fifth one the middle; two stand side by side. */
function inCell(box: Box, seat: number, seats: number): Point {
  if (seat > 4) return { x: box.x + box.w / 2, y: box.y + box.h / 2 };
  const down = seats < 3 ? 0.5 : seat < 3 ? 0.24 : 0.76;
  return { x: box.x + box.w * (seat % 2 === 1 ? 0.25 : 0.75), y: box.y + box.h * down };
}
