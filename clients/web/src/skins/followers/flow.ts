/** Place cards in rows; cards with many spaces are two columns wide. */

import type { KnownTable } from "@boardkeeper/client";
import type { Point, Spot } from "../../stage/scene";
import type { Guide } from "../../table/guide";
import type { Drawing } from "../kit";
import { CARD_HEIGHT, type CardPlan, type Measures, placeCard, type Spaces } from "./places";

const PAD = 10;
const GAP = 4;

/** The layout of a title's cards. */
export interface FlowPlan {
  /** The largest number of spaces on a card that is one column wide. */
  readonly narrow: number;
  /** Side of the tile in a card's corner, and the least height of a spot for tiles. */
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

  /** Return the position of the next card. */
  next(card: string, spaces: number): { x: number; y: number; w: number } {
    const span = spaces > this.plan.narrow ? Math.min(2, this.columns) : 1;
    if (this.column + span > this.columns) this.wrap();
    const x = PAD + this.column * (this.wide + GAP);
    const y = this.top + this.row * (CARD_HEIGHT + GAP);
    this.column += span;
    this.corner.set(card, { x: x + 12, y: y + 11 });
    return { x, y, w: this.wide * span + GAP * (span - 1) };
  }

  /** The height where the rows end. */
  get bottom(): number {
    return this.top + (this.row + (this.column > 0 ? 1 : 0)) * (CARD_HEIGHT + GAP);
  }

  /** Return the spot of a zone's tiles, from a height on: each tile is in the corner of its printed card. */
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

/** The layout of a board of cards. */
export interface CardsPlan extends Pick<CardPlan, "signsOf"> {
  readonly title: number;
  /** Height of a zone's name, and the gap below its cards. */
  readonly head: number;
  readonly gap: number;
  readonly flow?: FlowPlan;
}

/** Draw the available cards by zone; owned cards are on the mats. */
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
