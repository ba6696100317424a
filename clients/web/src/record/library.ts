/** Catalogues and texts of titles without a server, exported by `tools/export_titles.py` at build time. */

import type { GetTitleResponse } from "@boardkeeper/client";
import { GetTitleResponseSchema } from "@boardkeeper/client/gen/boardkeeper/v1/catalog_pb";
import { create, fromJson, type JsonValue } from "@bufbuild/protobuf";
import type { ExportedWords } from "./sentences";

/** The settings of a game, from its first event. */
export interface Setup {
  readonly edition: string;
  readonly players: number;
  readonly options: Readonly<Record<string, string>>;
  readonly readings: Readonly<Record<string, string>>;
}

type Entries = readonly { readonly id: string }[];

/** Lists of the catalogue whose entries have ids, and other parts that a setup may change. */
interface Listed {
  readonly components?: Entries;
  readonly zones?: Entries;
  readonly markers?: Entries;
  readonly decisions?: Entries;
  readonly map?: JsonValue;
}

/** The catalogue of an edition for its defaults and most players, and its changes for other setups. */
export interface ExportedEdition {
  readonly catalogue: Listed & { readonly [name: string]: unknown };
  readonly variants: readonly (Listed & { readonly of: Partial<Omit<Setup, "edition">> })[];
}

/** Files by name without extension: `words.en`, `TITLE.en`, `TITLE.EDITION.en`. */
export interface Library {
  /** Return the content of a file; `undefined` if it does not exist. */
  read(name: string): Promise<unknown>;
}

const LISTS = ["components", "zones", "markers", "decisions"] as const;

/** Return the catalogue for a setup; only ids for an unknown title or edition. */
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
    if (!appliesTo(variant.of, setup)) continue;
    for (const list of LISTS)
      if (variant[list]) entry[list] = mergeEntries((entry[list] ?? []) as Entries, variant[list]);
    if (variant.map !== undefined) entry.map = variant.map;
  }
  return fromJson(GetTitleResponseSchema, entry as JsonValue, { ignoreUnknownFields: true });
}

/** Return the texts of a title, or of all games (`words`), in a language. */
export async function wordsOf(library: Library, whose: string, language: string): Promise<ExportedWords | undefined> {
  return (await library.read(`${whose}.${language}`)) as ExportedWords | undefined;
}

function appliesTo({ players, options = {}, readings = {} }: Partial<Setup>, setup: Setup): boolean {
  const includes = (required: Readonly<Record<string, string>>, chosen: Readonly<Record<string, string>>) =>
    Object.entries(required).every(([id, choice]) => chosen[id] === choice);
  return (
    (players === undefined || players === setup.players) &&
    includes(options, setup.options) &&
    includes(readings, setup.readings)
  );
}

/** Replace entries by those of another list with the same id, and append the others. */
function mergeEntries(entries: Entries, others: Entries): Entries {
  const found = new Map(entries.map((entry) => [entry.id, entry]));
  for (const other of others) found.set(other.id, other);
  return [...found.values()];
}
