/**
 * Clocks that count down on the page, as the service told them.
 *
 * What counts is how long ago that was, by a clock of the page that nobody sets: what time of day it is here and at the service is
 * never compared.
 */
import type { Clocks } from "@boardkeeper/client";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Little time is a tenth of what there was to begin with, and never less than this. */
const LITTLE = 10 * SECOND;

/** What is told of clocks: with tables, boards and the updates of a stream. */
export type Told = Pick<Clocks, "clocks" | "readTime" | "timeControl">;

/** How much time the seats of a game have left, from when they were told on. All times are in milliseconds. */
export class Countdown {
  /** Whether the clock of any seat runs. */
  readonly isRunning: boolean;
  private readonly left = new Map<number, number>();
  private readonly running = new Set<number>();
  private readonly little: number;

  /** `told` came at `begun`, by `performance.now()`; a game without clocks has no seats here. */
  constructor(
    told: Told,
    private readonly begun: number,
  ) {
    const { clocks, readTime } = told;
    for (const { seat, remaining, expireTime } of clocks) {
      if (expireTime && readTime) this.running.add(seat);
      this.left.set(seat, expireTime && readTime ? millis(expireTime) - millis(readTime) : millis(remaining));
    }
    this.isRunning = this.running.size > 0;
    this.little = Math.max(LITTLE, ((told.timeControl?.seconds ?? 0) * SECOND) / 10);
  }

  /** Whether a seat's clock runs. */
  runs(seat: number): boolean {
    return this.running.has(seat);
  }

  /** What a seat has left at `now`; never less than nothing, and `undefined` for one without a clock. */
  at(seat: number, now: number): number | undefined {
    const left = this.left.get(seat);
    if (left === undefined) return undefined;
    return Math.max(0, this.runs(seat) ? left - Math.max(0, now - this.begun) : left);
  }

  /** Whether a seat whose clock runs should hurry at `now`. */
  isLow(seat: number, now: number): boolean {
    return this.runs(seat) && (this.at(seat, now) ?? Infinity) <= this.little;
  }
}

/** Time that is left, as clocks show it: nothing only when there is none. `days` says days and hours. */
export function shownTime(left: number, days: (days: number, hours: number) => string): string {
  const rest = Math.ceil(left / SECOND) * SECOND;
  if (rest >= DAY) return days(Math.floor(rest / DAY), Math.floor((rest % DAY) / HOUR));
  const two = (of: number) => String(Math.floor(of)).padStart(2, "0");
  const seconds = two((rest % MINUTE) / SECOND);
  if (rest >= HOUR) return `${Math.floor(rest / HOUR)}:${two((rest % HOUR) / MINUTE)}:${seconds}`;
  return `${Math.floor(rest / MINUTE)}:${seconds}`;
}

function millis(told: { readonly seconds: bigint; readonly nanos: number } | undefined): number {
  return told ? Number(told.seconds) * SECOND + told.nanos / 1e6 : 0;
}
