/** Shared supplies as boxes in rows. */
import type { KnownTable } from "@boardkeeper/client";
import type { Guide } from "../../table/guide";
import type { Drawing } from "../kit";

const PAD = 10;

/** A box for a zone; `caption` is a component with a short name for it. */
export interface Box {
  readonly zone: string;
  readonly w: number;
  readonly size: number;
  readonly caption?: string;
  readonly isOpen?: boolean;
}

/** The layout of rows of boxes. */
export interface RowPlan {
  /** Height of the name above a box. */
  readonly head: number;
  /** Rows with pieces smaller than `small` have height `low`, others `high`. */
  readonly small: number;
  readonly low: number;
  readonly high: number;
  /** Short names of zones. */
  readonly short?: Readonly<Record<string, string>>;
}

export class BoxFlow {
  private x = PAD;

  constructor(
    private readonly board: Drawing,
    private readonly guide: Guide,
    private readonly table: KnownTable,
    private readonly plan: RowPlan,
    public y: number,
  ) {}

  /** The left edge of the next box. */
  get left(): number {
    return this.x;
  }

  /** Draw boxes for those zones that the table has. */
  boxes(...boxes: readonly Box[]): this {
    const { board, guide, plan } = this;
    for (const { zone, w, size, caption, isOpen } of boxes) {
      if (!this.table.zones.has(zone)) continue;
      if (this.x + w > board.w - PAD + 1) this.next(size < plan.small ? plan.low : plan.high);
      const name = caption ? guide.text(caption) : (plan.short?.[zone] ?? guide.zone(zone).text);
      board.text(this.x + 2, this.y + plan.head - 4, name, 12.5, "faint", "start", w - 4);
      const outline = isOpen ? "none" : "box";
      board.place(zone, this.x, this.y + plan.head, w, size + 8, size, { show: "kinds", outline });
      this.x += w + 6;
    }
    return this;
  }

  /** Start a new row, lower by `height`. */
  next(height: number): this {
    this.x = PAD;
    this.y += height;
    return this;
  }
}
