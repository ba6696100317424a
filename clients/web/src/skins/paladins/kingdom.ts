/** Shared boards: the six regions with the flags above the outsiders, and the board of town and court. */
import type { KnownTable } from "@boardkeeper/client";
import type { Board, Scalar } from "../../stage/scene";
import type { Guide } from "../../table/guide";
import { text } from "../faces";
import { numberIn, numbersIn, valuesOf, wordsIn } from "../facts";
import { along, Drawing, dues, row } from "../kit";
import { looks } from "./looks";
import data from "./paladins.json" with { type: "json" };

export const WIDTH = 460;
const LEFT = 9;
const STEP = 74;
const CARD = 72;
const SPACE = 34;

/** Draw the regions and the outsiders, with the flags between them. */
export function regions(guide: Guide, table: KnownTable): Board {
  const columns = [1, 2, 3, 4, 5, 6].map((region) => spacesOf(guide, table, region));
  const rows = Math.max(...columns.map((spaces) => Math.ceil(spaces.length / 2)));
  const bottom = 42 + rows * (SPACE + 1) + 8;
  const drawing = new Drawing("regions", guide.text("game_board"), 0, WIDTH, bottom + 28 + CARD * 1.4 + 5);
  drawing.text(12, 28, guide.text("game_board"), 17, "pal-head");
  roundTrack(drawing);
  const flags = valuesOf(guide, "columns");
  columns.forEach((spaces, index) => {
    const x = LEFT + index * STEP;
    const high = Math.ceil(spaces.length / 2) * (SPACE + 1) + 8;
    drawing.rect(x, bottom - high, CARD, high, "pal-land", 9);
    spaces.forEach((id, at) => {
      const last = at === spaces.length - 1 && spaces.length % 2 === 1;
      const left = x + 1.5 + (last ? 17.5 : (at % 2) * 35);
      space(drawing, guide, id, left, bottom - high + 4 + Math.floor(at / 2) * (SPACE + 1));
    });
    for (const [flag, left] of [
      ["faith", x + 8],
      ["strength", x + 46],
    ] as const) {
      const needed = String(numbersIn(flags, flag)[index] ?? "");
      drawing.print(looks.printed(flag, left, bottom + 14, 17));
      drawing.print(text(left + 9, bottom + 18.5, needed, 13, "title", "start"));
    }
    drawing.card(`outsiders.${index + 1}`, x, bottom + 28, CARD);
  });
  return drawing.done();
}

function spacesOf(guide: Guide, table: KnownTable, region: number): string[] {
  return [...table.zones.keys()]
    .filter((id) => id.startsWith("space."))
    .map((id) => id.slice(6))
    .filter((id) => numberIn(valuesOf(guide, id), "region") === region);
}

/** Draw a space of a region with its reward. */
function space(drawing: Drawing, guide: Guide, id: string, x: number, y: number): void {
  drawing.rect(x, y, SPACE, SPACE, "pal-cell", 8);
  const words = wordsIn(valuesOf(guide, id), "gain");
  const middle = SPACE / 2;
  drawing.print(...looks.gains(words, x + middle, y + middle, words.length > 1 ? 17 : 23, SPACE - 3));
  drawing.place(`space.${id}`, x, y, SPACE, SPACE, SPACE);
}

function roundTrack(drawing: Drawing): void {
  const { rounds } = data.board;
  const points = row(rounds, WIDTH - LEFT - 12 - (rounds - 1) * 25, 24, 25);
  points.forEach(({ x, y }, index) => {
    drawing.circle(x, y, 10, "pal-cell").text(x, y + 4, String(index + 1), 11, "", "middle");
  });
  drawing.token("round", 0, "icon:ring", 24, along(points, 1));
}

/** Draw townsfolk, orders, favours, tavern, supplies and the current phase. */
export function town(guide: Guide, table: KnownTable, seats: number): Board {
  const drawing = new Drawing("town", guide.text("townsfolk_row"), 0, WIDTH, 404);
  drawing.text(12, 22, guide.text("townsfolk_row"), 14, "pal-head");
  townsfolkRow(drawing, guide);
  court(drawing, 160);
  drawing.rect(LEFT, 251, 250, 66, "box", 6).place("tavern", LEFT + 2, 252, 246, 64, 50);
  piles(drawing, data.board.town_piles);
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
    drawing.card(`townsfolk.${at + 1}`, x, 29, CARD);
    const middle = x + CARD / 2 - (debt[at] ? 16 : 0);
    drawing.print(text(middle - 8, 145, String(silver[at] ?? ""), 13, "title"));
    drawing.print(looks.printed("silver", middle + 8, 140.5, 15));
    if (debt[at]) drawing.print(text(middle + 22, 145, "/", 13, "faint"), looks.icon("debt", middle + 36, 140.5, 16));
  }
  piles(drawing, data.board.row_piles);
}

function piles(drawing: Drawing, all: typeof data.board.town_piles): void {
  for (const { zone, back, x, y, aspect } of all) drawing.pile(zone, `back:${back}`, x, y, 34, aspect);
}

/** Draw the king's orders with their points and his favours, by round. */
function court(drawing: Drawing, y: number): void {
  const w = 54;
  const { orders, first_favour } = data.board;
  orders.forEach((points, at) => {
    const x = LEFT + at * 55;
    drawing.print(
      text(x + 16, y + 6, String(at + 1), 12, "faint"),
      looks.icon("points", x + 38, y + 1, 18),
      text(x + 38, y + 5, String(points), 10.5, "pal-light title"),
      looks.icon("order", x + w / 2, y + 10 + w * 0.7, 26, "var(--line)"),
    );
    drawing.card(`order.${at + 1}`, x, y + 10, w);
  });
  for (let at = 0; at < 5; at++) {
    const x = LEFT + 4 + (orders.length + at) * 55;
    const middle = x + w / 2;
    drawing.print(text(middle, y + 6, String(first_favour + at), 12, "faint"));
    drawing.print(looks.icon("favour", middle, y + 10 + w * 0.7, 26, "var(--line)"));
    drawing.card(`favour.${at + 1}`, x, y + 10, w);
    const worker = `favour.${at + 1}.worker`;
    drawing.place(worker, middle - 14, y + 10 + 0.54 * w - 14, 28, 28, 28, { outline: "none", quiet: true });
  }
}

/** Draw the supplies, and the seats with the first player and the active one. */
function stores(drawing: Drawing, guide: Guide, table: KnownTable, seats: number): void {
  const y = 322;
  drawing.rect(LEFT, y, 176, 34, "box", 6).place("supply", LEFT + 2, y, 172, 34, 28, { show: "kinds" });
  drawing.place("debts", 190, y, 34, 34, 27, { show: "count", as: () => "debt:unpaid" });
  const people = [...table.zones.keys()].filter((id) => id.endsWith(".hand")).length;
  const full = numberIn(valuesOf(guide, "tax"), String(people));
  drawing.print(looks.icon("tax", 246, y + 16, 22));
  drawing.written("tax", 262, y + 22, 16, (value) => (full > 0 ? `${value} / ${full}` : String(value)));
  const points = row(seats, WIDTH - LEFT - 14 - (seats - 1) * 34, y + 17, 34);
  points.forEach(({ x, y }, index) => {
    drawing.printed(x, y, 24, `seat:${index + 1}`, "clear");
  });
  const beside = points.map(({ x, y }) => ({ x: x + 10, y: y - 11 }));
  drawing.token("acting_seat", 0, "icon:ring", 31, along(points, 1));
  drawing.token("start_seat", 0, "icon:start", 14, along(beside, 1));
}

/** Draw the phase, the current action and pending rewards, each only if present. */
function now(drawing: Drawing, guide: Guide, table: KnownTable): void {
  const y = 372;
  const word = (marker: string) => (value: Scalar) => (value === "" ? "" : guide.value(marker, value));
  drawing.written("phase", 12, y, 12, word("phase")).written("action", 150, y, 12, word("action"));
  drawing.written("inquisition", 336, y, 12, word("inquisition"), { glyph: "icon:inquisition" });
  const workers = (value: Scalar) => (value === 0 ? "" : `× ${value}`);
  drawing.written("action_workers", 286, y, 12, workers, { glyph: "token:any" });
  dues(drawing, table, "due.", LEFT, y + 18, WIDTH - 2 * LEFT);
}
