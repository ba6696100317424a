/** The tracks: rewards of each space, and the cubes of all seats. */
import type { KnownTable } from "@boardkeeper/client";
import type { Guide, Values } from "../../table/guide";
import { cubes } from "../followers/cubes";
import { isRecord, type Sign, signsFor, steps } from "../followers/effects";
import { signsFrom, widthOf } from "../followers/places";
import { Drawing, grid } from "../kit";

/** The layout of tracks; on narrow boards without names, with cubes below the rewards. */
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

/** Draw the tracks of the six characters and the development track. */
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
    const [top, high] = isStacked ? [y + 20, row - 24] : [y + 1, row - 5];
    board.place(zone, left(space) + cell - 27, top, 25, high, 24, { outline: "none", symbol: "citizen" });
  }
  cubes(board, guide, track, sizeOf(guide), (space) => {
    if (space > prizes.length) return undefined;
    return isStacked
      ? { x: left(space) + 1, y: y + 18, w: cell - 4, h: row - 23 }
      : { x: left(space) + (space === 0 ? 12 : 21), y: y + 1.5, w: cell - 24, h: row - 6 };
  });
}

function sizeOf({ seats }: Guide): number {
  return seats.length > 4 ? 16 : 17;
}

/** Return the rewards of each space of a track. */
function prizesOf(values: Values): Sign[][] {
  const list = (key: string) => (Array.isArray(values[key]) ? (values[key] as unknown[]) : []);
  const farmerOnly = list("farmer_only");
  const numerals = (kinds: unknown) => (Array.isArray(kinds) ? kinds.map((kind) => "I".repeat(Number(kind))) : []);
  return [
    ...list("goods").map((good) => signsFor(String(good))),
    ...list("coins").map((coins) => (coins ? signsFor(`coin.${coins}`) : [])),
    ...list("technology").map((_, index) => signsFor("technology", ...(farmerOnly[index] ? ["farmer"] : []))),
    ...list("place_tiles").map((kinds) => signsFor(numerals(kinds).join("·"))),
    ...list("draw").map((count) => signsFor(String(count), "shape.bag")),
    ...list("development").map((count) => steps(Number(count))),
  ];
}

/** Draw the development track in two rows; return the height where it ends. */
function development(board: Drawing, guide: Guide, table: KnownTable, y: number): number {
  const values = guide.components.get("development")?.values ?? {};
  const last = Number(values.last ?? 30);
  const columns = Math.floor((board.w - 20) / DEVELOPMENT_SPACE);
  const wide = (board.w - 20) / columns;
  board.text(10, y + 13, guide.text("development"), 14, "name");
  const top = y + 20;
  const corner = grid(columns, 10, top, wide, DEVELOPMENT_ROW);
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
    if (table.zones.has(zone))
      board.place(zone, x + wide - 23, y - 2, 22, 22, 20, { outline: "none", symbol: "citizen" });
  }
  cubes(board, guide, "development", sizeOf(guide), (space) => {
    const { x, y } = corner(space);
    return space > last ? undefined : { x: x + 1, y: y + 14, w: wide - 4, h: DEVELOPMENT_ROW - 18 };
  });
  return top + Math.ceil((last + 1) / columns) * DEVELOPMENT_ROW;
}
