/** A new game as it is put together on the page, and what the service is asked for in the end. */
import type { Game, Title } from "@boardkeeper/client";
import type { Words } from "../words/words";
import { chosenOf, editionOf, seatCounts, type Table } from "./choices";
import { again, requested, type SeatDraft, seated, somebodyHere } from "./seating";
import { controlOf, draftOf, noTime, type TimeDraft } from "./time";

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

/** A game of a title as most want it: two at the table, whoever makes it and the best bot. */
export function draftFor(title: Title, me: string): Draft {
  const edition = editionOf(title, title.defaultEdition);
  const count = Math.max(2, edition?.playersMin ?? 2);
  return {
    title: title.id,
    edition: edition?.id ?? "",
    seats: seated([], count, me, title.bots[0]?.id ?? ""),
    options: {},
    readings: {},
    time: noTime(),
    spectators: true,
    byInvitation: false,
  };
}

/** The same game once more, with the same seats; `own` are those that are played here. */
export function draftLike(game: Game, own: readonly { seat: number; name: string }[]): Draft {
  const { title, edition, options, readings, timeControl } = game;
  return {
    title,
    edition,
    seats: again(game, own),
    options: { ...options },
    readings: { ...readings },
    time: draftOf(timeControl),
    spectators: true,
    byInvitation: false,
  };
}

/** The draft for another title or edition: as many seats as it allows. */
export function fitted(draft: Draft, title: Title, edition: string, me: string): Draft {
  const found = editionOf(title, edition);
  if (found === undefined) return draft;
  const counts = seatCounts(found);
  const count = counts.includes(draft.seats.length)
    ? draft.seats.length
    : Math.min(Math.max(draft.seats.length, counts[0] ?? 1), counts.at(-1) ?? 1);
  const bots = title.bots.map(({ id }) => id);
  const seats = seated(draft.seats, count, me, bots[0] ?? "").map((seat) => ({
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

/** For whom the catalogue's choices are asked. */
export function tableOf(draft: Draft, title: Title): Table | undefined {
  const edition = editionOf(title, draft.edition);
  return edition && { title, edition, seats: draft.seats.length };
}

/** What the service is asked for: whatever differs from what would hold anyway. */
export function requestOf(draft: Draft, title: Title) {
  const table = tableOf(draft, title);
  const timeControl = controlOf(draft.time);
  return {
    title: draft.title,
    edition: draft.edition,
    options: table ? chosenOf(title.options, draft.options, table) : {},
    readings: table ? chosenOf(title.readings, draft.readings, table) : {},
    ...tableRequest(draft, timeControl),
  };
}

/** What new games and forks have in common. */
export function tableRequest(
  draft: Pick<Draft, "seats" | "spectators" | "byInvitation">,
  timeControl: ReturnType<typeof controlOf>,
) {
  return {
    seats: requested(draft.seats),
    byInvitation: draft.byInvitation && somebodyHere(draft.seats) && draft.seats.some(({ who }) => who === "open"),
    ...(draft.spectators ? {} : { spectators: false }),
    ...(timeControl ? { timeControl } : {}),
  };
}

/** Whether a tag has to say that a bot plays a seat: the names "Bot 2" and "Opponent" say it themselves. */
export function needsBotTag({ seat, name, bot, displayName }: Game["seats"][number], words: Words): boolean {
  return bot !== "" && (name !== "" || displayName === `${words.seat} ${seat}`);
}

/** The name of a seat, as the service has it; of a free seat, that it is free. */
export function nameOf(seat: Game["seats"][number] | undefined, number: number, words: Words): string {
  if (seat === undefined) return `${words.seat} ${number}`;
  return seat.taken ? seat.displayName : words.lobby.free;
}
