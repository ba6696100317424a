/** Seat colours of an edition. */
import type { Title } from "@boardkeeper/client";

/** Return the CSS value for `--seat`; a default colour if the edition is unknown or names no colour. */
export function seatColor(title: Title | undefined, edition: string, seat: number): string {
  const colors = title?.editions.find(({ id }) => id === edition)?.seatColors;
  const color = colors?.find((each) => each.seat === seat)?.id ?? "";
  const own = `var(--seat-of-${seat})`;
  return /^[a-z]+$/.test(color) ? `var(--player-${color}, ${own})` : own;
}
