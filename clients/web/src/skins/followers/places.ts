/** Places as cards: name, effect in signs, and spaces for followers. */
import type { KnownTable } from "@boardkeeper/client";
import type { Page } from "../../stage/scene";
import { textWidth } from "../../stage/textWidth";
import type { Guide, Values } from "../../table/guide";
import type { Drawing } from "../kit";
import { effectsOf, type Sign, words } from "./effects";

/** Width of the family's boards, and number of places in a row. */
export interface Measures {
  readonly w: number;
  readonly columns: number;
  /** Columns for place tiles, which have more text than printed places. */
  readonly tileColumns: number;
}

/** Return the measures for a page. */
export function measuresOf({ isNarrow }: Page): Measures {
  return isNarrow ? { w: 400, columns: 3, tileColumns: 2 } : { w: 600, columns: 5, tileColumns: 4 };
}

/** Height of every place card; its width depends on the number of columns. */
export const CARD_HEIGHT = 64;

const SIGN = 17;
const PAD = 5;

/**
 * The spaces of places: ids of their zones by place and seat, in order. Place tiles have seat 0, because their owner
 * varies.
 */
export class Spaces {
  private readonly byPlace = new Map<string, string[]>();
  private readonly bySeat = new Map<number, string[]>();

  constructor(table: KnownTable, guide: Guide) {
    for (const id of table.zones.keys()) {
      const { component, symbol, seat } = guide.zone(id);
      if (!component || !symbol) continue;
      const key = `${seat}:${component}`;
      const known = this.byPlace.get(key);
      if (known) known.push(id);
      else {
        this.byPlace.set(key, [id]);
        this.bySeat.set(seat, [...(this.bySeat.get(seat) ?? []), component]);
      }
    }
  }

  /** Return the zones of a place's spaces. */
  of(seat: number, place: string): readonly string[] {
    return this.byPlace.get(`${seat}:${place}`) ?? [];
  }

  /** Return the places printed on a seat's mat, in the order of the layout. */
  places(seat: number): readonly string[] {
    return this.bySeat.get(seat) ?? [];
  }
}

/** Position and form of a card. */
export interface CardPlan {
  readonly x: number;
  readonly y: number;
  readonly w: number;
  /** Whether the upper left corner stays free for the tile. */
  readonly corner?: boolean;
  /** Return the signs of the place's effect; by default those of the whole family. */
  readonly signsOf?: (values: Values) => Sign[];
}

/** Draw a place as a card. */
export function placeCard(
  drawing: Drawing,
  guide: Guide,
  place: string,
  spaces: readonly string[],
  { x, y, w, corner = false, signsOf = effectsOf }: CardPlan,
): void {
  const values = guide.components.get(place)?.values ?? {};
  const signs = signsOf(values);
  drawing.rect(x, y, w, CARD_HEIGHT, corner ? "place gained" : "place", 5);
  const side = Math.min(w < 150 ? 36 : 40, Math.floor((w - 6) / Math.max(spaces.length, 3)) - 1); // of a space, so that at least three fit
  const room = spaces.length * (side + 1);
  const beside = room + widthOf(signs) + PAD * 2 + 2 <= w; // signs fit beside the spaces, otherwise above them
  const left = x + PAD + (corner ? 17 : 0);
  drawing.text(
    left,
    y + 15,
    guide.text(place),
    14.5,
    "name",
    "start",
    x + w - PAD - left - (beside ? 0 : widthOf(signs) + 3),
  );
  if (spaces.length === 0) signsFrom(drawing, signs, x + PAD, y + 40);
  else if (beside) signsFrom(drawing, signs, x + w - PAD - widthOf(signs), y + 41);
  else signsFrom(drawing, signs, x + w - PAD - widthOf(signs), y + 11);
  const wanted = words(values.spaces);
  spaces.forEach((zone, index) => {
    drawing.spot({
      zone,
      x: x + PAD + index * (side + 1) - 1,
      y: y + CARD_HEIGHT - side - 4,
      w: side,
      h: side,
      size: side - 3,
      show: "each",
      piled: true,
      outline: "round",
      symbol: symbolOf(wanted[index], guide.zone(zone).symbol),
    });
  });
}

/** Return the print of a space; `either.A.B` if either follower may be placed, which the catalogue writes as `A|B`. */
function symbolOf(wanted: string | undefined, symbol: string): string {
  return wanted?.includes("|") ? `either.${wanted.replaceAll("|", ".")}` : symbol;
}

/** Draw signs side by side, starting at x. */
export function signsFrom(drawing: Drawing, signs: readonly Sign[], x: number, y: number): void {
  let left = x;
  for (const sign of signs) {
    const wide = wideOf(sign);
    if ("glyph" in sign) drawing.printed(left + wide / 2, y, SIGN, sign.glyph, "clear");
    else drawing.text(left + wide / 2, y + 4.5, sign.letters, 13, "sign", "middle");
    left += wide;
  }
}

/** Return the width of signs. */
export function widthOf(signs: readonly Sign[]): number {
  return signs.reduce((sum, sign) => sum + wideOf(sign), 0);
}

function wideOf(sign: Sign): number {
  return "glyph" in sign ? SIGN + 1 : 3 + textWidth(sign.letters, 13, true);
}
