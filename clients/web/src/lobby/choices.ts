/**
 * Options and readings for a new game, from the catalogue: which choices exist, which are available for the number of
 * players, and the defaults. The server validates them again; this module lets the form show them before a request.
 */
import type { Title } from "@boardkeeper/client";

export type Edition = Title["editions"][number];
export type Option = Title["options"][number];
export type Choice = Option["choices"][number];

/** A solo player against the automaton counts as two players. */
const ALONE_COUNTS_AS = 2;

/** The title, edition and number of players that options depend on. */
export interface GameSetup {
  readonly title: Title;
  readonly edition: Edition;
  /** Number of seats without automata; 1 is a solo game. */
  readonly seats: number;
}

/** A choice, and whether it is available. */
export interface AvailableChoice {
  readonly choice: Choice;
  /** Whether it is the default. */
  readonly isDefault: boolean;
  /**
   * Why it is not available: it needs one of these numbers of players, a solo game, or more than one player. Absent if
   * it is available.
   */
  readonly unavailable?: { readonly players: readonly number[] } | "only alone" | "not alone";
}

/** Return an edition of a title, or the default edition for an unknown id. */
export function editionOf(title: Title, id: string): Edition | undefined {
  return (
    title.editions.find((each) => each.id === id) ??
    title.editions.find((each) => each.id === title.defaultEdition) ??
    title.editions[0]
  );
}

/** Return whether an option exists in an edition. */
export function existsIn(option: Option, edition: Edition): boolean {
  return option.editions.length === 0 || option.editions.includes(edition.id);
}

/** Return the choices of an option or reading, in the catalogue's order. */
export function choicesOf(option: Option, setup: GameSetup): readonly AvailableChoice[] {
  const defaultId = defaultChoice(option, setup);
  return option.choices.map((choice) => {
    const why = unavailability(option, choice, setup);
    return { choice, isDefault: choice.id === defaultId, ...(why === undefined ? {} : { unavailable: why }) };
  });
}

/**
 * Return the default choice. Defaults of the solo game come first, then those of the edition, then those of the title.
 */
export function defaultChoice(option: Option, setup: GameSetup): string {
  const { title, edition, seats } = setup;
  const alone = seats === 1 ? title.alone[option.id] : undefined;
  const wanted = alone ?? edition.readings[option.id] ?? option.default;
  const open = option.choices
    .filter((choice) => unavailability(option, choice, setup) === undefined)
    .map(({ id }) => id);
  return open.includes(wanted) ? wanted : (open[0] ?? wanted);
}

/** Return the selected choice if it is available, otherwise the default. */
export function effectiveChoice(option: Option, chosen: Readonly<Record<string, string>>, setup: GameSetup): string {
  const wanted = chosen[option.id];
  const possible = choicesOf(option, setup).some(
    ({ choice, unavailable }) => choice.id === wanted && unavailable === undefined,
  );
  return wanted !== undefined && possible ? wanted : defaultChoice(option, setup);
}

/** Return the choices that differ from the defaults, as a request needs them. */
export function changedChoices(
  options: readonly Option[],
  chosen: Readonly<Record<string, string>>,
  setup: GameSetup,
): Record<string, string> {
  const different: Record<string, string> = {};
  for (const option of options) {
    if (!existsIn(option, setup.edition)) continue;
    const value = effectiveChoice(option, chosen, setup);
    if (value !== defaultChoice(option, setup)) different[option.id] = value;
  }
  return different;
}

/** Return the numbers of seats that an edition supports. */
export function seatCounts({ playersMin, playersMax }: Edition): readonly number[] {
  return Array.from({ length: Math.max(0, playersMax - playersMin + 1) }, (_, index) => playersMin + index);
}

function unavailability(option: Option, choice: Choice, { title, seats }: GameSetup): AvailableChoice["unavailable"] {
  // Options that change the automaton apply only to solo games.
  if (option.id in title.alone) {
    if (seats === 1 && choice.id === option.default) return "not alone";
    if (seats > 1 && choice.id !== option.default) return "only alone";
  }
  const players = seats === 1 ? ALONE_COUNTS_AS : seats;
  return choice.players.length === 0 || choice.players.includes(players) ? undefined : { players: choice.players };
}
