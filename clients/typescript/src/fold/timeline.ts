/** A game's table at any version, derived from the viewer's events. */
import type { Event } from "../gen/boardkeeper/v1/event_pb.js";
import type { Journal, KnownTable } from "./known.js";

/** Number of events between stored tables: the most that a jump has to apply. */
const SNAPSHOT_INTERVAL = 64;

/**
 * A table that moves forwards and backwards through the events of a game.
 *
 * @example
 * const { table } = await viewer.table({ version: 1 });
 * const timeline = new Timeline(KnownTable.of(table), 1);
 * for await (const event of viewer.events({ after: 1 })) timeline.append(event);
 * timeline.goTo(40);
 * timeline.table.zones.get("seat.1.bag")?.contents;
 */
export class Timeline {
  /** The first version. */
  readonly first: number;
  /** The table at {@link version}. Do not modify it. */
  readonly table: KnownTable;
  private at: number;
  private readonly events: Event[] = [];
  /** Journals of applied events by index in `events`; they revert the events. */
  private readonly journals: (Journal | undefined)[] = [];
  private readonly snapshots = new Map<number, KnownTable>();
  /** Tables from the server, where effects do not contain everything. */
  private readonly corrections = new Map<number, KnownTable>();

  /** Start with a table at a version and the events after it, in order; the position stays there. */
  constructor(base: KnownTable, version: number | bigint, events: Iterable<Event> = []) {
    this.first = Number(version);
    this.at = this.first;
    this.table = base.clone();
    this.snapshots.set(this.first, base.clone());
    for (const event of events) this.append(event);
  }

  /** The current version. */
  get version(): number {
    return this.at;
  }

  /** The last version. */
  get last(): number {
    return this.first + this.events.length;
  }

  /** Return the event that led to a version; `undefined` for the first version or an unknown one. */
  event(version: number): Event | undefined {
    return this.events[version - this.first - 1];
  }

  /** Add the next event without moving; throws if events are missing before it. */
  append(event: Event): void {
    const version = Number(event.version);
    if (version !== this.last + 1) throw new RangeError(`event ${this.last + 1} is next, not ${version}`);
    this.events.push(event);
  }

  /**
   * Add the server's table at a version where {@link KnownTable.lacks} is not empty. If the current version is not
   * older, the current table is updated.
   */
  correct(version: number | bigint, table: KnownTable): void {
    const corrected = Number(version);
    this.check(corrected);
    this.corrections.set(corrected, table.clone());
    for (const later of this.snapshots.keys())
      if (later >= corrected && later > this.first) this.snapshots.delete(later);
    if (corrected === this.first) this.snapshots.set(this.first, table.clone());
    this.journals.length = Math.min(this.journals.length, Math.max(0, corrected - this.first - 1));
    if (this.at < corrected) return;
    const here = this.at;
    this.replace(table);
    this.at = corrected;
    this.goTo(here);
  }

  /** Move the table to a version and return it; throws a `RangeError` for an unknown version. */
  goTo(version: number): KnownTable {
    this.check(version);
    if (version < this.at - SNAPSHOT_INTERVAL || version > this.at + SNAPSHOT_INTERVAL) this.restore(version);
    while (this.at < version) this.stepForward();
    while (this.at > version) {
      const journal = this.journals[this.at - this.first - 1];
      if (journal === undefined) {
        this.restore(version);
        while (this.at < version) this.stepForward();
      } else {
        this.table.revert(journal);
        this.at--;
      }
    }
    return this.table;
  }

  private stepForward(): void {
    const place = this.at - this.first;
    const event = this.events[place];
    if (event === undefined) throw new RangeError(`there is no version ${this.at + 1}`);
    let journal = this.table.apply(event.effects);
    this.at++;
    const correction = this.corrections.get(this.at);
    if (correction !== undefined) {
      this.table.revert(journal);
      journal = this.replace(correction);
    }
    this.journals[place] = journal;
    if (place % SNAPSHOT_INTERVAL === SNAPSHOT_INTERVAL - 1 && !this.snapshots.has(this.at))
      this.snapshots.set(this.at, this.table.clone());
  }

  /** Restore the last stored table up to a version. */
  private restore(version: number): void {
    let best = this.first;
    for (const it of [...this.snapshots.keys(), ...this.corrections.keys()]) if (it <= version && it > best) best = it;
    if (best <= this.at && this.at <= version) return; // the current table is nearer
    this.replace((this.corrections.get(best) ?? this.snapshots.get(best))!);
    this.at = best;
  }

  /** Replace the table; equal zones and markers keep their objects. */
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
