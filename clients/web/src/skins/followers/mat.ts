/** A seat's mat: its stocks, market, bag and places. */
import type { KnownTable } from "@boardkeeper/client";
import { textWidth } from "../../stage/textWidth";
import type { Guide } from "../../table/guide";
import { Drawing } from "../kit";
import { CardFlow } from "./flow";
import type { Measures, Spaces } from "./places";

/** The layout of bag, market and stocks. */
export interface StripPlan {
  readonly bag: { readonly w: number; readonly size: number };
  readonly market: {
    /** Number of followers that fit. */
    readonly spaces: number;
    /** Height of a space, and its width unless the market has a fixed width. */
    readonly slot: number;
    readonly w?: number;
    /** Gap between a space and its piece. */
    readonly edge: number;
    /** Height of its name. */
    readonly title: number;
  };
  /** The seat's zones without `seat.N.`, the width of each, and a component with a short name for it. */
  readonly stocks: readonly (readonly [zone: string, w: number, caption?: string])[];
  /** Short names of zones. */
  readonly short?: Readonly<Record<string, string>>;
}

/** The parts of a mat that differ between titles. */
export interface MatPlan extends Measures {
  /** Zones beside market and bag, as in {@link StripPlan}. */
  readonly stocks: StripPlan["stocks"];
  /** Markers that are shown only while they have a value, without `seat.N.`, and their looks. */
  readonly dues: readonly (readonly [marker: string, glyph: string])[];
}

const PAD = 10;
const GAP = 4;
const HEAD = 34;
const SLOT = 33;

/** Return the layout for titles whose market never grows. */
function stripOf(guide: Guide, { stocks }: MatPlan): StripPlan {
  const spaces = Number(guide.components.get("market")?.values.spaces ?? 8);
  return { bag: { w: 138, size: 30 }, market: { spaces, slot: SLOT, edge: 2, title: 120 }, stocks };
}

/** Draw the mat of a seat. Zones and markers that the table does not have are left out. */
export function seatMat(guide: Guide, table: KnownTable, spaces: Spaces, seat: number, plan: MatPlan): Drawing {
  const own = (name: string) => `seat.${seat}.${name}`;
  const mat = new Drawing(own("mat"), guide.nameOf(seat), seat, plan.w, 0);
  head(mat, guide, table, seat, plan);
  let y = HEAD + 4;
  y = strip(mat, guide, table, seat, stripOf(guide, plan), y);
  y = new CardFlow(plan.w, plan.columns, y).cards(mat, guide, spaces.places(seat), (it) => spaces.of(seat, it)).bottom;
  const zone = own("place_tiles");
  if (table.zones.has(zone)) {
    const rows = new CardFlow(plan.w, plan.tileColumns, y);
    rows.cards(mat, guide, tilesOf(table, seat), (tile) => spaces.of(0, tile), { corner: true });
    mat.spot(rows.corners(zone, y));
    y = Math.max(rows.bottom, y + 18);
  }
  mat.h = y + PAD - GAP;
  return mat;
}

/** Return the place tiles of a seat, sorted. */
export function tilesOf(table: KnownTable, seat: number): string[] {
  return [...(table.zones.get(`seat.${seat}.place_tiles`)?.contents.keys() ?? [])].sort();
}

/** Return a string that changes with the owners of place tiles. */
export function ownership(table: KnownTable): string {
  const owned: string[] = [];
  for (let seat = 1; table.zones.has(`seat.${seat}.place_tiles`); seat++) owned.push(tilesOf(table, seat).join());
  return owned.join(";");
}

/** Draw the header of a mat: the seat's name, turn, coins and progress. */
export function head(mat: Drawing, guide: Guide, table: KnownTable, seat: number, plan: MatPlan): void {
  const { w } = plan;
  mat.rect(0, 0, w, HEAD - 4, `band seat-${seat}`, 10);
  mat.printed(18, 16, 22, `swatch.${seat}`, "clear");
  const isNarrow = w < 500;
  mat.text(34, 21, guide.nameOf(seat), 16, "title", "start", isNarrow ? 74 : 124);
  for (const [marker, glyph, x] of [
    ["start_seat", "start_player", isNarrow ? 120 : 172],
    ["acting_seat", "shape.hand", isNarrow ? 142 : 196],
  ] as const) {
    if (!table.markers.has(marker)) continue;
    mat.token(marker, 0, glyph, 20, (value) => (value === seat ? { x, y: 16 } : undefined));
  }
  const markerText = (name: string) => guide.marker(`seat.${seat}.${name}`).text;
  let right = w - 12;
  if (table.markers.has(`seat.${seat}.coins`)) {
    mat.readout(`seat.${seat}.coins`, right - 28, 22, 17, "coin.");
    right -= 52;
  }
  for (const name of ["passed", "planned"]) {
    const marker = `seat.${seat}.${name}`;
    if (!table.markers.has(marker)) continue;
    const text = markerText(name);
    const wide = textWidth(`○ ${text}`, isNarrow ? 12 : 13) + (isNarrow ? 4 : 8);
    mat.written(marker, right - wide, 21, isNarrow ? 12 : 13, (value) => `${value ? "●" : "○"} ${text}`);
    right -= wide + 2;
  }
  plan.dues.forEach(([name, glyph], index) => {
    const marker = `seat.${seat}.${name}`;
    if (!table.markers.has(marker)) return;
    const x = isNarrow ? 34 + index * 26 : 218 + index * 40;
    mat.written(marker, x, isNarrow ? 40 : 21, 14, (value) => (value ? `−${value}` : ""), { glyph });
  });
}

/** Draw bag, market and stocks, and return the height where they end. */
export function strip(mat: Drawing, guide: Guide, table: KnownTable, seat: number, plan: StripPlan, y: number): number {
  const { bag, market, stocks } = plan;
  const h = 2 * market.slot + 18;
  let x = PAD;
  const box = (name: string, left: number, top: number, w: number, high: number, size: number, caption?: string) => {
    const zone = `seat.${seat}.${name}`;
    if (!table.zones.has(zone)) return;
    const words = (caption && guide.text(caption)) || (plan.short?.[name] ?? guide.zone(zone).text);
    mat.text(left + 2, top + 10, words, 12.5, "faint", "start", w - 2);
    mat.place(zone, left, top + 14, w, high - 14, size, { show: "kinds", outline: "box" });
  };
  box("bag", x, y, bag.w, h, bag.size);
  x += bag.w + 6;
  const zone = `seat.${seat}.market`;
  if (table.zones.has(zone)) {
    const columns = Math.ceil(market.spaces / 2);
    const left = x;
    const step = market.w ? (market.w - 4) / columns : market.slot;
    const wide = columns * step + 4;
    const slot = (index: number) => ({
      x: left + 2 + (index % columns) * step + step / 2,
      y: y + 16 + Math.floor(index / columns) * market.slot + market.slot / 2,
    });
    mat.text(x + 2, y + 10, guide.zone(zone).text, 12.5, "faint", "start", market.title);
    mat.rect(x, y + 14, wide, h - 14, "box", 4);
    for (let at = 0; at < market.spaces; at++) mat.circle(slot(at).x, slot(at).y, step / 2 - market.edge, "hollow");
    const at = (_: string, __: number, index: number) => (index < market.spaces ? slot(index) : undefined);
    mat.place(zone, x, y + 14, wide, h - 14, step - 2 * market.edge, { outline: "none", at });
    x += wide + 6;
  }
  const low = h / 2;
  let first = x;
  let top = y;
  if (mat.w - x < 200) {
    // Continue below for lack of room.
    first = x = PAD;
    top += h + 4;
  }
  for (const [name, w, caption] of stocks) {
    if (!table.zones.has(`seat.${seat}.${name}`)) continue;
    if (x + w > mat.w - PAD + 1) {
      x = first;
      top += low;
    }
    box(name, x, top, w, low - 1, 26, caption);
    x += w + 4;
  }
  return Math.max(y + h, top + low - 1) + 6;
}
