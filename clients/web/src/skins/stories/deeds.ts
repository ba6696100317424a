/** The beneficial deeds: which followers each takes, and what each of them brings at once. */
import type { KnownTable } from "@boardkeeper/client";
import type { Point } from "../../stage/scene";
import type { Guide } from "../../table/guide";
import { isRecord, type Sign } from "../followers/effects";
import { signsFrom, widthOf } from "../followers/places";
import { Drawing } from "../kit";

const SPACE = 30;
const HIGH = 82;

/** All deeds as cards. */
export function deedsBoard(guide: Guide, table: KnownTable, w: number): Drawing {
  const columns = w < 500 ? 2 : 3;
  const deeds = [...guide.components.values()].filter(
    ({ id, kind }) => kind === "deed" && table.zones.has(`deed.${id}`),
  );
  const board = new Drawing("deeds", guide.decision("deed"), 0, w, 10);
  const wide = (w - 16) / columns;
  deeds.forEach(({ id, text, values }, index) => {
    const x = 8 + (index % columns) * wide + 2;
    const y = 8 + Math.floor(index / columns) * (HIGH + 4);
    board.rect(x, y, wide - 4, HIGH, "place", 5);
    board.text(x + 7, y + 18, text, 15, "name", "start", wide - 36);
    const places = spacesOf(values.spaces, x + 4, y + 25, wide - 12);
    for (const [character, points] of places)
      for (const { x, y } of points) {
        board.circle(x, y, SPACE / 2 - 1, "hollow");
        board.printed(x, y, SPACE * 0.85, character, "space");
        const signs = rewardOf(values, character);
        signsFrom(board, signs, x - widthOf(signs) / 2, y + 25);
      }
    board.spot({
      zone: `deed.${id}`,
      x,
      y,
      w: wide - 4,
      h: HIGH,
      size: SPACE,
      show: "each",
      outline: "none",
      at: (component, nth) => places.get(component)?.[nth],
    });
    board.mark({
      kind: "token",
      marker: `deed.${id}.completed`,
      seat: 0,
      glyph: "shape.done",
      size: 22,
      at: (value) => (value ? { x: x + wide - 18, y: y + 13 } : undefined),
    });
  });
  board.h = 8 + Math.ceil(deeds.length / columns) * (HIGH + 4) + 4;
  return board;
}

/** What a follower brings who is sent there. */
function rewardOf(values: Readonly<Record<string, unknown>>, character: string): Sign[] {
  const of = (key: string) => (isRecord(values[key]) ? Number(values[key][character] ?? 0) : 0);
  const fame = of("fame");
  return [
    ...(of("coins") ? [{ glyph: `coin.${of("coins")}` }] : []),
    ...(fame > 1 ? [{ letters: String(fame) }] : []),
    ...(fame ? [{ glyph: "shape.fame" }] : []),
  ];
}

/** A place for every follower that a deed takes, by character. */
function spacesOf(wanted: unknown, x: number, y: number, w: number): Map<string, Point[]> {
  const found = new Map<string, Point[]>();
  const all = isRecord(wanted) ? Object.entries(wanted) : [];
  const count = all.reduce((sum, [, each]) => sum + Number(each), 0);
  const step = Math.min(SPACE + 4, w / Math.max(count, 1));
  let index = 0;
  for (const [character, count] of all) {
    const points: Point[] = [];
    for (let nth = 0; nth < Number(count); nth++, index++)
      points.push({ x: x + index * step + SPACE / 2, y: y + SPACE / 2 });
    found.set(character, points);
  }
  return found;
}
