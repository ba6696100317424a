/** A record whose tables are drawn. */
import { type Effect, type Event, KnownTable, type Reveal, Sight, Timeline } from "@boardkeeper/client";
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
    /** Whose record it is. */
    readonly whose: string,
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
    const seat = Number(/^seat\.(\d+)$/.exec(viewer)?.[1] ?? 0);
    if (seat > record.seats.length) throw new Error(`it has ${record.seats.length} seats, and no seat ${seat}`);
    const source = await RecordSource.of(record, { read: async (name: string) => files[name] }, language);
    const guide = new Guide(await source.title(), await source.game(), languages[language]);
    const told: Event[] = [];
    for await (const event of source.events()) told.push(event);
    const laid = KnownTable.of(record.laid);
    laid.apply(told[0]?.effects ?? []);
    const timeline = new Timeline(laid, 1, told.slice(1));
    const sight = viewer && viewer !== record.viewer ? new Sight(viewer) : undefined;
    const moments = told.map(({ version, seat, name, sentence, effects }, at) => {
      const isOfGame = record.events[at]?.topic.startsWith("game."); // those are told to everybody
      const isTold = !sight || isOfGame || knows(timeline.goTo(Number(version)), effects, sight);
      return {
        version: Number(version),
        seat,
        name: isTold ? name : "",
        sentence: isTold ? sentence : "",
        begins: record.events[at]?.begins ?? false,
        round: effects.some(({ effect }) => effect.case === "set" && effect.value.marker === guide.roundMarker),
      };
    });
    return new RecordedGame(timeline, guide, record.game, source.called, record.viewer, moments, viewer);
  }

  /** The table at a version, as a service would tell it: the same however one came there. */
  table(version: number): KnownTable {
    return asSeen(this.timeline.goTo(version), this.viewer);
  }
}

/**
 * Whether somebody may know an event's detail, and so its sentence: only who sees every move and marker of it, and whatever it shows
 * to some. A draw alone hides nothing: what was drawn and then shown is known from where it went. The table is that after the event,
 * and shows everything.
 */
function knows(table: KnownTable, effects: readonly Effect[], sight: Sight): boolean {
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

/** Whether a reveal lets somebody see what it is about, but not everybody. */
function showsToSome(table: KnownTable, { before, after }: Reveal): boolean {
  const [was, is] = [table.word(before), table.word(after)];
  if (is === "public" || was === "public") return false;
  const seats = (word: string) => (/^(?:seats?|secret)\./.test(word) ? word.split(".").slice(1) : []);
  const saw = new Set(seats(was));
  return seats(is).some((seat) => !saw.has(seat));
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
