/**
 * Paces events that arrive together: the first is shown at once, the others at intervals that shorten with their
 * number.
 */
const STEP = 260;
const AT_MOST = 2600;

export class Pace {
  private timer: ReturnType<typeof setTimeout> | undefined;
  private wait = STEP;

  /** `step` shows one more event and returns whether more remain. */
  constructor(private readonly step: () => boolean) {}

  /** Skip animation if the player prefers reduced motion or the page is hidden. */
  private get isStill(): boolean {
    return document.hidden || matchMedia("(prefers-reduced-motion: reduce)").matches;
  }

  /** Start to show `count` events, unless it is already running. */
  start(count: number): void {
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
