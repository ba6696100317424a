/** Rounds, marker values and highlights derived from the events of a game. */
import type { Event } from "@boardkeeper/client";
import { subjectKey } from "./selection";

/** The start of a round. */
export interface Round {
  readonly round: number;
  readonly version: number;
}

/** A version, and the value of a marker from that version on. */
export type Point = readonly [version: number, value: number];

/** Return the start of each round, according to the marker that counts them. */
export function roundsOf(events: readonly Event[], marker: string | undefined): Round[] {
  const found: Round[] = [];
  for (const { version, after } of settings(events, marker))
    if (after !== undefined && !found.some(({ round }) => round === after)) found.push({ round: after, version });
  return found;
}

/** Return the numbers of a marker over time; `first` is the version before the events. */
export function valuesOverTime(events: readonly Event[], first: number, marker: string | undefined): Point[] {
  const points: Point[] = [];
  for (const { version, before, after } of settings(events, marker)) {
    if (points.length === 0 && before !== undefined) points.push([first, before]);
    if (after !== undefined) points.push([version, after]);
  }
  return points;
}

function* settings(events: readonly Event[], marker: string | undefined) {
  for (const { version, effects } of events)
    for (const { effect } of effects) {
      if (effect.case !== "set" || effect.value.marker !== marker) continue;
      const [before, after] = [effect.value.before?.value, effect.value.after?.value].map((value) =>
        value?.case === "number" ? Number(value.value) : undefined,
      );
      yield { version: Number(version), before, after };
    }
}

/** Return the keys of subjects that an event changed, for highlighting. */
export function changedSubjects(event: Event | undefined): ReadonlySet<string> {
  const keys = new Set<string>();
  for (const { effect } of event?.effects ?? []) {
    if (effect.case === "move") {
      keys.add(subjectKey({ zone: effect.value.target }));
      keys.add(subjectKey({ zone: effect.value.target, component: effect.value.component }));
    } else if (effect.case === "set") keys.add(subjectKey({ marker: effect.value.marker }));
  }
  return keys;
}

/** Return whether an event changes the `Game` resource: seats, undo votes, or status. */
export function changesGame({ name }: Event): boolean {
  return NEWS.has(name);
}

/** Return whether a seat has a command that can be undone. Commands of bots have no id and do not count. */
export function hasCommandInForce(events: readonly Event[], seat: number): boolean {
  let own: bigint[] = [];
  for (const event of events) {
    const { detail } = event.detail ?? {};
    if (detail?.case === "undone") own = own.filter((version) => version < detail.value.firstVersion);
    else if (event.seat === seat && (detail?.case === "seatHandedToBot" || detail?.case === "timeExpired")) return true;
    else if (event.commandId && (event.seat === seat || event.seat === 0) && !changesGame(event))
      own.push(event.version);
  }
  return own.length > 0;
}

const NEWS = new Set([
  "SeatJoined",
  "GameStarted",
  "GameEnded",
  "UndoRequested",
  "UndoConsented",
  "UndoDeclined",
  "Undone",
  "SeatHandedToBot",
  "SeatTakenBack",
  "SeatResigned",
  "TimeExpired",
]);
