/** Times in words. */
import type { Game } from "@boardkeeper/client";

type Moment = NonNullable<Game["createTime"]>;

const STEPS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ["year", 31_536_000],
  ["month", 2_592_000],
  ["week", 604_800],
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
];

/** Milliseconds since 1970. */
export function toMillis({ seconds, nanos }: Moment): number {
  return Number(seconds) * 1000 + nanos / 1e6;
}

/** Return the age of a moment in one unit ("3 hours ago"), or `justNow` within a minute; `now` is in milliseconds. */
export function timeAgo(moment: Moment, now: number, language: string, justNow: string): string {
  const seconds = Math.max(0, (now - toMillis(moment)) / 1000);
  const format = new Intl.RelativeTimeFormat(language, { numeric: "auto" });
  for (const [unit, length] of STEPS) {
    if (seconds >= length) return format.format(-Math.floor(seconds / length), unit);
  }
  return justNow;
}
