/**
 * What can be chosen for a new game, as the catalogue explains it: which choices an edition has, which of them go with a number of
 * players, and what holds where nobody chooses. The service has the last word; this is for telling people before they ask it.
 */
import type { Title } from "@boardkeeper/client";

export type Edition = Title["editions"][number];
export type Option = Title["options"][number];
export type Choice = Option["choices"][number];

/** One person against the rules counts as two players. */
const ALONE_COUNTS_AS = 2;

/** For whom a game is made. */
export interface Table {
  readonly title: Title;
  readonly edition: Edition;
  /** How many seats somebody takes; 1: alone, against the rules. */
  readonly seats: number;
}

/** A choice, and whether it goes with the table. */
export interface Offer {
  readonly choice: Choice;
  /** Whether it holds if nobody chooses. */
  readonly isDefault: boolean;
  /** Why it cannot be chosen: only with these numbers of players, only alone, not alone; absent: it can. */
  readonly barred?: { readonly players: readonly number[] } | "only alone" | "not alone";
}

/** The editions of a title, by id; the default one for an id that there is not. */
export function editionOf(title: Title, id: string): Edition | undefined {
  return (
    title.editions.find((each) => each.id === id) ??
    title.editions.find((each) => each.id === title.defaultEdition) ??
    title.editions[0]
  );
}

/** Whether an edition has there something to choose. */
export function isFor(option: Option, edition: Edition): boolean {
  return option.editions.length === 0 || option.editions.includes(edition.id);
}

/** What an option or reading can be at a table, in the catalogue's order. */
export function offers(option: Option, table: Table): readonly Offer[] {
  const holding = defaultOf(option, table);
  return option.choices.map((choice) => {
    const why = barred(option, choice, table);
    return { choice, isDefault: choice.id === holding, ...(why === undefined ? {} : { barred: why }) };
  });
}

/** The choice that holds if nobody chooses: the game alone has its own, then the edition's, then the title's. */
export function defaultOf(option: Option, table: Table): string {
  const { title, edition, seats } = table;
  const alone = seats === 1 ? title.alone[option.id] : undefined;
  const wanted = alone ?? edition.readings[option.id] ?? option.default;
  const open = option.choices.filter((choice) => barred(option, choice, table) === undefined).map(({ id }) => id);
  return open.includes(wanted) ? wanted : (open[0] ?? wanted);
}

/** What holds: what was chosen, if it can be, or else the default. */
export function inForce(option: Option, chosen: Readonly<Record<string, string>>, table: Table): string {
  const wanted = chosen[option.id];
  const possible = offers(option, table).some(({ choice, barred }) => choice.id === wanted && barred === undefined);
  return wanted !== undefined && possible ? wanted : defaultOf(option, table);
}

/** The choices that differ from what would hold anyway, as a request has them. */
export function chosenOf(
  options: readonly Option[],
  chosen: Readonly<Record<string, string>>,
  table: Table,
): Record<string, string> {
  const different: Record<string, string> = {};
  for (const option of options) {
    if (!isFor(option, table.edition)) continue;
    const value = inForce(option, chosen, table);
    if (value !== defaultOf(option, table)) different[option.id] = value;
  }
  return different;
}

/** The numbers of seats that an edition is for. */
export function seatCounts({ playersMin, playersMax }: Edition): readonly number[] {
  return Array.from({ length: Math.max(0, playersMax - playersMin + 1) }, (_, index) => playersMin + index);
}

function barred(option: Option, choice: Choice, { title, seats }: Table): Offer["barred"] {
  // The options with which the rules play along are for who plays alone: with more people at the table nobody sits there for them.
  if (option.id in title.alone) {
    if (seats === 1 && choice.id === option.default) return "not alone";
    if (seats > 1 && choice.id !== option.default) return "only alone";
  }
  const players = seats === 1 ? ALONE_COUNTS_AS : seats;
  return choice.players.length === 0 || choice.players.includes(players) ? undefined : { players: choice.players };
}
