/** What time people have in a new game, in the units in which people say it. */

/** None; so much for each move; so much for the game, and more after each move; so many days for each move. */
export type TimeKind = "none" | "move" | "game" | "days";

export interface TimeDraft {
  kind: TimeKind;
  /** For each move, or for the game. */
  minutes: number;
  /** What is added after each move, in seconds; for the game only. */
  increment: number;
  days: number;
  onExpiry: "bot" | "resign";
}

/** As the service has it; `seconds` and `increment` in seconds. */
export interface Control {
  readonly kind: string;
  readonly seconds: number;
  readonly increment: number;
  readonly onExpiry: string;
}

const MINUTE = 60;
const DAY = 86_400;

export const noTime = (): TimeDraft => ({ kind: "none", minutes: 30, increment: 30, days: 3, onExpiry: "bot" });

/** What to ask the service for; nothing where people have as much time as they like. */
export function controlOf(time: TimeDraft): (Control & { onExpiry: "bot" | "resign" }) | undefined {
  const { kind, minutes, increment, days, onExpiry } = time;
  if (kind === "none") return undefined;
  if (kind === "days") return { kind: "move", seconds: whole(days * DAY), increment: 0, onExpiry };
  return {
    kind,
    seconds: whole(minutes * MINUTE),
    increment: kind === "game" ? whole(increment) : 0,
    onExpiry,
  };
}

/** The same as it is filled in on the page. */
export function draftOf(control: Control | undefined): TimeDraft {
  const draft = noTime();
  if (control === undefined) return draft;
  draft.onExpiry = control.onExpiry === "resign" ? "resign" : "bot";
  if (control.kind === "move" && control.seconds > 0 && control.seconds % DAY === 0) {
    return { ...draft, kind: "days", days: control.seconds / DAY };
  }
  draft.minutes = control.seconds / MINUTE;
  return control.kind === "game"
    ? { ...draft, kind: "game", increment: control.increment }
    : { ...draft, kind: "move" };
}

/** A number that was typed in; the service says what is wrong with one that is none. */
function whole(seconds: number): number {
  return Number.isFinite(seconds) ? Math.round(Math.min(seconds, 2_147_483_647)) : 0;
}

/** The words for {@link timeSaid}. */
export interface TimeWords {
  move(time: string): string;
  game(time: string, increment: number): string;
  minutes(count: number): string;
  days(count: number): string;
}

/** What time people have, in a few words. */
export function timeSaid(control: Control, words: TimeWords): string {
  const { kind, minutes, days, increment } = draftOf(control);
  if (kind === "game") return words.game(words.minutes(round(minutes)), increment);
  return words.move(kind === "days" ? words.days(days) : words.minutes(round(minutes)));
}

const round = (minutes: number) => Math.round(minutes * 10) / 10;
