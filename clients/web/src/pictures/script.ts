/**
 * Draws tables as SVG without a page, with the stage of the web client. The host (`boardkeeper.terminal.pictures`)
 * calls a function by name, runs pending jobs, and reads the answer.
 */
import { GameSchema, KnownTable } from "@boardkeeper/client";
import { GetTitleResponseSchema } from "@boardkeeper/client/gen/boardkeeper/v1/catalog_pb";
import { TableSchema } from "@boardkeeper/client/gen/boardkeeper/v1/table_pb";
import { fromJson, type JsonValue } from "@bufbuild/protobuf";
import { measureWith } from "../stage/textWidth";
import { Guide } from "../table/guide";
import { type Language, languages } from "../words/words";
import { drawPicture, type Picture, type PictureRequest } from "./drawPicture";
import { type Moment, RecordedGame } from "./recordedGame";
import { widthOf } from "./widths";

measureWith(widthOf);

/** A game whose tables are drawn. */
interface Opened {
  readonly guide: Guide;
  readonly record?: RecordedGame;
}

/** Description of an opened game. */
interface GameDescription {
  /** The number that identifies the game in later calls. */
  readonly number: number;
  readonly title: string;
  /** Only for records: the game, its viewer, and its events. */
  readonly game?: string;
  readonly viewer?: string;
  readonly moments?: readonly Moment[];
  /** The marker that counts rounds; empty if the title has none. */
  readonly rounds: string;
}

const games = new Map<number, Opened>();
let opened = 0;

function open(game: Opened): GameDescription {
  games.set(++opened, game);
  const { guide, record } = game;
  const title = guide.catalogue.title?.text ?? guide.title;
  const description = { number: opened, title, rounds: guide.roundMarker ?? "" };
  return record
    ? { ...description, game: record.game, viewer: record.recordViewer, moments: record.moments }
    : description;
}

function gameOf(number: number): Opened {
  const game = games.get(number);
  if (!game) throw new Error("no game with this number is open");
  return game;
}

const read = { ignoreUnknownFields: true };

const functions = {
  /** Open a game of a server, from its `GetTitleResponse` and `Game` as protobuf JSON. */
  openGame(catalogue: JsonValue, game: JsonValue, language: Language): GameDescription {
    const entry = fromJson(GetTitleResponseSchema, catalogue, read);
    const { seats } = fromJson(GameSchema, game, read);
    return open({ guide: new Guide(entry, { seats }, languages[language]) });
  },

  /** Open a record with the library files that it needs, by name, for a viewer (empty for the record's own). */
  async openRecord(
    text: string,
    files: Record<string, unknown>,
    language: Language,
    viewer: string,
  ): Promise<GameDescription> {
    const record = await RecordedGame.of(text, files, language, viewer);
    return open({ guide: record.guide, record });
  },

  /** Draw the table of a record at a version. */
  drawRecord(number: number, version: number, request: PictureRequest): Picture {
    const { guide, record } = gameOf(number);
    if (!record) throw new Error("the game is not from a record");
    return drawPicture(record.table(version), guide, request);
  },

  /** Draw a table (`Table` as protobuf JSON) of a game of a server. */
  drawTable(number: number, table: JsonValue, request: PictureRequest): Picture {
    return drawPicture(KnownTable.of(fromJson(TableSchema, table, read)), gameOf(number).guide, request);
  },

  /** Release a game. */
  close(number: number): void {
    games.delete(number);
  },
};

let found = "";

/** Call one of the functions above; `json` is the array of its arguments. */
export function call(name: string, json: string): void {
  found = "";
  const chosen = (functions as Record<string, (...values: unknown[]) => unknown>)[name];
  new Promise((resolve) => resolve(chosen?.(...JSON.parse(json)))).then(
    (value) => (found = JSON.stringify({ value: value ?? null })),
    (error) => (found = JSON.stringify({ error: String(error) })),
  );
}

/** Return the result as JSON with `value` or `error`; empty while it is pending. */
export function answer(): string {
  return found;
}
