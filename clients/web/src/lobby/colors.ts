/** The colours of seats, as an edition has them, in the shades of the page. */
import type { Title } from "@boardkeeper/client";

/** What `--seat` is for a seat; of an edition that says nothing, or before it is known, the page's own colours. */
export function colorOf(title: Title | undefined, edition: string, seat: number): string {
  const colors = title?.editions.find(({ id }) => id === edition)?.seatColors;
  const color = colors?.find((each) => each.seat === seat)?.id ?? "";
  const own = `var(--seat-of-${seat})`;
  return /^[a-z]+$/.test(color) ? `var(--player-${color}, ${own})` : own;
}
