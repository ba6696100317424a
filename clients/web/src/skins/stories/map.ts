/** The map: hexagons of land with all that stands on them, and the Loire between north and south. */
import type { KnownTable } from "@boardkeeper/client";
import type { Point, Spot } from "../../stage/scene";
import type { Guide } from "../../table/guide";
import { Drawing } from "../kit";

const PAD = 12;

/** The side of what stands on a space, by how wide that is. */
const PIECE = 0.275;

interface Space extends Point {
  readonly id: string;
  readonly side: string;
}

/** What stands on land, and is none. */
const STANDING = /^(settler\.\d|fortress\.\d|church)$/;

/** What tile lies on each space: what is printed of the map stays the same as long as this does. */
export function landOf(table: KnownTable): string {
  return [...table.zones.values()]
    .filter(({ id }) => id.startsWith("area."))
    .map(({ id }) => landIn(table, id))
    .join();
}

function landIn(table: KnownTable, zone: string): string {
  return [...(table.zones.get(zone)?.contents.keys() ?? [])].find((each) => !STANDING.test(each)) ?? "";
}

/** The map with everything that stands on it. */
export function mapBoard(guide: Guide, table: KnownTable, w: number): Drawing {
  const known = (guide.map?.towns ?? []).filter(({ component }) => table.zones.has(`area.${component}`));
  const least = (of: (each: { x: number; y: number }) => number) => Math.min(...known.map(of));
  const most = (of: (each: { x: number; y: number }) => number) => Math.max(...known.map(of));
  const size = known[0]?.size ?? 0.18;
  const wide = w - 2 * PAD;
  const unit = wide / (most(({ x }) => x) - least(({ x }) => x) + size); // of the width of the whole map
  const hex = { w: size * unit, h: (size * unit * Math.sqrt(3)) / 2 };
  const aspect = guide.map?.aspect || 1;
  const top = 34;
  const spaces: Space[] = known.map(({ component, x, y }) => ({
    id: component,
    x: PAD + (x - least(({ x }) => x)) * unit + hex.w / 2,
    y: top + ((y - least(({ y }) => y)) * unit) / aspect + hex.h / 2,
    side: String(guide.components.get(component)?.values.side ?? ""),
  }));
  const board = new Drawing(
    "map",
    guide.text("game_board"),
    0,
    w,
    Math.max(...spaces.map(({ y }) => y)) + hex.h / 2 + PAD,
  );
  board.rect(4, 4, w - 8, board.h - 8, "st-sea", 8);
  const { north, south, loire } = guide.words.stories;
  board.text(w / 2, 23, guide.text("game_board"), 15, "title", "middle");
  board.text(14, 23, `▲ ${north}`, 13, "faint");
  board.text(w - 14, 23, `▼ ${south}`, 13, "faint", "end");
  for (const space of spaces) {
    const land = landIn(table, `area.${space.id}`) || "none";
    const corner = { x: space.x - hex.w / 2 + 1.5, y: space.y - hex.h / 2 + 1.3 };
    board.path(outline(corner.x, corner.y, hex.w - 3, hex.h - 2.6), `st-land st-${land}`);
    board.text(
      space.x + hex.w * 0.2,
      space.y - hex.h / 2 + 14,
      number(guide.text(space.id)),
      10.5,
      "st-number",
      "middle",
    );
  }
  const banks = river(spaces, hex);
  board.path(banks, "st-bank").path(banks, "st-river");
  const mouth = spaces
    .filter(({ side }) => side === "south")
    .sort((one, other) => one.x - other.x || one.y - other.y)[0];
  if (mouth && banks) board.text(mouth.x + hex.w * 0.02, mouth.y - hex.h / 2 + 4, loire, 11, "st-loire", "middle");
  for (const space of spaces) {
    board.spot(standing(space, hex, guide.components.get(landIn(table, `area.${space.id}`))?.kind === "town"));
    flag(board, `area.${space.id}.village`, hex.w * PIECE, { x: space.x - hex.w * 0.23, y: space.y + hex.h * 0.3 });
  }
  return board;
}

/** What stands on a space: its tile above, settlers in the middle, and below what was built. */
function standing({ id, x, y }: Point & { id: string }, hex: { w: number; h: number }, isTown: boolean): Spot {
  return {
    zone: `area.${id}`,
    x: x - hex.w / 2,
    y: y - hex.h / 2,
    w: hex.w,
    h: hex.h,
    size: hex.w * PIECE,
    show: "each",
    outline: "hex",
    at: (component, nth) => {
      const [kind = "", seat = ""] = component.split(".");
      // In towns each seat has a column, as many may stand there; elsewhere they stand in the middle.
      if (kind === "settler")
        return isTown
          ? { x: x + (Number(seat) - 2.5) * hex.w * 0.2, y: y + hex.h * (Math.min(nth * 0.21, 0.42) - 0.1) }
          : undefined;
      if (kind === "fortress") return { x: x + nth * 6, y: y + hex.h * 0.31 };
      if (kind === "church") return { x: x + hex.w * 0.24, y: y + hex.h * 0.3 - nth * 6 };
      return { x: x - hex.w * 0.13, y: y - hex.h * 0.33 };
    },
  };
}

function flag(board: Drawing, marker: string, size: number, at: Point): void {
  board.mark({
    kind: "token",
    marker,
    seat: 0,
    glyph: "built.village",
    size,
    at: (value) => (value ? at : undefined),
  });
}

function outline(x: number, y: number, w: number, h: number): string {
  return `M${x + w / 4} ${y}h${w / 2}l${w / 4} ${h / 2}l${-w / 4} ${h / 2}h${-w / 2}l${-w / 4} ${-h / 2}Z`;
}

/** The number of a space, without the word for it. */
function number(name: string): string {
  return /\d.*$/.exec(name)?.[0] ?? name;
}

/** All sides that a space in the north has in common with one in the south, joined from west to east. */
function river(spaces: readonly Space[], { w, h }: { w: number; h: number }): string {
  const sides: (readonly [Point, Point])[] = [];
  for (const one of spaces) {
    if (one.side !== "north") continue;
    for (const other of spaces) {
      if (other.side !== "south") continue;
      const across = other.x - one.x;
      const down = other.y - one.y;
      if (Math.abs(across) > w * 0.8 || Math.abs(down) > h * 1.1) continue;
      const middle = { x: (one.x + other.x) / 2, y: (one.y + other.y) / 2 };
      // Along the side: at right angles to the way from middle to middle, as long as a side is.
      const far = Math.hypot(across, down) || 1;
      const along = { x: (-down / far) * (w / 4), y: (across / far) * (w / 4) };
      const ends = [
        { x: middle.x + along.x, y: middle.y + along.y },
        { x: middle.x - along.x, y: middle.y - along.y },
      ].sort((a, b) => a.x - b.x);
      sides.push([ends[0] as Point, ends[1] as Point]);
    }
  }
  return sides
    .map(([from, to]) => `M${from.x.toFixed(1)} ${from.y.toFixed(1)}L${to.x.toFixed(1)} ${to.y.toFixed(1)}`)
    .join("");
}
