/** Place cards one after the other in rows: those with many spaces take the room of two. */

import type { KnownTable } from "@boardkeeper/client";
import type { Point, Spot } from "../../stage/scene";
import type { Guide } from "../../table/guide";
import type { Drawing } from "../kit";
import { CARD_HEIGHT, type CardPlan, type Measures, placeCard, type Spaces } from "./places";

const PAD = 10;
const GAP = 4;

/** How cards of a title stand. */
export interface FlowPlan {
  /** How many spaces a card has at most that takes the room of one. */
  readonly narrow: number;
  /** The side of the tile in the corner of its card, and the least height of a place for tiles. */
  readonly size: number;
  readonly least: number;
}

const PLAN: FlowPlan = { narrow: Number.POSITIVE_INFINITY, size: 17, least: 14 };

export class CardFlow {
  private column = 0;
  private row = 0;
  private readonly corner = new Map<string, Point>();
  private readonly wide: number;

  constructor(
    private readonly w: number,
    private readonly columns: number,
    private readonly top: number,
    private readonly plan = PLAN,
  ) {
    this.wide = (w - 2 * PAD - (columns - 1) * GAP) / columns;
  }

  /** Draw the cards of places, each with the zones of its spaces. */
  cards(
    board: Drawing,
    guide: Guide,
    places: readonly string[],
    zonesOf: (place: string) => readonly string[],
    how: Omit<CardPlan, "x" | "y" | "w"> = {},
  ): this {
    for (const place of places) {
      const zones = zonesOf(place);
      placeCard(board, guide, place, zones, { ...this.next(place, zones.length), ...how });
    }
    return this;
  }

  /** Where the next card stands. */
  next(card: string, spaces: number): { x: number; y: number; w: number } {
    const span = spaces > this.plan.narrow ? Math.min(2, this.columns) : 1;
    if (this.column + span > this.columns) this.wrap();
    const x = PAD + this.column * (this.wide + GAP);
    const y = this.top + this.row * (CARD_HEIGHT + GAP);
    this.column += span;
    this.corner.set(card, { x: x + 12, y: y + 11 });
    return { x, y, w: this.wide * span + GAP * (span - 1) };
  }

  /** The height at which what comes next begins. */
  get bottom(): number {
    return this.top + (this.row + (this.column > 0 ? 1 : 0)) * (CARD_HEIGHT + GAP);
  }

  /** Where the cards of a zone lie, from that height on: each in the corner of what is printed of it. */
  corners(zone: string, y: number): Spot {
    return {
      zone,
      x: PAD,
      y,
      w: this.w - 2 * PAD,
      h: Math.max(this.bottom - y - GAP, this.plan.least),
      size: this.plan.size,
      show: "each",
      outline: "none",
      at: (card) => this.corner.get(card),
    };
  }

  private wrap(): void {
    this.column = 0;
    this.row++;
  }
}

/** How a board of cards differs between titles. */
export interface CardsPlan extends Pick<CardPlan, "signsOf"> {
  readonly title: number;
  /** The room for the name of a zone, and below its cards. */
  readonly head: number;
  readonly gap: number;
  readonly flow?: FlowPlan;
}

/** The cards that can be had, by zone: what is owned lies on its seat's mat. */
export function cardsBoard(
  board: Drawing,
  guide: Guide,
  table: KnownTable,
  spaces: Spaces,
  { w, tileColumns }: Measures,
  prefix: string,
  { title, head, gap, flow, ...signs }: CardsPlan,
): Drawing {
  let y = 6;
  for (const zone of [...table.zones.keys()].filter((id) => id.startsWith(prefix))) {
    const cards = [...(table.zones.get(zone)?.contents.keys() ?? [])].sort();
    board.text(PAD, y + title + 1, guide.zone(zone).text, title, "name");
    y += head;
    const rows = new CardFlow(w, tileColumns, y, flow);
    rows.cards(board, guide, cards, (card) => spaces.of(0, card), { corner: true, ...signs });
    board.spot(rows.corners(zone, y));
    y = Math.max(rows.bottom, y + 18) + gap;
  }
  board.h = y - gap + 6;
  return board;
}
