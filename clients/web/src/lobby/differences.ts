/** Differences between editions of a title, with names in place of catalogue ids. */
import type { Component, GetTitleResponse } from "@boardkeeper/client";

const MAX_PLACES = 2;

/** Last parts of ids of translated names. */
const LANGUAGES = new Set(["en", "de"]);

/** The subject of a row. */
export type DifferenceKind = "players" | "reading" | "component" | "table";

export interface DifferenceRow {
  readonly id: string;
  readonly kind: DifferenceKind;
  /** Names from the most general to the most specific one. Empty for the number of players. */
  readonly path: readonly string[];
  /** The value in each edition, in the title's order of editions; empty if it has none. */
  readonly values: readonly string[];
  /** The rulebook reference of each edition, in the same order; empty if it has none. */
  readonly references: readonly string[];
}

/** Texts for truth values, and the language of names. */
export interface RowWords {
  readonly yes: string;
  readonly no: string;
  readonly language: string;
}

/**
 * Return the rows of all differences, in the catalogue's order, without names in other languages. `components` contains
 * those of other editions, because the catalogue has only those of one edition.
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
    const row = { id, references: editions.map((edition) => shortenReferences(references[edition] ?? "")) };
    if (first === "players") return [{ ...row, kind: "players", path: [], values: each((it) => it.replace("-", "–")) }];
    if (first === "reading") {
      const reading = readings.get(about);
      const choices = new Map(reading?.choices.map((choice) => [choice.id, choice.text]));
      return [
        {
          ...row,
          kind: "reading",
          path: [reading?.text ?? readableId(about)],
          values: each((it) => choices.get(it) ?? readableId(it)),
        },
      ];
    }
    if (first === "component") {
      return [{ ...row, kind: "component", path: [names.get(about) ?? readableId(about)], values: each((it) => it) }];
    }
    return [
      {
        ...row,
        kind: "table",
        path: rest.map((part) => names.get(part) ?? readableId(part)),
        values: each((it) => valueText(it, names, yes, no)),
      },
    ];
  });
}

/** Shorten a list of references: the value of a whole table is often referenced in many places. */
function shortenReferences(reference: string): string {
  const places = reference.split("; ");
  return places.length > MAX_PLACES ? `${places.slice(0, MAX_PLACES).join("; ")}; …` : reference;
}

function valueText(value: string, names: ReadonlyMap<string, string>, yes: string, no: string): string {
  if (value === "True") return yes;
  if (value === "False") return no;
  return value
    .split(", ")
    .map((part) => names.get(part) ?? (/^[a-z][a-z0-9_]*$/.test(part) ? readableId(part) : part))
    .join(", ");
}

function readableId(id: string): string {
  return id.replace(/[._]/g, " ");
}
