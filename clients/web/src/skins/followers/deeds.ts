/** Beneficial deeds as cards with spaces for followers. */
import type { KnownTable } from "@boardkeeper/client";
import type { Point } from "../../stage/scene";
import type { ComponentEntry, Guide, Values } from "../../table/guide";
import { type Drawing, grid } from "../kit";
import { isRecord } from "./effects";

/** The parts of the layout that differ between titles. */
export interface DeedsPlan {
  readonly columns: number;
  /** Top of the first row, and height of a card. */
  readonly top: number;
  readonly h: number;
  /** Side of a space, and of the pieces on it. */
  readonly space: number;
  readonly size: number;
  /** Return the corners of the `count` spaces of a card at (x, y), in order. */
  readonly corners: (x: number, y: number, w: number, count: number) => (index: number) => Point;
  /** Characters in the order of their spaces; the catalogue's order by default. */
  readonly order?: readonly string[];
  /** Return the position of pieces that are not followers of the deed. */
  readonly beside?: (component: string, x: number, y: number, w: number) => Point | undefined;
  /** Print the name. */
  readonly name: (deed: ComponentEntry, x: number, y: number, w: number) => void;
  /** Print the reward for a follower, below its space. */
  readonly below?: (values: Values, character: string, at: Point) => void;
  /** Print the reward of the deed. */
  readonly rest: (deed: ComponentEntry, x: number, y: number, w: number) => void;
}

/** Draw all deeds of the table. */
export function deeds(board: Drawing, guide: Guide, table: KnownTable, plan: DeedsPlan): Drawing {
  const { columns, top, h, space, size } = plan;
  const all = [...guide.components.values()].filter(({ id, kind }) => kind === "deed" && table.zones.has(`deed.${id}`));
  const wide = (board.w - 16) / columns;
  const corner = grid(columns, 8, top, wide, h + 4);
  const w = wide - 4;
  all.forEach((deed, index) => {
    const at = corner(index);
    const [x, y] = [at.x + 2, at.y];
    board.rect(x, y, w, h, "place", 5);
    plan.name(deed, x, y, w);
    const places = placesOf(deed.values.spaces, plan, x, y, w);
    for (const [character, points] of places)
      for (const point of points) {
        board.circle(point.x, point.y, space / 2 - 1, "hollow");
        board.printed(point.x, point.y, space * 0.85, character, "space");
        plan.below?.(deed.values, character, point);
      }
    board.place(`deed.${deed.id}`, x, y, w, h, size, {
      outline: "none",
      at: (component, nth) => plan.beside?.(component, x, y, w) ?? places.get(component)?.[nth],
    });
    plan.rest(deed, x, y, w);
  });
  board.h = top + Math.ceil(all.length / columns) * (h + 4) + 4;
  return board;
}

/** Return the centre of a space for every follower that a deed needs, by character. */
function placesOf(wanted: unknown, { corners, order, space }: DeedsPlan, x: number, y: number, w: number) {
  const counts = isRecord(wanted) ? wanted : {};
  const characters = order ?? Object.keys(counts);
  const all = characters.flatMap((character) => Array<string>(Number(counts[character] ?? 0)).fill(character));
  const corner = corners(x, y, w, all.length);
  const found = new Map<string, Point[]>(characters.map((character) => [character, []]));
  all.forEach((character, index) => {
    const at = corner(index);
    found.get(character)?.push({ x: at.x + space / 2, y: at.y + space / 2 });
  });
  return found;
}
