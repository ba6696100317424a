/** Supplies of everybody as boxes side by side, in the next row where there is no room. */
import type { KnownTable } from "@boardkeeper/client";
import type { Guide } from "../../table/guide";
import type { Drawing } from "../kit";

const PAD = 10;

/** A box for a zone; `caption` is the component that names it in short. */
export interface Box {
  readonly zone: string;
  readonly w: number;
  readonly size: number;
  readonly caption?: string;
  readonly isOpen?: boolean;
}

/** How rows of boxes are laid out. */
export interface RowPlan {
  /** The room for the name above a box. */
  readonly head: number;
  /** Rows of pieces smaller than `small` are `low` high, others `high`. */
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

  /** The corner of the next box. */
  get left(): number {
    return this.x;
  }

  /** Draw boxes for the zones that the table has. */
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

  /** Begin a new row, so much lower. */
  next(height: number): this {
    this.x = PAD;
    this.y += height;
    return this;
  }
}
