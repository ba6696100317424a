/** Time control of a new game, in units that players use. */

/** No limit; a time per move; a time per game with an increment per move; days per move. */
export type TimeKind = "none" | "move" | "game" | "days";

export interface TimeDraft {
  kind: TimeKind;
  /** Per move, or per game. */
  minutes: number;
  /** Seconds added after each move; only with a time per game. */
  increment: number;
  days: number;
  onExpiry: "bot" | "resign";
}

/** The time control as the server has it; `seconds` and `increment` are in seconds. */
export interface TimeControl {
  readonly kind: string;
  readonly seconds: number;
  readonly increment: number;
  readonly onExpiry: string;
}

const MINUTE = 60;
const DAY = 86_400;

export const noTime = (): TimeDraft => ({ kind: "none", minutes: 30, increment: 30, days: 3, onExpiry: "bot" });

/** Return the time control for a request; undefined for no limit. */
export function timeControlOf(time: TimeDraft): (TimeControl & { onExpiry: "bot" | "resign" }) | undefined {
  const { kind, minutes, increment, days, onExpiry } = time;
  if (kind === "none") return undefined;
  if (kind === "days") return { kind: "move", seconds: roundSeconds(days * DAY), increment: 0, onExpiry };
  return {
    kind,
    seconds: roundSeconds(minutes * MINUTE),
    increment: kind === "game" ? roundSeconds(increment) : 0,
    onExpiry,
  };
}

/** Return the form values of a time control. */
export function timeDraftOf(control: TimeControl | undefined): TimeDraft {
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

/** Round a number from an input; the server rejects a number out of range. */
function roundSeconds(seconds: number): number {
  return Number.isFinite(seconds) ? Math.round(Math.min(seconds, 2_147_483_647)) : 0;
}

/** Texts for {@link describeTime}. */
export interface TimeWords {
  move(time: string): string;
  game(time: string, increment: number): string;
  minutes(count: number): string;
  days(count: number): string;
}

/** Describe a time control in a few words. */
export function describeTime(control: TimeControl, words: TimeWords): string {
  const { kind, minutes, days, increment } = timeDraftOf(control);
  if (kind === "game") return words.game(words.minutes(round(minutes)), increment);
  return words.move(kind === "days" ? words.days(days) : words.minutes(round(minutes)));
}

const round = (minutes: number) => Math.round(minutes * 10) / 10;
