/** A seat's mat: what it has, its market and bag, and the places that it can use. */
import type { KnownTable } from "@boardkeeper/client";
import type { Spot } from "../../stage/scene";
import type { Guide } from "../../table/guide";
import { Drawing } from "../kit";
import { BOARD_WIDTH, CARD_HEIGHT, placeCard, type Spaces } from "./places";

/** What a title has on its mats beside what all titles of the family have. */
export interface MatPlan {
  /** How many place cards stand in a row. */
  readonly columns: number;
  /** Zones of the seat's own that lie beside market and bag, without `seat.N.`, and how wide each is. */
  readonly stocks: readonly (readonly [zone: string, w: number])[];
  /** Markers that are told of only while they say something, without `seat.N.`. */
  readonly dues: readonly string[];
}

const PAD = 10;
const GAP = 4;
const HEAD = 34;
const SLOT = 33;

/** The mat of a seat. Nothing is drawn of zones and markers that the table has not got. */
export function seatMat(guide: Guide, table: KnownTable, spaces: Spaces, seat: number, plan: MatPlan): Drawing {
  const own = (name: string) => `seat.${seat}.${name}`;
  const mat = new Drawing(own("mat"), guide.nameOf(seat), seat, BOARD_WIDTH, 0);
  head(mat, guide, table, seat, plan);
  let y = HEAD + 4;
  y = strip(mat, guide, table, seat, plan, y);
  y = cards(
    mat,
    guide,
    spaces.places(seat).map((place) => [place, spaces.of(seat, place)] as const),
    plan,
    y,
    false,
  );
  const zone = own("place_tiles");
  if (table.zones.has(zone)) {
    const tiles = tilesOf(table, seat);
    const top = y;
    y = cards(
      mat,
      guide,
      tiles.map((tile) => [tile, spaces.of(0, tile)] as const),
      plan,
      y,
      true,
    );
    mat.spot(cornersOf(zone, tiles, plan, top));
  }
  mat.h = y + PAD - GAP;
  return mat;
}

/** The place tiles of a seat, in an order of their own. */
export function tilesOf(table: KnownTable, seat: number): string[] {
  return [...(table.zones.get(`seat.${seat}.place_tiles`)?.contents.keys() ?? [])].sort();
}

function head(mat: Drawing, guide: Guide, table: KnownTable, seat: number, plan: MatPlan): void {
  const w = BOARD_WIDTH;
  mat.rect(0, 0, w, HEAD - 4, `band seat-${seat}`, 10);
  mat.printed(18, 16, 22, `swatch.${seat}`, "clear");
  mat.text(34, 21, guide.nameOf(seat), 16, "title", "start", 150);
  for (const [marker, glyph, x] of [
    ["start_seat", "start_player", 200],
    ["acting_seat", "shape.hand", 224],
  ] as const) {
    if (!table.markers.has(marker)) continue;
    mat.mark({
      kind: "token",
      marker,
      seat: 0,
      glyph,
      size: 20,
      at: (value) => (value === seat ? { x, y: 16 } : undefined),
    });
  }
  const told = (name: string) => guide.marker(`seat.${seat}.${name}`).text;
  let right = w - 12;
  if (table.markers.has(`seat.${seat}.coins`)) {
    mat.mark({ kind: "readout", marker: `seat.${seat}.coins`, x: right - 30, y: 22, size: 17, glyph: "coin." });
    right -= 58;
  }
  for (const name of ["passed", "planned"]) {
    const marker = `seat.${seat}.${name}`;
    if (!table.markers.has(marker)) continue;
    const text = told(name);
    const wide = text.length * 6.5 + 22;
    mat.mark({
      kind: "readout",
      marker,
      x: right - wide,
      y: 21,
      size: 13,
      write: (value) => `${value ? "●" : "○"} ${text}`,
    });
    right -= wide + 4;
  }
  let due = 244;
  for (const name of plan.dues) {
    const marker = `seat.${seat}.${name}`;
    if (!table.markers.has(marker)) continue;
    const text = told(name);
    mat.mark({ kind: "readout", marker, x: due, y: 21, size: 12, write: (value) => (value ? `${text} ${value}` : "") });
    due += 8;
  }
}

/** Bag, market and stocks. */
function strip(mat: Drawing, guide: Guide, table: KnownTable, seat: number, plan: MatPlan, y: number): number {
  const h = 2 * SLOT + 18;
  let x = PAD;
  const box = (name: string, left: number, top: number, w: number, high: number, size: number) => {
    const zone = `seat.${seat}.${name}`;
    if (!table.zones.has(zone)) return;
    mat.text(left + 2, top + 10, guide.zone(zone).text, 12, "faint", "start", w - 4);
    mat.spot({ zone, x: left, y: top + 14, w, h: high - 14, size, show: "kinds", outline: "box" });
  };
  box("bag", x, y, 138, h, 30);
  x += 138 + 6;
  const zone = `seat.${seat}.market`;
  if (table.zones.has(zone)) {
    const count = Number(guide.components.get("market")?.values.spaces ?? 8);
    const columns = Math.ceil(count / 2);
    const left = x;
    const slot = (index: number) => ({
      x: left + 2 + (index % columns) * SLOT + SLOT / 2,
      y: y + 16 + Math.floor(index / columns) * SLOT + SLOT / 2,
    });
    mat.text(x + 2, y + 10, guide.zone(zone).text, 12, "faint", "start", 120);
    mat.rect(x, y + 14, columns * SLOT + 4, h - 14, "box", 4);
    for (let index = 0; index < count; index++) mat.circle(slot(index).x, slot(index).y, SLOT / 2 - 2, "hollow");
    mat.spot({
      zone,
      x,
      y: y + 14,
      w: columns * SLOT + 4,
      h: h - 14,
      size: SLOT - 4,
      show: "each",
      outline: "none",
      at: (_, __, index) => (index < count ? slot(index) : undefined),
    });
    x += columns * SLOT + 4 + 6;
  }
  const first = x;
  const low = h / 2;
  let top = y;
  for (const [name, w] of plan.stocks) {
    if (!table.zones.has(`seat.${seat}.${name}`)) continue;
    if (x + w > BOARD_WIDTH - PAD + 1) {
      x = first;
      top += low;
    }
    box(name, x, top, w, low - 1, 26);
    x += w + 4;
  }
  return y + h + 6;
}

/** Cards in rows; the height at which what comes next begins. */
export function cards(
  drawing: Drawing,
  guide: Guide,
  places: readonly (readonly [place: string, spaces: readonly string[]])[],
  plan: Pick<MatPlan, "columns">,
  y: number,
  corner: boolean,
): number {
  places.forEach(([place, spaces], index) => {
    placeCard(drawing, guide, place, spaces, { ...cardAt(index, plan.columns, y), corner });
  });
  return y + Math.ceil(places.length / plan.columns) * (CARD_HEIGHT + GAP);
}

/** Where the tiles of a zone lie whose cards stand in rows from `y` on: each in the corner of its own card. */
export function cornersOf(zone: string, tiles: readonly string[], plan: Pick<MatPlan, "columns">, y: number): Spot {
  const rows = Math.ceil(tiles.length / plan.columns);
  return {
    zone,
    x: PAD,
    y,
    w: BOARD_WIDTH - 2 * PAD,
    h: Math.max(rows * (CARD_HEIGHT + GAP) - GAP, 14),
    size: 17,
    show: "each",
    outline: "none",
    at: (tile) => {
      const index = tiles.indexOf(tile);
      if (index < 0) return undefined;
      const corner = cardAt(index, plan.columns, y);
      return { x: corner.x + 12, y: corner.y + 11 };
    },
  };
}

function cardAt(index: number, columns: number, y: number): { x: number; y: number; w: number } {
  const w = (BOARD_WIDTH - 2 * PAD - (columns - 1) * GAP) / columns;
  return { x: PAD + (index % columns) * (w + GAP), y: y + Math.floor(index / columns) * (CARD_HEIGHT + GAP), w };
}
