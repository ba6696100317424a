/** The nations: requirements of their missions, the cards that no seat has, and bonus tiles outside of eras. */
import type { KnownTable } from "@boardkeeper/client";
import type { Scalar } from "../../stage/scene";
import type { Guide } from "../../table/guide";
import { type Drawing, firstIn, ofKind } from "../kit";
import { needsOf } from "./effectTexts";

const PAD = 10;
const HIGH = 118;
const CARD = 44;
const GOOD = 24;

/** Return the mission of a nation; its print depends only on it. */
export function missionOf(table: KnownTable, nation: string): string {
  return firstIn(table, `mission.${nation}`, (each) => /^m\d/.test(each));
}

/** Draw the missions of both nations and the cards that no seat has; return the height where they end. */
export function missions(board: Drawing, guide: Guide, table: KnownTable, y: number): number {
  const nations = ofKind(guide, "nation").filter(({ id }) => table.zones.has(`mission.${id}`));
  if (nations.length === 0) return y;
  const isNarrow = board.w < 500;
  const wide = isNarrow ? board.w - 2 * PAD : (board.w - 2 * PAD - 8) / 2;
  nations.forEach(({ id }, index) => {
    const x = PAD + (isNarrow ? 0 : index * (wide + 8));
    mission(board, guide, table, id, [x, y + (isNarrow ? index * (HIGH + 6) : 0), wide]);
  });
  return decks(board, guide, table, y + (isNarrow ? nations.length : 1) * (HIGH + 6));
}

type At = readonly [x: number, y: number, wide: number];

function mission(board: Drawing, guide: Guide, table: KnownTable, nation: string, [x, y, wide]: At): void {
  board.rect(x, y, wide, HIGH, `st-event st-nation st-${nation}`, 6);
  board.printed(x + 18, y + 17, 26, `shape.${nation}`, "clear");
  board.text(x + 35, y + 22, guide.zone(`mission.${nation}`).text, 14, "name", "start", wide - 64);
  const ticked = (value: Scalar) => (value ? "✓" : "○");
  board.written(`mission.${nation}.fulfilled`, x + wide - 10, y + 23, 18, ticked, { anchor: "end" });
  const known = guide.components.get(missionOf(table, nation));
  const left = x + CARD + 16;
  if (known) {
    board.text(left, y + 48, known.text, 17, "title", "start", wide - CARD - 24);
    board.lines(needsOf(known.values, guide), left, y + 67, 14.5, 16.5, wide - CARD - 24, 3);
  }
  board.place(`mission.${nation}`, x + 3, y + 30, wide - 6, HIGH - 33, CARD, {
    outline: "none",
    // Delivered goods are on the mission.
    at: (component, nth) =>
      guide.components.get(component)?.kind === "mission"
        ? { x: x + CARD / 2 + 8, y: y + 34 + (HIGH - 38) / 2 }
        : { x: x + wide - GOOD - nth * 12, y: y + HIGH - 20 },
  });
}

/** Draw the backs of the cards that no seat has. */
function decks(board: Drawing, guide: Guide, table: KnownTable, y: number): number {
  const isNarrow = board.w < 500;
  const lost = (value: Scalar) => (value ? `${guide.marker("lost").text}: ${guide.value("lost", value)}` : "");
  // A game shows this marker last: the previous place of the component that moves.
  board.written("lost", isNarrow ? PAD + 2 : PAD + 240, isNarrow ? y + 54 : 22, 14, lost);
  const { short } = guide.words.stories;
  const step = (board.w - 2 * PAD) / 3;
  ["nation", "mission", "message"].forEach((drawn, index) => {
    const zone = `${drawn}s`;
    if (!table.zones.has(zone)) return;
    const x = PAD + index * step;
    board.place(zone, x, y, 62, 36, 48, { show: "count", as: () => `back.${drawn}`, outline: "slot" });
    board.text(x + 68, y + 22, short[zone] ?? guide.zone(zone).text, 13, "faint", "start", step - 72);
  });
  return y + (isNarrow ? 62 : 44);
}

/** Draw the bonus tiles outside of eras. */
export function bonusTiles(board: Drawing, guide: Guide, table: KnownTable, y: number): number {
  if (!table.zones.has("bonus.stack")) return y;
  const few = 130;
  const x = PAD + few + 8;
  board.text(PAD + 2, y + 13, guide.words.stories.short["bonus.stack"] ?? "", 12.5, "faint", "start", few);
  board.text(x + 2, y + 13, guide.zone("bonus.aside").text, 12.5, "faint", "start", board.w - x - PAD);
  const [top, h] = [y + 18, 96];
  board.place("bonus.stack", PAD, top, few, h, 84, { show: "count", as: () => "back.bonus", outline: "box" });
  board.place("bonus.aside", x, top, board.w - x - PAD, h, 110, { outline: "box", align: "start" });
  return top + h;
}
