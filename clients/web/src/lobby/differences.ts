/** What editions of a title differ in, from the catalogue's ids to something to read. */
import type { Component, GetTitleResponse } from "@boardkeeper/client";

const MOST_PLACES = 2;

/** The last parts of the ids of names in the tables. */
const LANGUAGES = new Set(["en", "de"]);

/** What a row is about. */
export type DifferenceKind = "players" | "reading" | "component" | "table";

export interface DifferenceRow {
  readonly id: string;
  readonly kind: DifferenceKind;
  /** What it is, the widest first: of a table's value the path to it. Empty for the number of players. */
  readonly path: readonly string[];
  /** What each edition has, in the title's order of editions; empty: nothing. */
  readonly values: readonly string[];
  /** Where each edition's rulebook speaks of it, in the same order; empty: nowhere. */
  readonly references: readonly string[];
}

/** The words for rows: what truth values say, and the language of the reader. */
export interface RowWords {
  readonly yes: string;
  readonly no: string;
  readonly language: string;
}

/**
 * The rows of all differences, in the catalogue's order, without names in other languages. `components` are those of other
 * editions, because the catalogue has only those of its own.
 */
export function differenceRows(
  catalogue: GetTitleResponse,
  { yes, no, language }: RowWords,
  components: readonly Component[] = [],
): DifferenceRow[] {
  const editions = catalogue.title?.editions.map(({ id }) => id) ?? [];
  const names = new Map([...components, ...catalogue.components].map(({ id, text }) => [id, text]));
  const readings = new Map(catalogue.title?.readings.map((reading) => [reading.id, reading]));
  return catalogue.differences.flatMap(({ id, values, references }): DifferenceRow[] => {
    const [first = "", ...rest] = id.split(".");
    if (first === "table" && LANGUAGES.has(rest.at(-1) ?? "") && rest.pop() !== language) return [];
    const about = rest.join(".");
    const each = (text: (value: string) => string) => editions.map((edition) => text(values[edition] ?? ""));
    const row = { id, references: editions.map((edition) => brief(references[edition] ?? "")) };
    if (first === "players") return [{ ...row, kind: "players", path: [], values: each((it) => it.replace("-", "–")) }];
    if (first === "reading") {
      const reading = readings.get(about);
      const choices = new Map(reading?.choices.map((choice) => [choice.id, choice.text]));
      return [
        {
          ...row,
          kind: "reading",
          path: [reading?.text ?? readable(about)],
          values: each((it) => choices.get(it) ?? readable(it)),
        },
      ];
    }
    if (first === "component") {
      return [{ ...row, kind: "component", path: [names.get(about) ?? readable(about)], values: each((it) => it) }];
    }
    return [
      {
        ...row,
        kind: "table",
        path: rest.map((part) => names.get(part) ?? readable(part)),
        values: each((it) => said(it, names, yes, no)),
      },
    ];
  });
}

/** The first places of many: a value that belongs to a whole table is spoken of wherever the table is. */
function brief(reference: string): string {
  const places = reference.split("; ");
  return places.length > MOST_PLACES ? `${places.slice(0, MOST_PLACES).join("; ")}; …` : reference;
}

function said(value: string, names: ReadonlyMap<string, string>, yes: string, no: string): string {
  if (value === "True") return yes;
  if (value === "False") return no;
  return value
    .split(", ")
    .map((part) => names.get(part) ?? (/^[a-z][a-z0-9_]*$/.test(part) ? readable(part) : part))
    .join(", ");
}

function readable(id: string): string {
  return id.replace(/[._]/g, " ");
}
