/** What belongs to everybody: goods with their values, followers, technology, churches, and the place cards to be had. */
import type { KnownTable } from "@boardkeeper/client";
import type { Guide } from "../../table/guide";
import { CardFlow } from "../followers/flow";
import { type Measures, placeCard, type Spaces } from "../followers/places";
import { Drawing } from "../kit";
import { signsOf } from "./says";

const PAD = 10;

/** Goods market and supplies. */
export function supplyBoard(guide: Guide, table: KnownTable, w: number): Drawing {
  const board = new Drawing("supply", guide.zone("goods_market").text, 0, w, 0);
  let x = PAD;
  let y = 8;
  const box = (zone: string, wide: number, size: number, outline: "box" | "none" = "box") => {
    if (!table.zones.has(zone)) return;
    if (x + wide > w - PAD + 1) {
      x = PAD;
      y += size < 30 ? 48 : 60;
    }
    board.text(
      x + 2,
      y + 11,
      guide.words.stories.short[zone] ?? guide.zone(zone).text,
      12.5,
      "faint",
      "start",
      wide - 4,
    );
    board.spot({ zone, x, y: y + 15, w: wide, h: size + 8, size, show: "kinds", outline });
    x += wide + 6;
  };
  box("goods_market", 270, 34);
  box("supply", 270, 34);
  x = PAD;
  y += 62;
  // What a good is worth.
  const goods = [...guide.components.values()].filter(({ kind }) => kind === "good");
  goods.forEach(({ id, values }, index) => {
    const left = PAD + 2 + index * 52;
    board.printed(left + 8, y + 9, 17, id, "clear");
    board.text(left + 18, y + 14, `= ${values.value}`, 13.5, "sign");
  });
  y += 22;
  box("technology", 84, 30);
  box("churches", 84, 30);
  box("landscapes", 120, 30);
  box("start_tokens", 120, 30);
  y += 54;
  x = PAD;
  box("removed", w - 2 * PAD, 23, "none");
  box("box", w - 2 * PAD, 23, "none");
  board.h = y + 52;
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
