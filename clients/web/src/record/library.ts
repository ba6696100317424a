/** What is known of titles where no service answers: made at build by `tools/export_titles.py`. */

import type { GetTitleResponse } from "@boardkeeper/client";
import { GetTitleResponseSchema } from "@boardkeeper/client/gen/boardkeeper/v1/catalog_pb";
import { create, fromJson, type JsonValue } from "@bufbuild/protobuf";
import type { ExportedWords } from "./sentences";

/** What a game is played with, as its first event says. */
export interface Setup {
  readonly edition: string;
  readonly players: number;
  readonly options: Readonly<Record<string, string>>;
  readonly readings: Readonly<Record<string, string>>;
}

type Entries = readonly { readonly id: string }[];

/** Lists of the catalogue whose entries have ids, and what else a setup may change. */
interface Listed {
  readonly components?: Entries;
  readonly zones?: Entries;
  readonly markers?: Entries;
  readonly decisions?: Entries;
  readonly map?: JsonValue;
}

/** The catalogue of an edition for its defaults and the most players, and what is otherwise with other setups. */
export interface ExportedEdition {
  readonly catalogue: Listed & { readonly [name: string]: unknown };
  readonly variants: readonly (Listed & { readonly of: Partial<Omit<Setup, "edition">> })[];
}

/** Files by their names without the ending: `words.en`, `TITLE.en`, `TITLE.EDITION.en`. */
export interface Library {
  /** What a file says; `undefined` if there is none of that name. */
  read(name: string): Promise<unknown>;
}

const LISTS = ["components", "zones", "markers", "decisions"] as const;

/** The catalogue for one setup; of a title or edition that is not known here, its bare ids. */
export async function catalogueOf(
  library: Library,
  title: string,
  setup: Setup,
  language: string,
): Promise<GetTitleResponse> {
  const exported = (await library.read(`${title}.${setup.edition}.${language}`)) as ExportedEdition | undefined;
  if (!exported) return create(GetTitleResponseSchema, { title: { id: title, text: title }, edition: setup.edition });
  const entry: Record<string, unknown> = { ...exported.catalogue };
  for (const variant of exported.variants) {
    if (!holds(variant.of, setup)) continue;
    for (const list of LISTS) if (variant[list]) entry[list] = replaced((entry[list] ?? []) as Entries, variant[list]);
    if (variant.map !== undefined) entry.map = variant.map;
  }
  return fromJson(GetTitleResponseSchema, entry as JsonValue, { ignoreUnknownFields: true });
}

/** The words of a language: of a title, or of every game (`words`). */
export async function wordsOf(library: Library, whose: string, language: string): Promise<ExportedWords | undefined> {
  return (await library.read(`${whose}.${language}`)) as ExportedWords | undefined;
}

function holds({ players, options = {}, readings = {} }: Partial<Setup>, setup: Setup): boolean {
  const chosen = (asked: Readonly<Record<string, string>>, given: Readonly<Record<string, string>>) =>
    Object.entries(asked).every(([id, choice]) => given[id] === choice);
  return (
    (players === undefined || players === setup.players) &&
    chosen(options, setup.options) &&
    chosen(readings, setup.readings)
  );
}

/** The entries with those of another list in the place of their like, and the new ones behind them. */
function replaced(entries: Entries, others: Entries): Entries {
  const found = new Map(entries.map((entry) => [entry.id, entry]));
  for (const other of others) found.set(other.id, other);
  return [...found.values()];
}
