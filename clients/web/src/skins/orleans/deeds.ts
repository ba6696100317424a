/** The beneficial deeds: which followers each takes, and what it brings. */
import type { KnownTable } from "@boardkeeper/client";
import type { Point } from "../../stage/scene";
import type { Guide } from "../../table/guide";
import { isRecord, type Sign } from "../followers/effects";
import { ORDER } from "../followers/glyphs";
import { signsFrom, widthOf } from "../followers/places";
import { Drawing, wrapped } from "../kit";

const SPACE = 26;
const HIGH = 118;

/** All deeds as cards. */
export function deedsBoard(guide: Guide, table: KnownTable, boardWidth: number): Drawing {
  const columns = boardWidth < 500 ? 2 : 4;
  const board = new Drawing("deeds", guide.text("deeds_board"), 0, boardWidth, 0);
  board.text(12, 21, guide.text("deeds_board"), 15, "title");
  const wide = (boardWidth - 16) / columns;
  const deeds = [...guide.components.values()].filter(
    ({ id, kind }) => kind === "deed" && table.zones.has(`deed.${id}`),
  );
  deeds.forEach(({ id, text, values }, index) => {
    const x = 8 + (index % columns) * wide + 2;
    const y = 30 + Math.floor(index / columns) * (HIGH + 4);
    const w = wide - 4;
    board.rect(x, y, w, HIGH, "place", 5);
    wrapped(text, w - 8, 13, true)
      .slice(0, 2)
      .forEach((line, at) => {
        board.text(x + 6, y + 16 + at * 14, line, 13, "name", "start", w - 8);
      });
    const places = spacesOf(isRecord(values.spaces) ? values.spaces : {}, x + 4, y + 36, w - 38);
    for (const [character, points] of places)
      for (const point of points) {
        board.circle(point.x, point.y, SPACE / 2 - 1, "hollow");
        board.printed(point.x, point.y, SPACE * 0.85, character, "space");
      }
    const side = x + w - 17;
    const citizen = { x: side, y: y + 50 };
    board.printed(citizen.x, citizen.y, SPACE, "citizen");
    const rewards: Sign[] = [];
    if (Number(values.coins) > 0) rewards.push({ glyph: `coin.${values.coins}` });
    if (Number(values.development) > 0) rewards.push({ glyph: "development.1" });
    rewards.forEach((reward, at) => {
      signsFrom(board, [reward], side - widthOf([reward]) / 2, y + 76 + at * 20);
    });
    board.spot({
      zone: `deed.${id}`,
      x,
      y,
      w,
      h: HIGH,
      size: SPACE - 1,
      show: "each",
      outline: "none",
      at: (component, nth) => (component === "citizen" ? citizen : places.get(component)?.[nth]),
    });
  });
  board.h = 30 + Math.ceil(deeds.length / columns) * (HIGH + 4) + 4;
  return board;
}

/** A place for every follower that a deed takes, by character. */
function spacesOf(wanted: Readonly<Record<string, unknown>>, x: number, y: number, w: number): Map<string, Point[]> {
  const found = new Map<string, Point[]>();
  const across = Math.floor(w / SPACE);
  let index = 0;
  for (const character of ORDER) {
    const count = wanted[character] ?? 0;
    const points: Point[] = [];
    for (let nth = 0; nth < Number(count); nth++, index++) {
      points.push({
        x: x + (index % across) * SPACE + SPACE / 2,
        y: y + Math.floor(index / across) * SPACE + SPACE / 2,
      });
    }
    found.set(character, points);
  }
  return found;
}
