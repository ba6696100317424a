/** Place cards one after the other in rows: those with many spaces take the room of two. */
import type { Point, Spot } from "../../stage/scene";
import { CARD_HEIGHT } from "./places";

const PAD = 10;
const GAP = 4;

/** How many spaces a card has that takes the room of one. */
const NARROW = 3;

export class CardFlow {
  private column = 0;
  private row = 0;
  private readonly corner = new Map<string, Point>();
  private readonly wide: number;

  constructor(
    private readonly w: number,
    private readonly columns: number,
    private readonly top: number,
  ) {
    this.wide = (w - 2 * PAD - (columns - 1) * GAP) / columns;
  }

  /** Where the next card stands. */
  next(card: string, spaces: number): { x: number; y: number; w: number } {
    const span = spaces > NARROW ? Math.min(2, this.columns) : 1;
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
      h: Math.max(this.bottom - y - GAP, 16),
      size: 18,
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
