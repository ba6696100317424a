/** Draws the beneficial deeds: spaces for followers, and the reward for each follower sent to a deed. */
import type { KnownTable } from "@boardkeeper/client";
import type { Guide, Values } from "../../table/guide";
import { numberIn, partOf } from "../facts";
import { deeds } from "../followers/deeds";
import type { Sign } from "../followers/effects";
import { signsFrom, widthOf } from "../followers/places";
import { Drawing } from "../kit";

const SPACE = 30;

/** Draw all deeds as cards. */
export function deedsBoard(guide: Guide, table: KnownTable, w: number): Drawing {
  const board = new Drawing("deeds", guide.decision("deed"), 0, w, 10);
  return deeds(board, guide, table, {
    columns: w < 500 ? 2 : 3,
    top: 8,
    h: 82,
    space: SPACE,
    size: SPACE,
    corners: (x, y, w, count) => {
      const step = Math.min(SPACE + 4, (w - 8) / Math.max(count, 1));
      return (index) => ({ x: x + 4 + index * step, y: y + 25 });
    },
    name: ({ text }, x, y, w) => board.text(x + 7, y + 18, text, 15, "name", "start", w - 32),
    below: (values, character, { x, y }) => {
      const signs = rewardOf(values, character);
      signsFrom(board, signs, x - widthOf(signs) / 2, y + 25);
    },
    rest: ({ id }, x, y, w) => {
      const at = { x: x + w - 14, y: y + 13 };
      board.token(`deed.${id}.completed`, 0, "shape.done", 22, (value) => (value ? at : undefined));
    },
  });
}

/** Return the reward for a follower of this kind, as signs: coins and fame. */
function rewardOf(values: Values, character: string): Sign[] {
  const coins = numberIn(partOf(values, "coins"), character);
  const fame = numberIn(partOf(values, "fame"), character);
  return [
    ...(coins ? [{ glyph: `coin.${coins}` }] : []),
    ...(fame > 1 ? [{ letters: String(fame) }] : []),
    ...(fame ? [{ glyph: "shape.fame" }] : []),
  ];
}
