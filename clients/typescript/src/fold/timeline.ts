/** A game's table at any version, from what the viewer was told. */
import type { Event } from "../gen/boardkeeper/v1/event_pb.js";
import type { Journal, KnownTable } from "./known.js";

/** So many events lie between two tables that are kept: what a jump folds at most. */
const APART = 64;

/**
 * A table that goes forwards and backwards through the events of a game.
 *
 * @example
 * const { table } = await viewer.table({ version: 1 });
 * const timeline = new Timeline(KnownTable.of(table), 1);
 * for await (const event of viewer.events({ after: 1 })) timeline.append(event);
 * timeline.goTo(40);
 * timeline.table.zones.get("seat.1.bag")?.contents;
 */
export class Timeline {
  /** The version that it begins with. */
  readonly first: number;
  /** The table at {@link version}: look, but do not touch. */
  readonly table: KnownTable;
  private at: number;
  private readonly events: Event[] = [];
  /** What brings the table back over an event, by its place in `events`, where that has been folded. */
  private readonly journals: (Journal | undefined)[] = [];
  private readonly kept = new Map<number, KnownTable>();
  /** Tables that the service told, because effects do not tell all. */
  private readonly told = new Map<number, KnownTable>();

  /** Begins with a table at a version, and stays there; `events` are those that followed, in order. */
  constructor(base: KnownTable, version: number | bigint, events: Iterable<Event> = []) {
    this.first = Number(version);
    this.at = this.first;
    this.table = base.clone();
    this.kept.set(this.first, base.clone());
    for (const event of events) this.append(event);
  }

  /** The version that the table is at. */
  get version(): number {
    return this.at;
  }

  /** The last version that it can go to. */
  get last(): number {
    return this.first + this.events.length;
  }

  /** The event that led to a version; `undefined` for the first one, and for what there is not. */
  event(version: number): Event | undefined {
    return this.events[version - this.first - 1];
  }

  /** Take in the next event; the table stays where it is. Throws if events are missing before it. */
  append(event: Event): void {
    const version = Number(event.version);
    if (version !== this.last + 1) throw new RangeError(`event ${this.last + 1} is next, not ${version}`);
    this.events.push(event);
  }

  /**
   * Take in the table that the service told at a version, after {@link KnownTable.lacks} said that it is needed there. A
   * table that is at this version or later is brought to what it then should be.
   */
  correct(version: number | bigint, table: KnownTable): void {
    const corrected = Number(version);
    this.check(corrected);
    this.told.set(corrected, table.clone());
    for (const later of this.kept.keys()) if (later >= corrected && later > this.first) this.kept.delete(later);
    if (corrected === this.first) this.kept.set(this.first, table.clone());
    this.journals.length = Math.min(this.journals.length, Math.max(0, corrected - this.first - 1));
    if (this.at < corrected) return;
    const here = this.at;
    this.replace(table);
    this.at = corrected;
    this.goTo(here);
  }

  /** Bring the table to a version, forwards or backwards; throws a `RangeError` for one that there is not. */
  goTo(version: number): KnownTable {
    this.check(version);
    if (version < this.at - APART || version > this.at + APART) this.restore(version);
    while (this.at < version) this.forwards();
    while (this.at > version) {
      const journal = this.journals[this.at - this.first - 1];
      if (journal === undefined) {
        this.restore(version);
        while (this.at < version) this.forwards();
      } else {
        this.table.revert(journal);
        this.at--;
      }
    }
    return this.table;
  }

  private forwards(): void {
    const place = this.at - this.first;
    const event = this.events[place];
    if (event === undefined) throw new RangeError(`there is no version ${this.at + 1}`);
    let journal = this.table.apply(event.effects);
    this.at++;
    const told = this.told.get(this.at);
    if (told !== undefined) {
      this.table.revert(journal);
      journal = this.replace(told);
    }
    this.journals[place] = journal;
    if (place % APART === APART - 1 && !this.kept.has(this.at)) this.kept.set(this.at, this.table.clone());
  }

  /** Put the table to the last one that is kept up to a version. */
  private restore(version: number): void {
    let best = this.first;
    for (const it of [...this.kept.keys(), ...this.told.keys()]) if (it <= version && it > best) best = it;
    if (best <= this.at && this.at <= version) return; // nearer than what is kept
    this.replace((this.told.get(best) ?? this.kept.get(best))!);
    this.at = best;
  }

  /** Put another table in the place of ours; what is the same in both stays the same object. */
  private replace(table: KnownTable): Journal {
    const journal = {
      zones: new Map(this.table.zones),
      markers: new Map(this.table.markers),
      decisions: this.table.decisions,
    };
    this.table.revert(table);
    return journal;
  }

  private check(version: number): void {
    if (!Number.isInteger(version) || version < this.first || version > this.last) {
      throw new RangeError(`there is no version ${version}: ${this.first} to ${this.last} are known`);
    }
  }
}
