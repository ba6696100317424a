/**
 * Clocks that count down from the server's last values. They use the time since arrival on a monotonic clock, so the
 * wall clocks of server and browser are never compared.
 */
import type { Clocks } from "@boardkeeper/client";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Time is low below a tenth of the time limit, and always below this. */
const LITTLE = 10 * SECOND;

/** Clock values of the server, from tables, boards and stream updates. */
export type ClockValues = Pick<Clocks, "clocks" | "readTime" | "timeControl">;

/** The remaining time of all seats. All times are in milliseconds. */
export class Countdown {
  /** Whether the clock of a seat runs. */
  readonly isRunning: boolean;
  private readonly left = new Map<number, number>();
  private readonly running = new Set<number>();
  private readonly little: number;

  /** `values` arrived at `begun` (`performance.now()`). A game without clocks has no entries. */
  constructor(
    values: ClockValues,
    private readonly begun: number,
  ) {
    const { clocks, readTime } = values;
    for (const { seat, remaining, expireTime } of clocks) {
      if (expireTime && readTime) this.running.add(seat);
      this.left.set(seat, expireTime && readTime ? toMillis(expireTime) - toMillis(readTime) : toMillis(remaining));
    }
    this.isRunning = this.running.size > 0;
    this.little = Math.max(LITTLE, ((values.timeControl?.seconds ?? 0) * SECOND) / 10);
  }

  /** Return whether the clock of a seat runs. */
  runs(seat: number): boolean {
    return this.running.has(seat);
  }

  /** Return the remaining time of a seat at `now`, at least 0; `undefined` if it has no clock. */
  at(seat: number, now: number): number | undefined {
    const left = this.left.get(seat);
    if (left === undefined) return undefined;
    return Math.max(0, this.runs(seat) ? left - Math.max(0, now - this.begun) : left);
  }

  /** Return whether a seat's clock runs and its time is low at `now`. */
  isLow(seat: number, now: number): boolean {
    return this.runs(seat) && (this.at(seat, now) ?? Infinity) <= this.little;
  }
}

/** Format a remaining time; it shows 0 only when no time is left. `days` formats days and hours. */
export function formatTime(left: number, days: (days: number, hours: number) => string): string {
  const rest = Math.ceil(left / SECOND) * SECOND;
  if (rest >= DAY) return days(Math.floor(rest / DAY), Math.floor((rest % DAY) / HOUR));
  const two = (of: number) => String(Math.floor(of)).padStart(2, "0");
  const seconds = two((rest % MINUTE) / SECOND);
  if (rest >= HOUR) return `${Math.floor(rest / HOUR)}:${two((rest % HOUR) / MINUTE)}:${seconds}`;
  return `${Math.floor(rest / MINUTE)}:${seconds}`;
}

function toMillis(time: { readonly seconds: bigint; readonly nanos: number } | undefined): number {
  return time ? Number(time.seconds) * SECOND + time.nanos / 1e6 : 0;
}
