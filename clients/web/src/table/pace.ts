/**
 * How fast events that came together are shown: the first at once, the others one after the other, so that each can be seen, but
 * all within a short while.
 */
const STEP = 260;
const AT_MOST = 2600;

export class Pace {
  private timer: ReturnType<typeof setTimeout> | undefined;
  private wait = STEP;

  /** `step` shows one more event, and tells whether there are others. */
  constructor(private readonly step: () => boolean) {}

  /** Who has asked for less motion sees at once how it is, and who looks elsewhere is not shown one by one what has happened. */
  private get isStill(): boolean {
    return document.hidden || matchMedia("(prefers-reduced-motion: reduce)").matches;
  }

  /** So many events are to be shown; begin, unless it is under way. */
  hurry(count: number): void {
    this.wait = Math.min(STEP, AT_MOST / Math.max(count, 1));
    if (this.timer === undefined) this.next();
  }

  stop(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  private next(): void {
    this.timer = undefined;
    if (this.isStill) {
      while (this.step());
    } else if (this.step()) this.timer = setTimeout(() => this.next(), this.wait);
  }
}
