/** A seat's mat: what it has, its green and bag, its secrets, and the places that it can use. */
import type { KnownTable } from "@boardkeeper/client";
import type { Scalar } from "../../stage/scene";
import type { Guide } from "../../table/guide";
import { head, type MatPlan } from "../followers/mat";
import { CARD_HEIGHT, type Measures, placeCard, type Spaces } from "../followers/places";
import { Drawing } from "../kit";
import { CardFlow } from "./flow";
import { signsOf } from "./says";

const PAD = 10;
const GAP = 4;
const SLOT = 35;
const BAG = 112;

/** How wide the green is: with more room on it, its spaces are closer. */
const WIDE_GREEN = 4 * SLOT + 4;

/** How many stand on the green, if no card makes it larger. */
const GREEN = 8;

/** Stocks beside the green, and how wide they are. */
const STOCKS: readonly (readonly [zone: string, w: number])[] = [
  ["goods", 150],
  ["drawn", 108],
  ["technology", 72],
  ["settlers", 62],
  ["fortresses", 68],
  ["on_tracks", 66],
];

/** What a seat owes or may still do, told only while there is any. */
const DUES: readonly (readonly [marker: string, glyph: string])[] = [
  ["fame_due", "shape.fame"],
  ["bonus_due", "shape.round"],
  ["trades", "shape.trade"],
  ["owed", "shape.goods"],
  ["debt", "shape.torture"],
  ["arrears", "coin."],
];

/** The mat of a seat. */
export function seatMat(guide: Guide, table: KnownTable, spaces: Spaces, seat: number, measures: Measures): Drawing {
  const { w, tileColumns } = measures;
  const mat = new Drawing(`seat.${seat}.mat`, guide.nameOf(seat), seat, w, 0);
  const plan: MatPlan = { ...measures, stocks: [], dues: [] };
  head(mat, guide, table, seat, plan);
  let y = facts(mat, guide, table, seat, 36);
  y = strip(mat, guide, table, seat, y);
  y = secrets(mat, guide, table, seat, y);
  const own = spaces.places(seat);
  const kindOf = (place: string) => guide.components.get(place)?.kind;
  const printed = new CardFlow(w, tileColumns, y);
  for (const place of own.filter((each) => kindOf(each) !== "base_place")) {
    const zones = spaces.of(seat, place);
    placeCard(mat, guide, place, zones, { ...printed.next(place, zones.length), signsOf });
  }
  y = printed.bottom + 2;
  const cards = new CardFlow(w, tileColumns, y);
  const owned = cardsOf(table, seat);
  for (const place of own.filter((each) => kindOf(each) === "base_place")) {
    const zones = spaces.of(seat, place);
    const at = cards.next(place, zones.length);
    placeCard(mat, guide, place, zones, { ...at, corner: true, signsOf });
    if (!owned.includes(place)) {
      mat.rect(at.x, at.y, at.w, CARD_HEIGHT, "st-locked", 5);
      mat.printed(at.x + at.w - 14, at.y + 13, 19, "shape.lock", "clear");
    }
  }
  const below = cards.bottom;
  for (const card of owned.filter((each) => kindOf(each) !== "base_place")) {
    const zones = spaces.of(0, card);
    placeCard(mat, guide, card, zones, { ...cards.next(card, zones.length), corner: true, signsOf });
  }
  mat.spot({ ...cards.corners(`seat.${seat}.base_places`, y), h: below - y - GAP });
  mat.spot({ ...cards.corners(`seat.${seat}.place_tiles`, below), ...(cards.bottom > below ? {} : { h: 14 }) });
  mat.h = Math.max(cards.bottom, below + 14) + PAD - GAP;
  return mat;
}

/** The place cards of a seat, in an order of their own. */
export function cardsOf(table: KnownTable, seat: number): string[] {
  return [...(table.zones.get(`seat.${seat}.place_tiles`)?.contents.keys() ?? [])].sort();
}

/** Fame, era and what else is counted; the height where it ends. */
function facts(mat: Drawing, guide: Guide, table: KnownTable, seat: number, y: number): number {
  const isNarrow = mat.w < 500;
  const own = (name: string) => `seat.${seat}.${name}`;
  const readout = (name: string, x: number, top: number, glyph: string, write?: (value: Scalar) => string) => {
    if (!table.markers.has(own(name))) return;
    mat.mark({
      kind: "readout",
      marker: own(name),
      x,
      y: top,
      size: 15,
      ...(glyph ? { glyph } : {}),
      ...(write ? { write } : {}),
    });
  };
  const some = (value: Scalar) => (value ? String(value) : "");
  const top = y + 15;
  readout("fame", PAD + 10, top, "shape.fame");
  readout("era", PAD + 56, top, "", (era) => (Number(era) > 0 ? guide.text(`era_${era}`) : ""));
  const x = isNarrow ? 190 : 200;
  readout("carried_out", x - 16, top, "", (value) => (value ? "✓" : ""));
  readout("citizens", x + 14, top, "citizen", some);
  readout("churches_built", x + 58, top, "church", some);
  readout("peace", x + 100, top, "shape.peace", (value) => (value ? "✓" : ""));
  readout("declares", x + 140, top, "shape.message", (value) => (value ? "!" : ""));
  const second = isNarrow ? top + 22 : top;
  DUES.forEach(([name, glyph], index) => {
    readout(name, (isNarrow ? PAD + 10 : 372) + index * (isNarrow ? 56 : 38), second, glyph, some);
  });
  return second + 9;
}

/** Bag, green and stocks. */
function strip(mat: Drawing, guide: Guide, table: KnownTable, seat: number, y: number): number {
  const h = 2 * SLOT + 18;
  const isNarrow = mat.w < 500;
  let x = PAD;
  const box = (name: string, left: number, top: number, w: number, high: number, size: number) => {
    const zone = `seat.${seat}.${name}`;
    if (!table.zones.has(zone)) return;
    mat.text(left + 2, top + 10, captionOf(guide, zone, name), 12.5, "faint", "start", w - 2);
    mat.spot({ zone, x: left, y: top + 14, w, h: high - 14, size, show: "kinds", outline: "box" });
  };
  box("bag", x, y, BAG, h, 31);
  x += BAG + 6;
  const zone = `seat.${seat}.market`;
  const count = greenOf(guide, table, seat);
  const columns = Math.ceil(count / 2);
  const left = x;
  const step = (WIDE_GREEN - 4) / columns;
  const slot = (index: number) => ({
    x: left + 2 + (index % columns) * step + step / 2,
    y: y + 16 + Math.floor(index / columns) * SLOT + SLOT / 2,
  });
  mat.text(x + 2, y + 10, guide.zone(zone).text, 12.5, "faint", "start", 130);
  mat.rect(x, y + 14, WIDE_GREEN, h - 14, "box", 4);
  for (let index = 0; index < count; index++) mat.circle(slot(index).x, slot(index).y, step / 2 - 1, "hollow");
  mat.spot({
    zone,
    x,
    y: y + 14,
    w: WIDE_GREEN,
    h: h - 14,
    size: step - 2,
    show: "each",
    outline: "none",
    at: (_, __, index) => (index < count ? slot(index) : undefined),
  });
  x += WIDE_GREEN + 6;
  const low = h / 2;
  let first = x;
  let top = y;
  if (isNarrow) {
    first = x = PAD;
    top += h + 4;
  }
  for (const [name, w] of STOCKS) {
    if (x + w > mat.w - PAD + 1) {
      x = first;
      top += low;
    }
    box(name, x, top, w, low - 1, 26);
    x += w + 4;
  }
  return Math.max(y + h, top + low - 1) + 6;
}

/** What a zone is called: in short where it has little room. */
function captionOf(guide: Guide, zone: string, name: string): string {
  return guide.words.stories.short[name] ?? guide.zone(zone).text;
}

/** How many followers have room on a seat's green. */
function greenOf(guide: Guide, table: KnownTable, seat: number): number {
  return cardsOf(table, seat).reduce(
    (sum, card) => sum + (Number(guide.components.get(card)?.values.green_spaces) || 0),
    GREEN,
  );
}

/** Nation and messages: backs for those who may not know them. */
function secrets(mat: Drawing, guide: Guide, table: KnownTable, seat: number, y: number): number {
  let x = PAD;
  let top = y;
  const low = 86;
  const zones = [
    ["nation", 104, 1, "nation"],
    ["message", 112, 1, "message"],
    ["dealt", 220, 2, "message"],
    ["returned", 126, 1, "message"],
  ] as const;
  if (!table.zones.has(`seat.${seat}.nation`)) return y;
  for (const [name, wide, many, drawn] of zones) {
    const zone = `seat.${seat}.${name}`;
    if (x + wide > mat.w - PAD + 1) {
      x = PAD;
      top += low + 4;
    }
    mat.text(x + 2, top + 10, captionOf(guide, zone, name), 12.5, "faint", "start", wide - 2);
    mat.spot({
      zone,
      x,
      y: top + 14,
      w: wide,
      h: low - 14,
      size: wide / many - 2,
      show: "each",
      outline: "box",
      as: (component) => (component === "?" ? `back.${drawn}` : component),
    });
    x += wide + 6;
  }
  return top + low + 6;
}
