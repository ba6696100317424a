/** A seat's mat: its stocks, green, bag, secret cards and places. */
import type { KnownTable } from "@boardkeeper/client";
import type { Scalar } from "../../stage/scene";
import type { Guide } from "../../table/guide";
import { CardFlow, type FlowPlan } from "../followers/flow";
import { head, strip, tilesOf } from "../followers/mat";
import { CARD_HEIGHT, type Measures, placeCard, type Spaces } from "../followers/places";
import { Drawing } from "../kit";
import { signsOf } from "./effectTexts";
import data from "./stories.json" with { type: "json" };

const PAD = 10;
const GAP = 4;

/** Cards with more than three spaces are two columns wide. */
export const FLOW: FlowPlan = { narrow: 3, size: 18, least: 16 };

/** Number of followers on the green, if no card extends it. */
const GREEN = 8;

/** Draw the mat of a seat. */
export function seatMat(guide: Guide, table: KnownTable, spaces: Spaces, seat: number, measures: Measures): Drawing {
  const { w, tileColumns } = measures;
  const mat = new Drawing(`seat.${seat}.mat`, guide.nameOf(seat), seat, w, 0);
  head(mat, guide, table, seat, { ...measures, stocks: [], dues: [] });
  let y = facts(mat, guide, table, seat, 36);
  const market = { spaces: greenOf(guide, table, seat), slot: 35, w: 144, edge: 1, title: 130 };
  const { short } = guide.words.stories;
  const stocks = data.mat.stocks.map(({ zone, w }) => [zone, w] as const);
  y = strip(mat, guide, table, seat, { bag: { w: 112, size: 31 }, market, stocks, short }, y);
  y = secrets(mat, guide, table, seat, y);
  const isBase = (place: string) => guide.components.get(place)?.kind === "base_place";
  const isOther = (place: string) => !isBase(place);
  const [places, owned] = [spaces.places(seat), tilesOf(table, seat)];
  const zonesOf = (place: string) => spaces.of(seat, place);
  const printed = new CardFlow(w, tileColumns, y, FLOW);
  y = printed.cards(mat, guide, places.filter(isOther), zonesOf, { signsOf }).bottom + 2;
  const cards = new CardFlow(w, tileColumns, y, FLOW);
  for (const place of places.filter(isBase)) {
    const at = cards.next(place, zonesOf(place).length);
    placeCard(mat, guide, place, zonesOf(place), { ...at, corner: true, signsOf });
    if (owned.includes(place)) continue;
    mat.rect(at.x, at.y, at.w, CARD_HEIGHT, "st-locked", 5);
    mat.printed(at.x + at.w - 14, at.y + 13, 19, "shape.lock", "clear");
  }
  const below = cards.bottom;
  cards.cards(mat, guide, owned.filter(isOther), (card) => spaces.of(0, card), { corner: true, signsOf });
  mat.spot({ ...cards.corners(`seat.${seat}.base_places`, y), h: below - y - GAP });
  mat.spot({ ...cards.corners(`seat.${seat}.place_tiles`, below), ...(cards.bottom > below ? {} : { h: 14 }) });
  mat.h = Math.max(cards.bottom, below + 14) + PAD - GAP;
  return mat;
}

/** Draw fame, era and other counters; return the height where they end. */
function facts(mat: Drawing, guide: Guide, table: KnownTable, seat: number, y: number): number {
  const isNarrow = mat.w < 500;
  const readout = (name: string, x: number, y: number, write?: (value: Scalar) => string, glyph = "") => {
    const marker = `seat.${seat}.${name}`;
    if (!table.markers.has(marker)) return;
    mat.mark({ kind: "readout", marker, x, y, size: 15, ...(glyph ? { glyph } : {}), ...(write ? { write } : {}) });
  };
  const some = (value: Scalar) => (value ? String(value) : "");
  const tick = (value: Scalar) => (value ? "✓" : "");
  const top = y + 15;
  readout("fame", PAD + 10, top, undefined, "shape.fame");
  readout("era", PAD + 56, top, (era) => (Number(era) > 0 ? guide.text(`era_${era}`) : ""));
  const x = isNarrow ? 190 : 200;
  readout("carried_out", x - 16, top, tick);
  readout("citizens", x + 14, top, some, "citizen");
  readout("churches_built", x + 58, top, some, "church");
  readout("peace", x + 100, top, tick, "shape.peace");
  readout("declares", x + 140, top, (value) => (value ? "!" : ""), "shape.message");
  const second = isNarrow ? top + 22 : top;
  data.mat.dues.forEach(({ marker, glyph }, index) => {
    readout(marker, (isNarrow ? PAD + 10 : 372) + index * (isNarrow ? 56 : 38), second, some, glyph);
  });
  return second + 9;
}

/** Return the number of followers that fit on a seat's green. */
function greenOf(guide: Guide, table: KnownTable, seat: number): number {
  return tilesOf(table, seat).reduce(
    (sum, card) => sum + (Number(guide.components.get(card)?.values.green_spaces) || 0),
    GREEN,
  );
}

/** Draw nation and messages; viewers who may not know them see backs. */
function secrets(mat: Drawing, guide: Guide, table: KnownTable, seat: number, y: number): number {
  let x = PAD;
  let top = y;
  const low = 86;
  if (!table.zones.has(`seat.${seat}.nation`)) return y;
  for (const { zone: name, w, cards, back } of data.mat.secrets) {
    const zone = `seat.${seat}.${name}`;
    if (x + w > mat.w - PAD + 1) {
      x = PAD;
      top += low + 4;
    }
    const words = guide.words.stories.short[name] ?? guide.zone(zone).text;
    mat.text(x + 2, top + 10, words, 12.5, "faint", "start", w - 2);
    const as = (component: string) => (component === "?" ? `back.${back}` : component);
    mat.place(zone, x, top + 14, w, low - 14, w / cards - 2, { outline: "box", as });
    x += w + 6;
  }
  return top + low + 6;
}
