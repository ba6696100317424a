/** A record as the source of a game's page, in place of a server. */
import {
  type Event,
  EventSchema,
  type Game,
  GameSchema,
  GameStatus,
  type GetTitleResponse,
  KnownTable,
  Timeline,
} from "@boardkeeper/client";
import { GetScoresResponseSchema, GetTableResponseSchema } from "@boardkeeper/client/gen/boardkeeper/v1/games_pb";
import type { Verified } from "@boardkeeper/client/verifier";
import { create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import type { Source } from "../table/session.svelte";
import { EventTexts } from "./eventTexts";
import { catalogueOf, type Library, wordsOf } from "./library";
import type { ReadRecord } from "./readRecord";

/** The game of a record. Its seats are named by number and colour. */
export class RecordSource implements Source {
  private readonly timeline: Timeline;

  private constructor(
    readonly record: ReadRecord,
    private readonly catalogue: GetTitleResponse,
    private readonly allEvents: readonly Event[],
    private readonly names: readonly string[],
    readonly language: string,
    /** The last version that is shown. */
    readonly last: number,
  ) {
    const laid = KnownTable.of(record.laid);
    laid.apply(record.events[0]?.effects ?? []);
    this.timeline = new Timeline(laid, 1, allEvents.slice(1));
  }

  /**
   * Return the game of a record in a language, up to a version. It ends earlier if the effects of an event do not fit
   * the table before it.
   */
  static async of(
    record: ReadRecord,
    library: Library,
    language: string,
    until = Number.POSITIVE_INFINITY,
  ): Promise<RecordSource> {
    const [catalogue, own, words] = await Promise.all([
      catalogueOf(library, record.title, record.setup, language),
      wordsOf(library, "words", language),
      wordsOf(library, record.title, language),
    ]);
    if (own === undefined) throw new Error("the words of games are missing");
    const texts = new EventTexts(own, words, catalogue.title?.text ?? record.title);
    const names = withColors(texts.names(record.seats), record, catalogue);
    const last = Math.min(until, lastConsistentVersion(record));
    const events = record.events.slice(0, Math.max(1, last)).map((event) =>
      create(EventSchema, {
        gameId: record.game,
        version: BigInt(event.version),
        name: event.topic.split(".")[1] ?? "",
        seat: event.seat,
        time: timestampFromMs(event.time),
        effects: [...event.effects],
        sentence: texts.sentence(event, event.seat, names),
      }),
    );
    return new RecordSource(record, catalogue, events, names, language, events.length);
  }

  async game(): Promise<Game> {
    const { record } = this;
    const has = (topic: string) => record.events.slice(0, this.last).some((event) => event.topic === topic);
    return create(GameSchema, {
      gameId: record.game,
      title: record.title,
      edition: record.setup.edition,
      options: { ...record.setup.options },
      readings: { ...record.setup.readings },
      seats: record.seats.map((kind, index) => ({
        seat: index + 1,
        displayName: this.names[index] ?? "",
        bot: kind === "person" ? "" : kind.replace(/^bot\./, ""),
        taken: true,
      })),
      status: has("game.GameEnded") ? GameStatus.ENDED : has("game.GameStarted") ? GameStatus.RUNNING : GameStatus.OPEN,
      version: BigInt(this.last),
    });
  }

  /** The title's name. */
  get titleName(): string {
    return this.catalogue.title?.text ?? this.record.title;
  }

  async title(): Promise<GetTitleResponse> {
    return this.catalogue;
  }

  async table({ version = this.last }: { version?: number | bigint } = {}) {
    const table = this.timeline.goTo(Number(version)).message();
    const { scoreSheet } = await this.scores();
    return Object.assign(create(GetTableResponseSchema, { version: BigInt(version), table, scoreSheet }), { table });
  }

  /** Return the ranks. A record has no points, because only the rules compute them. */
  async scores() {
    const { ranks } = this;
    const scoreSheet = ranks.length > 0 ? { ranks: [...ranks] } : undefined;
    return create(GetScoresResponseSchema, { version: BigInt(this.last), scoreSheet });
  }

  async *events({ after = 0, until = this.last }: { after?: number | bigint; until?: number | bigint } = {}) {
    yield* this.allEvents.slice(Number(after), Number(until));
  }

  /** A record has no further events. */
  async *watch() {}

  /** The rank of each seat; empty before the end. */
  get ranks(): readonly number[] {
    const end = this.record.events[this.last - 1];
    const ranks = end?.topic === "game.GameEnded" ? end.detail?.ranks : undefined;
    return Array.isArray(ranks) ? ranks.map(Number) : [];
  }
}

/** Return the last version before the first problem; infinity without problems. */
export function soundUntil({ brokenAt }: ReadRecord, verified: Verified | undefined): number {
  // Lines are numbered from 1. Problems of the header and of the whole record belong to no event.
  const lines = verified?.problems.map(({ line }) => line).filter((line) => line > 2) ?? [];
  if (brokenAt > 0) lines.push(brokenAt);
  return Math.min(...lines) - 2;
}

function withColors(names: readonly string[], { seats }: ReadRecord, catalogue: GetTitleResponse): string[] {
  const edition = catalogue.title?.editions.find(({ id }) => id === catalogue.edition);
  return names.map((name, index) => {
    const color = edition?.seatColors.find(({ seat }) => seat === index + 1);
    return color && seats[index] !== "bot.automa" ? `${name} (${color.text})` : name;
  });
}

/** Return the last version whose effects name only existing zones and markers. */
function lastConsistentVersion({ laid, events }: ReadRecord): number {
  const table = KnownTable.of(laid);
  for (const { version, effects } of events) {
    try {
      table.apply(effects);
    } catch {
      return version - 1;
    }
  }
  return events.length;
}
