/** What belongs to everybody: the hour glass and its event, goods, followers, technology and place tiles. */
import type { KnownTable } from "@boardkeeper/client";
import type { Guide } from "../../table/guide";
import { cards, cornersOf } from "../followers/mat";
import { BOARD_WIDTH, type Spaces } from "../followers/places";
import { Drawing, wrapped } from "../kit";

const W = BOARD_WIDTH;
const PAD = 10;

/** The rule that says what an event does; `*` stands for the letter of its tile. */
const SAYS: Readonly<Record<string, string>> = {
  pilgrimage: "orleans.monastery.not_during_pilgrimage",
  income: "orleans.income.strength_*",
  harvest: "orleans.harvest.strength_*",
  taxes: "orleans.taxes.strength_*",
  trading_day: "orleans.trading_day.strength_*",
  plague: "orleans.plague.lost",
};

/** The rule where tiles have no letters. */
const WITHOUT_LETTERS = "orleans.events.ungraded";

const LETTER = /^[A-C]$/;

/** The tile that lies open: what is printed of the event stays the same as long as this does. */
export function eventOf(table: KnownTable): string {
  return [...(table.zones.get("hour_glass.current")?.contents.keys() ?? [])][0] ?? "";
}

/** Hour glass and event, round and phase, goods market and supplies. */
export function supplyBoard(guide: Guide, table: KnownTable): Drawing {
  const board = new Drawing("supply", guide.zone("goods_market").text, 0, W, 0);
  const box = (zone: string, x: number, y: number, w: number, h: number, size: number, quiet = false) => {
    if (!table.zones.has(zone)) return;
    board.text(x + 2, y + 10, guide.zone(zone).text, 12, "faint", "start", w - 4);
    board.spot({ zone, x, y: y + 14, w, h: h - 14, size, show: "kinds", outline: quiet ? "none" : "box" });
  };
  event(board, guide, table);
  let y = 122;
  box("goods_market", PAD, y, 190, 50, 33);
  box("supply", PAD + 196, y, 250, 50, 33);
  box("technology", PAD + 452, y, 60, 50, 30);
  box("most_stations", PAD + 518, y, 62, 50, 30);
  y += 56;
  box("removed", PAD, y, 196, 38, 20, true);
  box("goods", PAD + 202, y, 60, 38, 20, true);
  box("box", PAD + 268, y, 312, 38, 20, true);
  board.h = y + 44;
  return board;
}

/** The event of the round, large, and what is left in the hour glass. */
function event(board: Drawing, guide: Guide, table: KnownTable): void {
  const wide = 352;
  board.rect(PAD, 8, wide, 108, "event", 6);
  board.spot({
    zone: "hour_glass.current",
    x: PAD + 8,
    y: 26,
    w: 62,
    h: 72,
    size: 60,
    show: "each",
    piled: true,
    outline: "none",
  });
  const tile = eventOf(table);
  const [name = "", letter = ""] = tile.split(".");
  const left = PAD + 80;
  board.mark({
    kind: "readout",
    marker: "round",
    x: left,
    y: 26,
    size: 12,
    write: (round) => `${guide.marker("round").text} ${round}`,
  });
  board.mark({ kind: "readout", marker: "phase", x: left + 84, y: 26, size: 13 });
  if (tile) {
    board.text(
      left,
      51,
      `${guide.text(tile)}${LETTER.test(letter) ? ` ${letter}` : ""}`,
      20,
      "title",
      "start",
      wide - 90,
    );
    wrapped(sayingOf(guide, name, letter), wide - 88, 13.5)
      .slice(0, 4)
      .forEach((line, at) => {
        board.text(left, 69 + at * 15, line, 13.5);
      });
  }
  const x = PAD + wide + 8;
  const piles = [...table.zones.keys()].filter((id) => id.startsWith("hour_glass.") && !id.endsWith(".current"));
  piles.forEach((zone, index) => {
    const isPast = zone.endsWith(".past");
    const y = 8 + index * (108 / piles.length);
    const high = 108 / piles.length - 2;
    board.text(x, y + high / 2 + 4, isPast ? "✓" : zone.slice("hour_glass.".length).slice(0, 1), 12, "faint");
    board.spot({
      zone,
      x: x + 16,
      y,
      w: W - PAD - x - 16,
      h: high,
      size: 19,
      show: "kinds",
      outline: isPast ? "none" : "slot",
    });
  });
}

function sayingOf(guide: Guide, name: string, letter: string): string {
  const said = SAYS[name];
  const id = said?.includes("*") && !LETTER.test(letter) ? WITHOUT_LETTERS : said?.replace("*", letter.toLowerCase());
  return guide.catalogue.rules.find((rule) => rule.id === id)?.text ?? "";
}

/** The place tiles that can be had, by category, as cards: what is owned lies on its seat's mat. */
export function tilesBoard(guide: Guide, table: KnownTable, spaces: Spaces): Drawing {
  const board = new Drawing("tiles", guide.zone("place_tiles.1").text, 0, W, 0);
  let y = 6;
  for (const category of ["1", "2"]) {
    const zone = `place_tiles.${category}`;
    const tiles = [...(table.zones.get(zone)?.contents.keys() ?? [])].sort();
    board.text(PAD, y + 14, `${guide.zone(zone).text}`, 13, "name");
    y += 20;
    const top = y;
    y = cards(
      board,
      guide,
      tiles.map((tile) => [tile, spaces.of(0, tile)] as const),
      { columns: 5 },
      y,
      true,
    );
    board.spot(cornersOf(zone, tiles, { columns: 5 }, top));
    y += 4;
  }
  board.h = y + 2;
  return board;
}
