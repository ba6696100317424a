/** A record whose tables are drawn. */
import { type Event, KnownTable, Sight, Timeline } from "@boardkeeper/client";
import { readRecord } from "../record/reading";
import { RecordSource } from "../record/source";
import { Guide } from "../table/guide";
import { type Language, languages } from "../words/words";

/** An event, as far as whoever makes a film has to know it. */
export interface Moment {
  readonly version: number;
  readonly seat: number;
  readonly name: string;
  readonly sentence: string;
  /** Whether a command was given for it, or the rules went on by themselves. */
  readonly begins: boolean;
  /** Whether another round begins with it. */
  readonly round: boolean;
}

export class RecordedGame {
  private constructor(
    private readonly timeline: Timeline,
    readonly guide: Guide,
    readonly game: string,
    readonly title: string,
    readonly seats: number,
    readonly moments: readonly Moment[],
    private readonly viewer: string,
  ) {}

  /**
   * The game of a record as somebody sees it (`seat.N`, `spectator`; empty: whose record it is). Throws `NoRecord` for what is none,
   * and an `Error` for a record that its viewer may not see so.
   */
  static async of(
    text: string,
    files: Readonly<Record<string, unknown>>,
    language: Language,
    viewer: string,
  ): Promise<RecordedGame> {
    const record = readRecord(text);
    if (viewer && viewer !== record.viewer && record.viewer !== "whole")
      throw new Error(`it is the record of ${record.viewer}, which does not tell what ${viewer} may see`);
    const source = await RecordSource.of(record, { read: async (name: string) => files[name] }, language);
    const guide = new Guide(await source.title(), await source.game(), languages[language]);
    const told: Event[] = [];
    for await (const event of source.events()) told.push(event);
    const moments = told.map(({ version, seat, name, sentence, effects }) => ({
      version: Number(version),
      seat,
      name,
      sentence,
      begins: record.events[Number(version) - 1]?.begins ?? false,
      round: effects.some(({ effect }) => effect.case === "set" && effect.value.marker === guide.roundMarker),
    }));
    const laid = KnownTable.of(record.laid);
    laid.apply(told[0]?.effects ?? []);
    const timeline = new Timeline(laid, 1, told.slice(1));
    return new RecordedGame(timeline, guide, record.game, source.called, record.seats.length, moments, viewer);
  }

  /** The table at a version, as a service would tell it: the same however one came there. */
  table(version: number): KnownTable {
    return asSeen(this.timeline.goTo(version), this.viewer);
  }
}

/** A table that shows everything, as somebody sees it who does not see everything; empty: as it is. */
function asSeen(table: KnownTable, viewer: string): KnownTable {
  const message = table.message();
  if (!viewer || viewer === table.viewer) return KnownTable.of(message);
  const sight = new Sight(viewer);
  message.viewer = viewer;
  for (const zone of message.zones) {
    const word = table.word(zone.visibility);
    zone.seen = sight.sees(word);
    if (zone.seen) continue;
    zone.contents = [];
    zone.order = [];
    if (!sight.counts(word)) delete zone.count;
  }
  for (const marker of message.markers) if (!sight.sees(table.word(marker.visibility))) delete marker.value;
  return KnownTable.of(message);
}
