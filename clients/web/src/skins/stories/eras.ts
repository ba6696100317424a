/**
 * Rounds: the open event, the eras with the figures of all seats, and, in games with nations, missions and bonus tiles.
 */
import type { KnownTable } from "@boardkeeper/client";
import type { Guide, Values } from "../../table/guide";
import { partOf } from "../facts";
import { isRecord, signsFor, words } from "../followers/effects";
import { signsFrom, widthOf } from "../followers/places";
import { Drawing, firstIn, ofKind, wrapped } from "../kit";
import { effectOf, sayEffect } from "./effectTexts";
import { bonusTiles, missions } from "./nations";

const PAD = 10;
const ROW = 60;
const LETTERS = ["A", "B", "C", "D"];
const ROMAN = ["", "I", "II", "III", "IV", "V", "VI"];

/** Return the open event; the print of the board depends only on it. */
export function eventOf(table: KnownTable): string {
  return firstIn(table, "events.current");
}

function erasOf(guide: Guide) {
  return ofKind(guide, "era").sort((a, b) => (a.id < b.id ? -1 : 1));
}

function isEnded(values: Values, table: KnownTable): boolean {
  const deed = values.malus_until_deed;
  return typeof deed === "string" && Boolean(table.markers.get(`deed.${deed}.completed`)?.value);
}

/** Draw round, event and eras. */
export function erasBoard(guide: Guide, table: KnownTable, w: number): Drawing {
  const board = new Drawing("eras", guide.marker("seat.1.era").text, 0, w, 0);
  let y = roundLine(board, guide, table);
  if (table.zones.has("events.A")) y = event(board, guide, table, y);
  else {
    // Cards that this story does not have.
    board.place("events.current", w - 60, 4, 24, 24, 20, { quiet: true });
    board.place("events.past", w - 34, 4, 24, 24, 20, { quiet: true });
  }
  y = missions(board, guide, table, y);
  for (const [index, era] of erasOf(guide).entries()) {
    eraRow(board, guide, table, era.id, index + 1, y);
    y += ROW + 4;
  }
  for (const { seat } of guide.seats) figure(board, guide, seat, y);
  board.h = bonusTiles(board, guide, table, y) + 6;
  return board;
}

function roundLine(board: Drawing, guide: Guide, table: KnownTable): number {
  board.written("round", PAD + 2, 22, 15, (round) => `${guide.marker("round").text} ${round}`);
  board.readout("phase", PAD + 100, 22, 15);
  const x = PAD + (board.w < 500 ? 230 : 300);
  if (table.markers.has("action_place"))
    board.written("action_place", x, 22, 15, (place) => (place ? `› ${guide.text(String(place))}` : ""));
  return 34;
}

/** Draw the event of the round and the piles of future and past cards. */
function event(board: Drawing, guide: Guide, table: KnownTable, y: number): number {
  const isNarrow = board.w < 500;
  const wide = isNarrow ? board.w - 2 * PAD : 372;
  const high = 108;
  board.rect(PAD, y, wide, high, "st-event", 6);
  board.place("events.current", PAD + 8, y + 8, 76, 92, 76, { piled: true, outline: "none" });
  const left = PAD + 94;
  const known = guide.components.get(eventOf(table));
  if (known) {
    const { wholeRound, roundEnd } = guide.words.stories;
    board.text(left, y + 26, known.text, 20, "title", "start", wide - 104);
    board.lines(effectOf(known.values, guide), left, y + 47, 16, 17.5, wide - 104, 3);
    const when = known.values.timing === "round" ? wholeRound : roundEnd;
    board.text(left + 19, y + 99, when, 12.5, "faint", "start", wide - 122);
    board.printed(left + 7, y + 94.5, 15, "shape.clock", "clear");
  }
  const x = isNarrow ? PAD : PAD + wide + 8;
  const top = isNarrow ? y + high + 6 : y;
  const step = (board.w - PAD - x) / LETTERS.length;
  const deck = isNarrow ? 60 : high;
  LETTERS.forEach((letter, index) => {
    const zone = `events.${letter}`;
    const back = { show: "count", as: () => `back.${letter}`, outline: "slot" } as const;
    if (table.zones.has(zone)) board.place(zone, x + index * step, top, step - 4, deck, 45, back);
  });
  const below = top + deck + 6;
  const label = isNarrow ? 0 : 118;
  if (label) board.text(PAD + 2, below + 22, guide.zone("events.past").text, 13, "faint", "start", label - 6);
  const past = { outline: "box", align: "start" } as const;
  board.place("events.past", PAD + label, below, board.w - 2 * PAD - label, 34, isNarrow ? 22 : 28, past);
  return below + 42;
}

/** Draw an era: the number of cards to draw, the cards that it opens, and its reward at the end of a round. */
function eraRow(board: Drawing, guide: Guide, table: KnownTable, id: string, position: number, y: number): void {
  const { w } = board;
  const isNarrow = w < 500;
  const values = guide.components.get(id)?.values ?? {};
  const figures = isNarrow ? 58 : 108;
  board.rect(PAD, y, w - 2 * PAD, ROW, "place", 6).rect(PAD, y, 34, ROW, "st-era", 6);
  board.text(PAD + 17, y + 37, ROMAN[position] ?? String(position), 19, "title st-light", "middle");
  const left = PAD + 42;
  const wide = isNarrow ? 96 : 138;
  board.text(left, y + 20, guide.text(id), 15, "name", "start", wide - 6);
  const category = ` ${words(values.categories).at(-1) ?? ""}`;
  signsFrom(board, signsFor(String(values.draw ?? ""), "shape.bag", category, "shape.card"), left, y + 42);
  const x = left + wide;
  const room = w - PAD - figures - x - 6;
  const zone = `bonus.${position}`;
  if (table.zones.has(zone)) {
    const size = Math.min(room - 58, 124);
    board.place(zone, x - 2, y + 3, size, ROW - 6, size - 4, { piled: true, outline: "slot" });
    const built = isRecord(values.build_fame) ? Object.entries(values.build_fame) : [];
    built.slice(0, 3).forEach(([what, fame], index) => {
      const signs = signsFor(`shape.${what}`, String(fame), "shape.fame");
      if (size + 8 + widthOf(signs) <= room) signsFrom(board, signs, x + size + 6, y + 12 + index * 18);
    });
    return;
  }
  const ended = isEnded(values, table);
  const malus = isRecord(values.malus) && !ended;
  const deed = malus && values.malus_until_deed;
  const until = deed ? ` (${guide.words.stories.until.replace("{}", guide.text(String(deed)))})` : "";
  const first = ended ? x + 34 : x;
  if (ended) board.printed(x + 13, y + ROW / 2, 30, "hunger_defeated", "clear");
  const lines = wrapped(
    `${sayEffect(partOf(values, malus ? "malus" : "bonus"), guide)}${until}`,
    room - (first - x),
    13.5,
  ).slice(0, 4);
  for (const [at, line] of lines.entries())
    board.text(first, y + ROW / 2 + 5 - (lines.length - 1) * 7.5 + at * 15, line, 13.5);
}

/** Draw a seat's figure in its era. */
function figure(board: Drawing, guide: Guide, seat: number, bottom: number): void {
  const eras = erasOf(guide).length;
  const isNarrow = board.w < 500;
  board.token(`seat.${seat}.era`, seat, `settler.${seat}`, 28, (value) => {
    if (typeof value !== "number" || value < 1) return undefined;
    const y = bottom - (eras - value + 1) * (ROW + 4);
    const x = board.w - PAD - 20;
    return isNarrow
      ? { x: x - ((seat + 1) % 2) * 26, y: y + (seat > 2 ? 43 : 16) }
      : { x: x - (4 - seat) * 25, y: y + ROW / 2 };
  });
}
