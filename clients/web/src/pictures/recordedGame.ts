/** A record whose tables are drawn. */
import { type Effect, type Event, KnownTable, type Reveal, Sight, Timeline } from "@boardkeeper/client";
import { readRecord } from "../record/readRecord";
import { RecordSource } from "../record/recordSource";
import { Guide } from "../table/guide";
import { type Language, languages } from "../words/words";

/** The parts of an event that films need. */
export interface Moment {
  readonly version: number;
  readonly seat: number;
  readonly name: string;
  readonly sentence: string;
  /** Whether the event starts a command; otherwise the rules added it. */
  readonly begins: boolean;
  /** Whether it starts a round. */
  readonly round: boolean;
}

export class RecordedGame {
  private constructor(
    private readonly timeline: Timeline,
    readonly guide: Guide,
    readonly game: string,
    readonly title: string,
    /** The viewer that the record is redacted for. */
    readonly recordViewer: string,
    readonly moments: readonly Moment[],
    private readonly viewer: string,
  ) {}

  /**
   * Open the game of a record for a viewer (`seat.N` or `spectator`; empty for the record's own). Throws `NoRecord` for
   * another file, and an `Error` if the record does not allow that viewer.
   */
  static async of(
    text: string,
    files: Readonly<Record<string, unknown>>,
    language: Language,
    viewer: string,
  ): Promise<RecordedGame> {
    const record = readRecord(text);
    if (viewer && viewer !== record.viewer && record.viewer !== "whole")
      throw new Error(`this is the record of ${record.viewer}: it does not contain what ${viewer} may see`);
    const seat = Number(/^seat\.(\d+)$/.exec(viewer)?.[1] ?? 0);
    if (seat > record.seats.length) throw new Error(`the game has ${record.seats.length} seats, and no seat ${seat}`);
    const source = await RecordSource.of(record, { read: async (name: string) => files[name] }, language);
    const guide = new Guide(await source.title(), await source.game(), languages[language]);
    const events: Event[] = [];
    for await (const event of source.events()) events.push(event);
    const laid = KnownTable.of(record.laid);
    laid.apply(events[0]?.effects ?? []);
    const timeline = new Timeline(laid, 1, events.slice(1));
    const sight = viewer && viewer !== record.viewer ? new Sight(viewer) : undefined;
    const moments = events.map(({ version, seat, name, sentence, effects }, at) => {
      const isOfGame = record.events[at]?.topic.startsWith("game."); // events of the game itself are public
      const isKnown = !sight || isOfGame || mayKnow(timeline.goTo(Number(version)), effects, sight);
      return {
        version: Number(version),
        seat,
        name: isKnown ? name : "",
        sentence: isKnown ? sentence : "",
        begins: record.events[at]?.begins ?? false,
        round: effects.some(({ effect }) => effect.case === "set" && effect.value.marker === guide.roundMarker),
      };
    });
    return new RecordedGame(timeline, guide, record.game, source.titleName, record.viewer, moments, viewer);
  }

  /** Return the table at a version; it does not depend on versions requested before. */
  table(version: number): KnownTable {
    return redact(this.timeline.goTo(version), this.viewer);
  }
}

/**
 * Return whether a viewer may know an event's detail: the viewer must see every component and marker that it changes. A
 * draw alone hides nothing, because its result shows in the later moves. `table` is the unredacted table after the
 * event.
 */
function mayKnow(table: KnownTable, effects: readonly Effect[], sight: Sight): boolean {
  const sees = (visibility = "nobody") => sight.sees(table.word(visibility));
  const zone = (id: string) => sees(table.zones.get(id)?.visibility);
  const marker = (id: string) => sees(table.markers.get(id)?.visibility);
  return effects.every(({ effect: { case: kind, value } }) => {
    if (kind === "move") return zone(value.source) || zone(value.target);
    if (kind === "set") return marker(value.marker);
    if (kind === "shuffle") return zone(value.zone);
    if (kind === "reveal") return zone(value.subject) || marker(value.subject) || !showsToSome(table, value);
    return true;
  });
}

/** Return whether a reveal shows its subject to some viewers only. */
function showsToSome(table: KnownTable, { before, after }: Reveal): boolean {
  const [was, is] = [table.word(before), table.word(after)];
  if (is === "public" || was === "public") return false;
  const seats = (word: string) => (/^(?:seats?|secret)\./.test(word) ? word.split(".").slice(1) : []);
  const saw = new Set(seats(was));
  return seats(is).some((seat) => !saw.has(seat));
}

/** Redact a full table for a viewer; an empty viewer leaves it unchanged. */
function redact(table: KnownTable, viewer: string): KnownTable {
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
