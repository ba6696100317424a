/** The beneficial deeds with their followers and rewards. */
import type { KnownTable } from "@boardkeeper/client";
import type { Guide } from "../../table/guide";
import { deeds } from "../followers/deeds";
import type { Sign } from "../followers/effects";
import { ORDER } from "../followers/glyphs";
import { signsFrom, widthOf } from "../followers/places";
import { Drawing, grid, wrapped } from "../kit";

const SPACE = 26;

/** Draw all deeds as cards. */
export function deedsBoard(guide: Guide, table: KnownTable, boardWidth: number): Drawing {
  const board = new Drawing("deeds", guide.text("deeds_board"), 0, boardWidth, 0);
  board.text(12, 21, guide.text("deeds_board"), 15, "title");
  const citizenAt = (x: number, y: number, w: number) => ({ x: x + w - 17, y: y + 50 });
  return deeds(board, guide, table, {
    columns: boardWidth < 500 ? 2 : 4,
    top: 30,
    h: 118,
    space: SPACE,
    size: SPACE - 1,
    corners: (x, y, w) => grid(Math.floor((w - 38) / SPACE), x + 4, y + 36, SPACE, SPACE),
    order: ORDER,
    beside: (component, x, y, w) => (component === "citizen" ? citizenAt(x, y, w) : undefined),
    name: ({ text }, x, y, w) => {
      for (const [at, line] of wrapped(text, w - 8, 13, true)
        .slice(0, 2)
        .entries())
        board.text(x + 6, y + 16 + at * 14, line, 13, "name", "start", w - 8);
    },
    rest: ({ values }, x, y, w) => {
      const citizen = citizenAt(x, y, w);
      board.printed(citizen.x, citizen.y, SPACE, "citizen");
      const rewards: Sign[] = [];
      if (Number(values.coins) > 0) rewards.push({ glyph: `coin.${values.coins}` });
      if (Number(values.development) > 0) rewards.push({ glyph: "development.1" });
      rewards.forEach((reward, at) => {
        signsFrom(board, [reward], citizen.x - widthOf([reward]) / 2, y + 76 + at * 20);
      });
    },
  });
}
