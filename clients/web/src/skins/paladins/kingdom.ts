/** What belongs to everybody: the six regions with the flags above the outsiders, and the board of the town and the court. */
import type { KnownTable } from "@boardkeeper/client";
import type { Board } from "../../stage/scene";
import type { Guide } from "../../table/guide";
import { along, Drawing, row } from "../kit";
import { numberIn, numbersIn, valuesOf, wordsIn } from "./facts";
import { gains, icon, printed, text } from "./tokens";

export const WIDTH = 460;
const LEFT = 9;
const STEP = 74;
const CARD = 72;
const SPACE = 34;

/** In which round an order or a favour comes, and what an order brings: printed where it lies. */
const ORDERS = [4, 6, 8];
const FIRST_FAVOUR = 3;
const ROUNDS = 7;

/** A pile of cards that shows its back. */
export function pile(
  drawing: Drawing,
  zone: string,
  kind: string,
  x: number,
  y: number,
  w: number,
  aspect = 1.4,
): void {
  const h = w * aspect;
  drawing.spot({ zone, x, y, w, h, size: w, show: "count", outline: "card", as: () => `back:${kind}` });
}

/** A place for a card that lies open. */
export function card(drawing: Drawing, zone: string, x: number, y: number, w: number, aspect = 1.4): void {
  drawing.spot({ zone, x, y, w, h: w * aspect, size: w, show: "each", outline: "card" });
}

/** The regions and the outsiders, who share the flags between them. */
export function regions(guide: Guide, table: KnownTable): Board {
  const columns = [1, 2, 3, 4, 5, 6].map((region) => spacesOf(guide, table, region));
  const rows = Math.max(...columns.map((spaces) => Math.ceil(spaces.length / 2)));
  const bottom = 42 + rows * (SPACE + 1) + 8;
  const drawing = new Drawing("regions", guide.text("game_board"), 0, WIDTH, bottom + 28 + CARD * 1.4 + 5);
  drawing.text(12, 28, guide.text("game_board"), 17, "pal-head");
  roundTrack(drawing);
  const flags = valuesOf(guide, "columns");
  const faith = numbersIn(flags, "faith");
  const strength = numbersIn(flags, "strength");
  columns.forEach((spaces, index) => {
    const x = LEFT + index * STEP;
    const high = Math.ceil(spaces.length / 2) * (SPACE + 1) + 8;
    drawing.rect(x, bottom - high, CARD, high, "pal-land", 9);
    spaces.forEach((id, at) => {
      const last = at === spaces.length - 1 && spaces.length % 2 === 1;
      space(
        drawing,
        guide,
        id,
        x + 1.5 + (last ? 17.5 : (at % 2) * 35),
        bottom - high + 4 + Math.floor(at / 2) * (SPACE + 1),
      );
    });
    drawing.decor.push(
      printed("faith", x + 8, bottom + 14, 17),
      text(x + 17, bottom + 18.5, String(faith[index] ?? ""), 13, "title", "start"),
      printed("strength", x + 46, bottom + 14, 17),
      text(x + 55, bottom + 18.5, String(strength[index] ?? ""), 13, "title", "start"),
    );
    card(drawing, `outsiders.${index + 1}`, x, bottom + 28, CARD);
  });
  return drawing.done();
}

function spacesOf(guide: Guide, table: KnownTable, region: number): string[] {
  return [...table.zones.keys()]
    .filter((id) => id.startsWith("space."))
    .map((id) => id.slice(6))
    .filter((id) => numberIn(valuesOf(guide, id), "region") === region);
}

/** A space of a region with what it gives. */
function space(drawing: Drawing, guide: Guide, id: string, x: number, y: number): void {
  drawing.rect(x, y, SPACE, SPACE, "pal-cell", 8);
  const words = wordsIn(valuesOf(guide, id), "gain");
  const middle = SPACE / 2;
  drawing.decor.push(...gains(words, x + middle, y + middle, words.length > 1 ? 17 : 23, SPACE - 3));
  drawing.spot({ zone: `space.${id}`, x, y, w: SPACE, h: SPACE, size: SPACE, show: "each" });
}

function roundTrack(drawing: Drawing): void {
  const points = row(ROUNDS, WIDTH - LEFT - 12 - (ROUNDS - 1) * 25, 24, 25);
  points.forEach(({ x, y }, index) => {
    drawing.circle(x, y, 10, "pal-cell");
    drawing.text(x, y + 4, String(index + 1), 11, "", "middle");
  });
  drawing.mark({ kind: "token", marker: "round", seat: 0, glyph: "icon:ring", size: 24, at: along(points, 1) });
}

/** Townsfolk, orders, favours, the tavern, what is taken from, and what goes on now. */
export function town(guide: Guide, table: KnownTable, seats: number): Board {
  const drawing = new Drawing("town", guide.text("townsfolk_row"), 0, WIDTH, 404);
  drawing.text(12, 22, guide.text("townsfolk_row"), 14, "pal-head");
  townsfolkRow(drawing, guide);
  court(drawing, 160);
  drawing.rect(LEFT, 251, 250, 66, "box", 6);
  drawing.spot({ zone: "tavern", x: LEFT + 2, y: 252, w: 246, h: 64, size: 50, show: "each" });
  pile(drawing, "tavern.deck", "tavern", 264, 254, 34, 1.25);
  pile(drawing, "tavern.discard", "tavern", 300, 254, 34, 1.25);
  pile(drawing, "walls", "wall", 340, 254, 34);
  pile(drawing, "suspicion.deck", "suspicion", 380, 254, 34, 1.25);
  pile(drawing, "suspicion.discard", "suspicion", 416, 254, 34, 1.25);
  stores(drawing, guide, table, seats);
  now(drawing, guide, table);
  return drawing.done();
}

function townsfolkRow(drawing: Drawing, guide: Guide): void {
  const prices = valuesOf(guide, "townsfolk_row");
  const silver = numbersIn(prices, "silver");
  const debt = Array.isArray(prices.debt) ? prices.debt : [];
  for (let at = 0; at < 5; at++) {
    const x = LEFT + at * STEP;
    card(drawing, `townsfolk.${at + 1}`, x, 29, CARD);
    const middle = x + CARD / 2 - (debt[at] ? 16 : 0);
    drawing.decor.push(
      text(middle - 8, 145, String(silver[at] ?? ""), 13, "title"),
      printed("silver", middle + 8, 140.5, 15),
    );
    if (debt[at]) {
      drawing.decor.push(text(middle + 22, 145, "/", 13, "faint"), icon("debt", middle + 36, 140.5, 16));
    }
  }
  const x = LEFT + 5 * STEP + 1;
  pile(drawing, "townsfolk.deck", "townsfolk", x, 29, 34);
  pile(drawing, "townsfolk.discard", "townsfolk", x + 37, 29, 34);
  pile(drawing, "outsiders.deck", "outsider", x, 82, 34);
  pile(drawing, "outsiders.discard", "outsider", x + 37, 82, 34);
}

/** The king's orders, with their points, and his favours, each where its round is. */
function court(drawing: Drawing, y: number): void {
  const w = 54;
  for (let at = 0; at < ORDERS.length; at++) {
    const x = LEFT + at * 55;
    drawing.decor.push(
      text(x + 16, y + 6, String(at + 1), 12, "faint"),
      icon("points", x + 38, y + 1, 18),
      text(x + 38, y + 5, String(ORDERS[at]), 10.5, "pal-light title"),
      icon("order", x + w / 2, y + 10 + w * 0.7, 26, "var(--line)"),
    );
    card(drawing, `order.${at + 1}`, x, y + 10, w);
  }
  for (let at = 0; at < 5; at++) {
    const x = LEFT + 4 + (ORDERS.length + at) * 55;
    drawing.decor.push(
      text(x + w / 2, y + 6, String(FIRST_FAVOUR + at), 12, "faint"),
      icon("favour", x + w / 2, y + 10 + w * 0.7, 26, "var(--line)"),
    );
    card(drawing, `favour.${at + 1}`, x, y + 10, w);
    const side = 28;
    drawing.spot({
      zone: `favour.${at + 1}.worker`,
      x: x + w / 2 - side / 2,
      y: y + 10 + 0.54 * w - side / 2,
      w: side,
      h: side,
      size: side,
      show: "each",
      outline: "none",
      quiet: true,
    });
  }
}

/** What everybody takes from, and who sits where: who began the round, and who acts. */
function stores(drawing: Drawing, guide: Guide, table: KnownTable, seats: number): void {
  const y = 322;
  drawing.rect(LEFT, y, 176, 34, "box", 6);
  drawing.spot({ zone: "supply", x: LEFT + 2, y, w: 172, h: 34, size: 28, show: "kinds" });
  drawing.spot({ zone: "debts", x: 190, y, w: 34, h: 34, size: 27, show: "count", as: () => "debt:unpaid" });
  const people = [...table.zones.keys()].filter((id) => id.endsWith(".hand")).length;
  const full = numberIn(valuesOf(guide, "tax"), String(people));
  drawing.decor.push(icon("tax", 246, y + 16, 22));
  drawing.mark({
    kind: "readout",
    marker: "tax",
    x: 262,
    y: y + 22,
    size: 16,
    write: (value) => (full > 0 ? `${value} / ${full}` : String(value)),
  });
  const points = row(seats, WIDTH - LEFT - 14 - (seats - 1) * 34, y + 17, 34);
  points.forEach(({ x, y }, index) => {
    drawing.decor.push({ kind: "glyph", x, y, size: 24, glyph: `seat:${index + 1}`, role: "clear" });
  });
  const beside = points.map(({ x, y }) => ({ x: x + 10, y: y - 11 }));
  const around = points;
  drawing.mark({ kind: "token", marker: "acting_seat", seat: 0, glyph: "icon:ring", size: 31, at: along(around, 1) });
  drawing.mark({ kind: "token", marker: "start_seat", seat: 0, glyph: "icon:start", size: 14, at: along(beside, 1) });
}

/** The phase, what is being done, and what is still due to whoever acts; nothing of what is not. */
function now(drawing: Drawing, guide: Guide, table: KnownTable): void {
  const y = 372;
  const word = (marker: string, x: number, glyph?: string) => {
    const write = (value: number | string) => (value === "" ? "" : guide.value(marker, value));
    drawing.mark({ kind: "readout", marker, x, y, size: 12, write, ...(glyph ? { glyph } : {}) });
  };
  word("phase", 12);
  word("action", 150);
  word("inquisition", 336, "icon:inquisition");
  const write = (value: number | string) => (value === 0 ? "" : `× ${value}`);
  drawing.mark({ kind: "readout", marker: "action_workers", x: 286, y, size: 12, glyph: "token:any", write });
  dues(drawing, table, "due.", LEFT, y + 18, WIDTH - 2 * LEFT);
}

/** What is due, as far as something is. */
export function dues(drawing: Drawing, table: KnownTable, prefix: string, x: number, y: number, w: number): void {
  const all = [...table.markers.keys()].filter((id) => id.startsWith(prefix));
  const step = w / Math.max(all.length, 1);
  all.forEach((marker, index) => {
    const at = { x: x + (index + 0.5) * step, y };
    drawing.mark({
      kind: "token",
      marker,
      seat: 0,
      glyph: `due:${marker.slice(prefix.length)}`,
      size: 25,
      at: (value) => (typeof value === "number" && value > 0 ? at : undefined),
    });
    drawing.mark({
      kind: "readout",
      marker,
      x: at.x + 10,
      y: at.y + 11,
      size: 10,
      anchor: "middle",
      write: (value) => (typeof value === "number" && value > 1 ? String(value) : ""),
    });
  });
}
