/** What belongs to everybody: the hour glass and its event, goods, followers, technology and place tiles. */
import type { KnownTable } from "@boardkeeper/client";
import type { Guide } from "../../table/guide";
import { cards, cornersOf } from "../followers/mat";
import type { Measures, Spaces } from "../followers/places";
import { Drawing, wrapped } from "../kit";

const PAD = 10;
const HIGH = 108;

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

/** How the ids of the hour glass begin. */
const HOUR_GLASS = "hour_glass.";

const LETTER = /^[A-C]$/;

/** The tile that lies open: what is printed of the event stays the same as long as this does. */
export function eventOf(table: KnownTable): string {
  return [...(table.zones.get("hour_glass.current")?.contents.keys() ?? [])][0] ?? "";
}

/** Hour glass and event, round and phase, goods market and supplies. */
export function supplyBoard(guide: Guide, table: KnownTable, w: number): Drawing {
  const board = new Drawing("supply", guide.zone("goods_market").text, 0, w, 0);
  let x = PAD;
  let y = event(board, guide, table) + 6;
  /** Boxes side by side, in the next row where there is no room. */
  const box = (zone: string, wide: number, size: number, caption = "") => {
    if (!table.zones.has(zone)) return;
    const high = size + 18;
    if (x + wide > w - PAD + 1) {
      x = PAD;
      y += size < 25 ? 42 : 56;
    }
    board.text(x + 2, y + 10, caption ? guide.text(caption) : guide.zone(zone).text, 12.5, "faint", "start", wide - 4);
    const outline = size < 25 ? "none" : "box";
    board.spot({ zone, x, y: y + 14, w: wide, h: high - 14 + 4, size, show: "kinds", outline });
    x += wide + 6;
  };
  box("goods_market", 190, 33);
  box("technology", 62, 33, "technology");
  board.printed(x + 51, y + 6, 15, "shape.station", "clear");
  box("most_stations", 60, 33, "citizen");
  box("supply", 250, 33);
  x = PAD;
  y += 58;
  box("goods", 110, 20);
  box("removed", 186, 20);
  box("box", 270, 20);
  board.h = y + 46;
  return board;
}

/** The event of the round, large, and what is left in the hour glass, beside it or below; the height where it ends. */
function event(board: Drawing, guide: Guide, table: KnownTable): number {
  const isNarrow = board.w < 500;
  const wide = isNarrow ? board.w - 2 * PAD : 352;
  board.rect(PAD, 8, wide, HIGH, "event", 6);
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
  board.mark({
    kind: "readout",
    marker: "action_place",
    x: left + 190,
    y: 26,
    size: 13,
    write: (place) => (place ? `› ${guide.text(String(place))}` : ""),
  });
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
    wrapped(sayingOf(guide, name, letter), wide - 88, 14)
      .slice(0, 4)
      .forEach((line, at) => {
        board.text(left, 70 + at * 15.5, line, 14);
      });
  }
  const x = isNarrow ? PAD : PAD + wide + 8;
  const top = isNarrow ? HIGH + 14 : 8;
  const piles = [...table.zones.keys()].filter((id) => guide.zone(id).kind === "deck" && id.startsWith(HOUR_GLASS));
  const step = Math.max(HIGH / (piles.length + 1), 21);
  [...piles, `${HOUR_GLASS}past`].forEach((zone, index) => {
    const y = top + index * step;
    const pile = zone.slice(HOUR_GLASS.length);
    const name = guide.marker("strength").words.get(pile) ?? guide.zone(zone).text;
    const room = isNarrow ? 120 : 92;
    board.text(x, y + step / 2 + 4, name, 12.5, "faint", "start", room - 4);
    board.spot({
      zone,
      x: x + room,
      y,
      w: board.w - PAD - x - room,
      h: step - 3,
      size: 19,
      show: "kinds",
      outline: pile === "past" ? "none" : "slot",
    });
  });
  return top + Math.max(HIGH, (piles.length + 1) * step);
}

function sayingOf(guide: Guide, name: string, letter: string): string {
  const said = SAYS[name];
  const id = said?.includes("*") && !LETTER.test(letter) ? WITHOUT_LETTERS : said?.replace("*", letter.toLowerCase());
  return guide.catalogue.rules.find((rule) => rule.id === id)?.text ?? "";
}

/** The place tiles that can be had, by category, as cards: what is owned lies on its seat's mat. */
export function tilesBoard(guide: Guide, table: KnownTable, spaces: Spaces, { w, tileColumns }: Measures): Drawing {
  const board = new Drawing("tiles", guide.zone("place_tiles.1").text, 0, w, 0);
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
      tileColumns,
      y,
      true,
    );
    y = Math.max(y, top + 18);
    board.spot(cornersOf(zone, tiles, w, tileColumns, top));
    y += 4;
  }
  board.h = y + 2;
  return board;
}
