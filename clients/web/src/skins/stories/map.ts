/** The map: hexagons of land with their pieces, and the Loire between north and south. */
import type { KnownTable } from "@boardkeeper/client";
import type { Point } from "../../stage/scene";
import type { Guide } from "../../table/guide";
import { borderOf, type HexSize, hexagon } from "../hexes";
import { Drawing, firstIn } from "../kit";

const PAD = 12;

/** Side of a piece on a space, as a fraction of its width. */
const PIECE = 0.275;

interface Space extends Point {
  readonly id: string;
  readonly side: string;
}

/** Components that stand on land tiles. */
const STANDING = /^(settler\.\d|fortress\.\d|church)$/;

/** Return the tile on each space as a string; the print of the map depends only on it. */
export function landOf(table: KnownTable): string {
  return [...table.zones.values()]
    .filter(({ id }) => id.startsWith("area."))
    .map(({ id }) => landIn(table, id))
    .join();
}

function landIn(table: KnownTable, zone: string): string {
  return firstIn(table, zone, (each) => !STANDING.test(each));
}

/** Draw the map with its pieces. */
export function mapBoard(guide: Guide, table: KnownTable, w: number): Drawing {
  const known = (guide.map?.towns ?? []).filter(({ component }) => table.zones.has(`area.${component}`));
  const [xs, ys] = [known.map(({ x }) => x), known.map(({ y }) => y)];
  const [west, first] = [Math.min(...xs), Math.min(...ys)];
  const size = known[0]?.size ?? 0.18;
  const wide = w - 2 * PAD;
  const unit = wide / (Math.max(...xs) - west + size); // of the width of the whole map
  const hex = { w: size * unit, h: (size * unit * Math.sqrt(3)) / 2 };
  const aspect = guide.map?.aspect || 1;
  const top = 34;
  const spaces: Space[] = known.map(({ component, x, y }) => ({
    id: component,
    x: PAD + (x - west) * unit + hex.w / 2,
    y: top + ((y - first) * unit) / aspect + hex.h / 2,
    side: String(guide.components.get(component)?.values.side ?? ""),
  }));
  const high = Math.max(...spaces.map(({ y }) => y)) + hex.h / 2 + PAD;
  const board = new Drawing("map", guide.text("game_board"), 0, w, high);
  board.rect(4, 4, w - 8, board.h - 8, "st-sea", 8);
  const { north, south, loire } = guide.words.stories;
  board.text(w / 2, 23, guide.text("game_board"), 15, "title", "middle");
  board.text(14, 23, `▲ ${north}`, 13, "faint").text(w - 14, 23, `▼ ${south}`, 13, "faint", "end");
  for (const space of spaces) {
    const land = landIn(table, `area.${space.id}`) || "none";
    board.path(hexagon(space, hex, { x: 1.5, y: 1.3 }), `st-land st-${land}`);
    const name = number(guide.text(space.id));
    board.text(space.x + hex.w * 0.2, space.y - hex.h / 2 + 14, name, 10.5, "st-number", "middle");
  }
  const onSide = (wanted: string) => spaces.filter(({ side }) => side === wanted);
  const banks = borderOf(onSide("north"), onSide("south"), hex);
  board.path(banks, "st-bank").path(banks, "st-river");
  const [mouth] = onSide("south").sort((one, other) => one.x - other.x || one.y - other.y);
  if (mouth && banks) board.text(mouth.x + hex.w * 0.02, mouth.y - hex.h / 2 + 4, loire, 11, "st-loire", "middle");
  for (const space of spaces) {
    const zone = `area.${space.id}`;
    const isTown = guide.components.get(landIn(table, zone))?.kind === "town";
    const at = (component: string, nth: number) => standing(component, nth, space, hex, isTown);
    board.place(zone, space.x - hex.w / 2, space.y - hex.h / 2, hex.w, hex.h, hex.w * PIECE, { outline: "hex", at });
    const village = { x: space.x - hex.w * 0.23, y: space.y + hex.h * 0.3 };
    board.token(`${zone}.village`, 0, "built.village", hex.w * PIECE, (value) => (value ? village : undefined));
  }
  return board;
}

/** Return the position of a piece on a space: its tile above, settlers in the centre, buildings below. */
function standing(component: string, nth: number, { x, y }: Point, { w, h }: HexSize, isTown: boolean) {
  const [kind = "", seat = ""] = component.split(".");
  // In towns, where many may stand, each seat has a column; elsewhere they are centred.
  if (kind === "settler")
    return isTown
      ? { x: x + (Number(seat) - 2.5) * w * 0.2, y: y + h * (Math.min(nth * 0.21, 0.42) - 0.1) }
      : undefined;
  if (kind === "fortress") return { x: x + nth * 6, y: y + h * 0.31 };
  if (kind === "church") return { x: x + w * 0.24, y: y + h * 0.3 - nth * 6 };
  return { x: x - w * 0.13, y: y - h * 0.33 };
}

/** Return the number of a space, without the word. */
function number(name: string): string {
  return /\d.*$/.exec(name)?.[0] ?? name;
}
