/**
 * Draws tables as pictures where there is no page: the very stage of the browser client, written as SVG.
 *
 * Whoever runs it (`boardkeeper.terminal.pictures`) has it do a thing by its name, lets what waits go on, and takes the answer.
 */
import { GameSchema, KnownTable } from "@boardkeeper/client";
import { GetTitleResponseSchema } from "@boardkeeper/client/gen/boardkeeper/v1/catalog_pb";
import { TableSchema } from "@boardkeeper/client/gen/boardkeeper/v1/table_pb";
import { fromJson, type JsonValue } from "@bufbuild/protobuf";
import { measureWith } from "../stage/measuring";
import { Guide } from "../table/guide";
import { type Language, languages } from "../words/words";
import { type Asked, type Picture, pictureOf } from "./picturing";
import { type Moment, RecordedGame } from "./recorded";
import { widthOf } from "./widths";

measureWith(widthOf);

/** A game whose tables are drawn. */
interface Opened {
  readonly guide: Guide;
  readonly record?: RecordedGame;
}

/** What is told of a game that was opened. */
interface Told {
  /** By which it is named from now on. */
  readonly number: number;
  readonly title: string;
  /** Of a record: its game, whose it is, and what happened. */
  readonly game?: string;
  readonly viewer?: string;
  readonly moments?: readonly Moment[];
  /** The marker that counts rounds; empty if the title has none. */
  readonly rounds: string;
}

const games = new Map<number, Opened>();
let opened = 0;

function open(game: Opened): Told {
  games.set(++opened, game);
  const { guide, record } = game;
  const title = guide.catalogue.title?.text ?? guide.title;
  const told = { number: opened, title, rounds: guide.roundMarker ?? "" };
  return record ? { ...told, game: record.game, viewer: record.whose, moments: record.moments } : told;
}

function gameOf(number: number): Opened {
  const game = games.get(number);
  if (!game) throw new Error("no such game is open");
  return game;
}

const read = { ignoreUnknownFields: true };

const deeds = {
  /** A game of a service: its entry in the catalogue (`GetTitleResponse`) and the `Game`, as protobuf's JSON. */
  openGame(catalogue: JsonValue, game: JsonValue, language: Language): Told {
    const entry = fromJson(GetTitleResponseSchema, catalogue, read);
    const { seats } = fromJson(GameSchema, game, read);
    return open({ guide: new Guide(entry, { seats }, languages[language]) });
  },

  /** A record, with the files of the library that it needs, by their names, as its `viewer` sees it (empty: whose record it is). */
  async openRecord(text: string, files: Record<string, unknown>, language: Language, viewer: string): Promise<Told> {
    const record = await RecordedGame.of(text, files, language, viewer);
    return open({ guide: record.guide, record });
  },

  /** The table of a record at a version. */
  drawRecord(number: number, version: number, asked: Asked): Picture {
    const { guide, record } = gameOf(number);
    if (!record) throw new Error("that game is no record");
    return pictureOf(record.table(version), guide, asked);
  },

  /** A table (`Table`, as protobuf's JSON) of a game of a service. */
  drawTable(number: number, table: JsonValue, asked: Asked): Picture {
    return pictureOf(KnownTable.of(fromJson(TableSchema, table, read)), gameOf(number).guide, asked);
  },

  /** Forget a game. */
  close(number: number): void {
    games.delete(number);
  },
};

let found = "";

/** Do one of these things; what it is given is a list as JSON. */
export function call(name: string, given: string): void {
  found = "";
  const deed = (deeds as Record<string, (...given: unknown[]) => unknown>)[name];
  new Promise((resolve) => resolve(deed?.(...JSON.parse(given)))).then(
    (value) => (found = JSON.stringify({ value: value ?? null })),
    (error) => (found = JSON.stringify({ error: String(error) })),
  );
}

/** What came of it, as JSON: a `value`, or an `error`; empty while nothing has. */
export function answer(): string {
  return found;
}
