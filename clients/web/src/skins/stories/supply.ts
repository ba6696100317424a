/** Shared supplies: goods with their values, followers, technology, churches and available place cards. */
import type { KnownTable } from "@boardkeeper/client";
import type { Guide } from "../../table/guide";
import { BoxFlow } from "../followers/boxes";
import { cardsBoard } from "../followers/flow";
import type { Measures, Spaces } from "../followers/places";
import { Drawing, ofKind } from "../kit";
import { signsOf } from "./effectTexts";
import { FLOW } from "./mat";

const PAD = 10;

/** Draw goods market and supplies. */
export function supplyBoard(guide: Guide, table: KnownTable, w: number): Drawing {
  const board = new Drawing("supply", guide.zone("goods_market").text, 0, w, 0);
  const rows = { head: 15, small: 30, low: 48, high: 60, short: guide.words.stories.short };
  const flow = new BoxFlow(board, guide, table, rows, 8);
  flow.boxes({ zone: "goods_market", w: 270, size: 34 }, { zone: "supply", w: 270, size: 34 }).next(62);
  // The value of a good.
  ofKind(guide, "good").forEach(({ id, values }, index) => {
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

/** Draw the available place cards, by category. */
export function cardsOnOffer(guide: Guide, table: KnownTable, spaces: Spaces, measures: Measures): Drawing {
  const board = new Drawing("cards", guide.zone("cards.I").text, 0, measures.w, 0);
  return cardsBoard(board, guide, table, spaces, measures, "cards.", {
    title: 14,
    head: 22,
    gap: 2,
    flow: FLOW,
    signsOf,
  });
}
