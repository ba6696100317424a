/** The fame track: rewards of spaces, and the cubes of all seats. */
import type { Guide } from "../../table/guide";
import { valuesOf } from "../facts";
import { cubes } from "../followers/cubes";
import { isRecord, type Sign, signsFor, words } from "../followers/effects";
import { signsFrom, widthOf } from "../followers/places";
import { Drawing, grid } from "../kit";
import { effectOf, signsOf } from "./effectTexts";
import data from "./stories.json" with { type: "json" };

/** The last space of the track, for the story that defines none. */
const LAST = 90;

/** Draw the track with its bonus spaces. */
export function fameBoard(guide: Guide, w: number): Drawing {
  const board = new Drawing("fame", guide.text("fame"), 0, w, 0);
  const { bonus_spaces, choose } = guide.components.get("fame")?.values ?? {};
  const bonuses = Array.isArray(bonus_spaces) ? bonus_spaces.map(Number) : [];
  const isLong = words(choose).length > 0;
  const last = isLong ? LAST : Math.max(...bonuses);
  const isNarrow = w < 500;
  const columns = isLong ? (isNarrow ? 11 : 16) : isNarrow ? 8 : 13;
  const wide = (w - 20) / columns;
  const high = isLong ? 48 : 56;
  board.text(12, 21, guide.text("fame"), 15, "title");
  const { gives, or } = guide.words.stories;
  const offered = words(choose)
    .map((each) => gives[each] ?? guide.text(each))
    .join(` ${or} `);
  let top = 30;
  if (offered) {
    board.printed(22, top + 9, 17, "shape.fame", "clear");
    top += 16 * board.lines(offered, 36, top + 13, 13, 16, w - 50);
    top += 4;
  }
  const corner = grid(columns, 10, top, wide, high);
  for (let space = 0; space <= last; space++) {
    const { x, y } = corner(space);
    const isBonus = bonuses.includes(space);
    board.rect(x, y, wide - 2, high - 2, isBonus ? "st-track st-bonus" : "st-track", 4);
    board.text(x + 3, y + 12, String(space), 11, isBonus ? "name" : "faint");
    if (!isBonus) continue;
    const signs = tileSigns(guide, space);
    if (isLong) board.printed(x + wide - 10, y + 8.5, 13, "shape.fame", "clear");
    else signsFrom(board, signs, x + wide - 4 - widthOf(signs), y + 9);
  }
  const boxOf = (space: number) => {
    const { x, y } = corner(Math.min(space, last));
    return { x, y: y + 13, w: wide - 2, h: high - 16 };
  };
  cubes(board, guide, "fame", isLong ? 17 : 18, boxOf, { left: 0.27, top: 0.24, bottom: 0.74 });
  board.h = top + Math.ceil((last + 1) / columns) * high + 8;
  return isLong ? board : legend(board, guide, bonuses, isNarrow ? 2 : 3);
}

/** Draw a legend for the tiles of the track. */
function legend(board: Drawing, guide: Guide, bonuses: readonly number[], columns: number): Drawing {
  const rows = Math.ceil(bonuses.length / columns);
  const wide = (board.w - 20) / columns;
  bonuses.forEach((space, index) => {
    const x = 12 + Math.floor(index / rows) * wide;
    const y = board.h + 12 + (index % rows) * 17;
    board.text(x + 16, y, String(space), 12.5, "name", "end");
    board.text(x + 21, y, effectOf(valuesOf(guide, `fame_tile_${space}`), guide), 12.5, "", "start", wide - 26);
  });
  board.h += rows * 17 + 8;
  return board;
}

/** Return the signs of a tile of the track. */
function tileSigns(guide: Guide, space: number): Sign[] {
  const effect = valuesOf(guide, `fame_tile_${space}`).effect;
  if (!isRecord(effect)) return [];
  if (effect.era) return signsFor("I".repeat(Number(effect.era)));
  const [, sign] = Object.entries(data.fame_tiles).find(([key]) => effect[key]) ?? [];
  return sign ? signsFor(sign) : signsOf(effect);
}
