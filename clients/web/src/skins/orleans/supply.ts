/** Shared supplies: hour glass and event, goods, followers, technology and place tiles. */
import type { KnownTable } from "@boardkeeper/client";
import type { Guide } from "../../table/guide";
import { BoxFlow } from "../followers/boxes";
import { cardsBoard } from "../followers/flow";
import type { Measures, Spaces } from "../followers/places";
import { Drawing, firstIn } from "../kit";

const PAD = 10;
const HIGH = 108;

/** Rules that describe events; `*` stands for the letter of the tile. */
const SAYS: Readonly<Record<string, string>> = {
  pilgrimage: "orleans.monastery.not_during_pilgrimage",
  income: "orleans.income.strength_*",
  harvest: "orleans.harvest.strength_*",
  taxes: "orleans.taxes.strength_*",
  trading_day: "orleans.trading_day.strength_*",
  plague: "orleans.plague.lost",
};

/** The rule for tiles without letters. */
const WITHOUT_LETTERS = "orleans.events.ungraded";

/** Prefix of hour glass ids. */
const HOUR_GLASS = "hour_glass.";

const LETTER = /^[A-C]$/;

/** Return the open tile; the print of the event depends only on it. */
export function eventOf(table: KnownTable): string {
  return firstIn(table, "hour_glass.current");
}

/** Draw hour glass and event, round and phase, goods market and supplies. */
export function supplyBoard(guide: Guide, table: KnownTable, w: number): Drawing {
  const board = new Drawing("supply", guide.zone("goods_market").text, 0, w, 0);
  const rows = { head: 14, small: 25, low: 42, high: 56 };
  const flow = new BoxFlow(board, guide, table, rows, event(board, guide, table) + 6);
  flow.boxes(
    { zone: "goods_market", w: 190, size: 33 },
    { zone: "technology", w: 62, size: 33, caption: "technology" },
  );
  board.printed(flow.left + 51, flow.y + 6, 15, "shape.station", "clear");
  flow.boxes({ zone: "most_stations", w: 60, size: 33, caption: "citizen" }, { zone: "supply", w: 250, size: 33 });
  const small = { size: 20, isOpen: true };
  flow.next(58).boxes({ zone: "goods", w: 110, ...small }, { zone: "removed", w: 186, ...small });
  flow.boxes({ zone: "box", w: 270, ...small });
  board.h = flow.y + 46;
  return board;
}

/** Draw the event of the round and the rest of the hour glass, beside it or below; return the height where it ends. */
function event(board: Drawing, guide: Guide, table: KnownTable): number {
  const isNarrow = board.w < 500;
  const wide = isNarrow ? board.w - 2 * PAD : 352;
  board.rect(PAD, 8, wide, HIGH, "event", 6);
  board.place("hour_glass.current", PAD + 8, 26, 62, 72, 60, { piled: true, outline: "none" });
  const tile = eventOf(table);
  const [name = "", letter = ""] = tile.split(".");
  const left = PAD + 80;
  board.written("round", left, 26, 12, (round) => `${guide.marker("round").text} ${round}`);
  board.readout("phase", left + 84, 26, 13);
  board.written("action_place", left + 190, 26, 13, (place) => (place ? `› ${guide.text(String(place))}` : ""));
  if (tile) {
    const words = `${guide.text(tile)}${LETTER.test(letter) ? ` ${letter}` : ""}`;
    board.text(left, 51, words, 20, "title", "start", wide - 90);
    board.lines(sayingOf(guide, name, letter), left, 70, 14, 15.5, wide - 88, 4);
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
    const outline = pile === "past" ? "none" : "slot";
    board.place(zone, x + room, y, board.w - PAD - x - room, step - 3, 19, { show: "kinds", outline });
  });
  return top + Math.max(HIGH, (piles.length + 1) * step);
}

function sayingOf(guide: Guide, name: string, letter: string): string {
  const said = SAYS[name];
  const id = said?.includes("*") && !LETTER.test(letter) ? WITHOUT_LETTERS : said?.replace("*", letter.toLowerCase());
  return guide.catalogue.rules.find((rule) => rule.id === id)?.text ?? "";
}

/** Draw the available place tiles by category, as cards. */
export function tilesBoard(guide: Guide, table: KnownTable, spaces: Spaces, measures: Measures): Drawing {
  const board = new Drawing("tiles", guide.zone("place_tiles.1").text, 0, measures.w, 0);
  return cardsBoard(board, guide, table, spaces, measures, "place_tiles.", { title: 13, head: 20, gap: 4 });
}
