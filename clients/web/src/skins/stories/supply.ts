/** What belongs to everybody: goods with their values, followers, technology, churches, and the place cards to be had. */
import type { KnownTable } from "@boardkeeper/client";
import type { Guide } from "../../table/guide";
import { BoxFlow } from "../followers/boxes";
import { CardFlow } from "../followers/flow";
import { type Measures, placeCard, type Spaces } from "../followers/places";
import { Drawing } from "../kit";
import { signsOf } from "./says";

const PAD = 10;

/** Goods market and supplies. */
export function supplyBoard(guide: Guide, table: KnownTable, w: number): Drawing {
  const board = new Drawing("supply", guide.zone("goods_market").text, 0, w, 0);
  const rows = { head: 15, small: 30, low: 48, high: 60, short: guide.words.stories.short };
  const flow = new BoxFlow(board, guide, table, rows, 8);
  flow.boxes({ zone: "goods_market", w: 270, size: 34 }, { zone: "supply", w: 270, size: 34 }).next(62);
  // What a good is worth.
  const goods = [...guide.components.values()].filter(({ kind }) => kind === "good");
  goods.forEach(({ id, values }, index) => {
    const left = PAD + 2 + index * 52;
    board.printed(left + 8, flow.y + 9, 17, id, "clear");
    board.text(left + 18, flow.y + 14, `= ${values.value}`, 13.5, "sign");
  });
  flow.next(22).boxes({ zone: "technology", w: 84, size: 30 }, { zone: "churches", w: 84, size: 30 });
  flow.boxes({ zone: "landscapes", w: 120, size: 30 }, { zone: "start_tokens", w: 120, size: 30 }).next(54);
  for (const zone of ["removed", "box"]) flow.boxes({ zone, w: w - 2 * PAD, size: 23, isOpen: true });
  board.h = flow.y + 52;
  return board;
}

/** The place cards that can be had, by category: what is owned lies on its seat's mat. */
export function cardsBoard(guide: Guide, table: KnownTable, spaces: Spaces, { w, tileColumns }: Measures): Drawing {
  const board = new Drawing("cards", guide.zone("cards.I").text, 0, w, 0);
  let y = 6;
  for (const zone of [...table.zones.keys()].filter((id) => id.startsWith("cards."))) {
    const cards = [...(table.zones.get(zone)?.contents.keys() ?? [])].sort();
    board.text(PAD, y + 15, guide.zone(zone).text, 14, "name");
    y += 22;
    const flow = new CardFlow(w, tileColumns, y);
    for (const card of cards) {
      const own = spaces.of(0, card);
      placeCard(board, guide, card, own, { ...flow.next(card, own.length), corner: true, signsOf });
    }
    board.spot(flow.corners(zone, y));
    y = Math.max(flow.bottom, y + 18) + 2;
  }
  board.h = y + 4;
  return board;
}
