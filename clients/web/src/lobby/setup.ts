/** The form for a new game, and the request made from it. */
import type { Game, Title } from "@boardkeeper/client";
import type { Words } from "../words/words";
import { changedChoices, editionOf, type GameSetup, seatCounts } from "./choices";
import { hasLocalPlayer, rematchSeats, resizeSeats, type SeatDraft, seatRequests } from "./seating";
import { noTime, type TimeDraft, timeControlOf, timeDraftOf } from "./time";

export interface Draft {
  title: string;
  edition: string;
  seats: SeatDraft[];
  options: Record<string, string>;
  readings: Record<string, string>;
  time: TimeDraft;
  spectators: boolean;
  byInvitation: boolean;
}

/** Return the default game of a title: the creator against the best bot, or more bots if the edition needs them. */
export function defaultDraft(title: Title, me: string): Draft {
  const edition = editionOf(title, title.defaultEdition);
  const count = Math.max(2, edition?.playersMin ?? 2);
  return {
    title: title.id,
    edition: edition?.id ?? "",
    seats: resizeSeats([], count, me, title.bots[0]?.id ?? ""),
    options: {},
    readings: {},
    time: noTime(),
    spectators: true,
    byInvitation: false,
  };
}

/** Return a draft with the settings of another game; `own` are the seats of this browser. */
export function draftFromGame(game: Game, own: readonly { seat: number; name: string }[]): Draft {
  const { title, edition, options, readings, timeControl } = game;
  return {
    title,
    edition,
    seats: rematchSeats(game, own),
    options: { ...options },
    readings: { ...readings },
    time: timeDraftOf(timeControl),
    spectators: true,
    byInvitation: false,
  };
}

/** Return the draft adapted to another title or edition, with a number of seats that it allows. */
export function fitDraft(draft: Draft, title: Title, edition: string, me: string): Draft {
  const found = editionOf(title, edition);
  if (found === undefined) return draft;
  const counts = seatCounts(found);
  const count = counts.includes(draft.seats.length)
    ? draft.seats.length
    : Math.min(Math.max(draft.seats.length, counts[0] ?? 1), counts.at(-1) ?? 1);
  const bots = title.bots.map(({ id }) => id);
  const seats = resizeSeats(draft.seats, count, me, bots[0] ?? "").map((seat) => ({
    ...seat,
    bot: bots.includes(seat.bot) ? seat.bot : (bots[0] ?? ""),
  }));
  const other = title.id !== draft.title;
  return {
    ...draft,
    title: title.id,
    edition: found.id,
    seats,
    options: other ? {} : draft.options,
    readings: other ? {} : draft.readings,
  };
}

/** Return the title, edition and number of seats that options depend on. */
export function setupOf(draft: Draft, title: Title): GameSetup | undefined {
  const edition = editionOf(title, draft.edition);
  return edition && { title, edition, seats: draft.seats.length };
}

/** Return the request for a new game; it contains only choices that differ from the defaults. */
export function newGameRequest(draft: Draft, title: Title) {
  const setup = setupOf(draft, title);
  const timeControl = timeControlOf(draft.time);
  return {
    title: draft.title,
    edition: draft.edition,
    options: setup ? changedChoices(title.options, draft.options, setup) : {},
    readings: setup ? changedChoices(title.readings, draft.readings, setup) : {},
    ...commonRequest(draft, timeControl),
  };
}

/** Return the fields that requests for new games and forks share. */
export function commonRequest(
  draft: Pick<Draft, "seats" | "spectators" | "byInvitation">,
  timeControl: ReturnType<typeof timeControlOf>,
) {
  return {
    seats: seatRequests(draft.seats),
    byInvitation: draft.byInvitation && hasLocalPlayer(draft.seats) && draft.seats.some(({ who }) => who === "open"),
    ...(draft.spectators ? {} : { spectators: false }),
    ...(timeControl ? { timeControl } : {}),
  };
}

/** Return whether a seat needs a "bot" tag: the names "Bot 2" and "Opponent" do not. */
export function needsBotTag({ seat, name, bot, displayName }: Game["seats"][number], words: Words): boolean {
  return bot !== "" && (name !== "" || displayName === `${words.seat} ${seat}`);
}

/** Return the name of a seat, or the word for an open seat. */
export function seatName(seat: Game["seats"][number] | undefined, number: number, words: Words): string {
  if (seat === undefined) return `${words.seat} ${number}`;
  return seat.taken ? seat.displayName : words.lobby.free;
}
