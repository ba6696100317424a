/** The fame track: what its spaces bring, and everybody's cube where it stands. */
import type { KnownTable } from "@boardkeeper/client";
import type { Point } from "../../stage/scene";
import type { Guide } from "../../table/guide";
import { isRecord, type Sign, words } from "../followers/effects";
import { signsFrom, widthOf } from "../followers/places";
import { Drawing, wrapped } from "../kit";
import { effectOf, signsOf } from "./says";

/** The last space of the track of the story in which it has no end of its own. */
const LAST = 90;

/** The track with its bonus spaces. */
export function fameBoard(guide: Guide, table: KnownTable, w: number): Drawing {
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
    for (const line of wrapped(offered, w - 50, 13)) {
      board.text(36, top + 13, line, 13);
      top += 16;
    }
    top += 4;
  }
  const corner = (space: number): Point => ({
    x: 10 + (space % columns) * wide,
    y: top + Math.floor(space / columns) * high,
  });
  for (let space = 0; space <= last; space++) {
    const { x, y } = corner(space);
    const isBonus = bonuses.includes(space);
    board.rect(x, y, wide - 2, high - 2, isBonus ? "st-track st-bonus" : "st-track", 4);
    board.text(x + 3, y + 12, String(space), 11, isBonus ? "name" : "faint");
    if (!isBonus) continue;
    const signs = isLong ? [{ glyph: "shape.fame" }] : tileSigns(guide, space);
    if (isLong) board.printed(x + wide - 10, y + 8.5, 13, "shape.fame", "clear");
    else signsFrom(board, signs, x + wide - 4 - widthOf(signs), y + 9);
  }
  for (const { seat } of guide.seats) {
    const marker = `seat.${seat}.fame`;
    if (!table.markers.has(marker)) continue;
    board.mark({
      kind: "token",
      marker,
      seat,
      glyph: `cube.${seat}`,
      size: isLong ? 17 : 18,
      at: (value) => {
        if (typeof value !== "number" || value < 0) return undefined;
        const { x, y } = corner(Math.min(value, last));
        const room = { w: wide - 2, h: high - 16 };
        return {
          x: x + room.w * (seat % 2 === 1 ? 0.27 : 0.73),
          y: y + 13 + room.h * (guide.seats.length < 3 ? 0.5 : seat < 3 ? 0.24 : 0.74),
        };
      },
    });
  }
  board.h = top + Math.ceil((last + 1) / columns) * high + 8;
  return isLong ? board : legend(board, guide, bonuses, isNarrow ? 2 : 3);
}

/** What the tiles of the track say, in words. */
function legend(board: Drawing, guide: Guide, bonuses: readonly number[], columns: number): Drawing {
  const rows = Math.ceil(bonuses.length / columns);
  const wide = (board.w - 20) / columns;
  bonuses.forEach((space, index) => {
    const x = 12 + Math.floor(index / rows) * wide;
    const y = board.h + 12 + (index % rows) * 17;
    board.text(x + 16, y, String(space), 12.5, "name", "end");
    board.text(x + 21, y, effectOf(valuesOf(guide, space), guide), 12.5, "", "start", wide - 26);
  });
  board.h += rows * 17 + 8;
  return board;
}

function valuesOf(guide: Guide, space: number) {
  return guide.components.get(`fame_tile_${space}`)?.values ?? {};
}

/** What a tile of the track brings, in a sign or two. */
function tileSigns(guide: Guide, space: number): Sign[] {
  const effect = valuesOf(guide, space).effect;
  if (!isRecord(effect)) return [];
  const glyph = (name: string): Sign => ({ glyph: name });
  const letters = (text: string): Sign => ({ letters: text });
  if (effect.era) return [letters("I".repeat(Number(effect.era)))];
  if (effect.end_game) return [glyph("shape.done")];
  if (effect.draw_follower_place_now) return [glyph("shape.bag")];
  if (effect.goods_or_coins_worth) return [glyph("shape.goods")];
  if (effect.remove_any_fortress) return [glyph("shape.fortress")];
  if (effect.build_church_for_wood) return [glyph("shape.church")];
  return signsOf(effect);
}
