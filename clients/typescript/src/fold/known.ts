/** What somebody knows of a table who is told what happens there: no rules are needed. */
import { create } from "@bufbuild/protobuf";
import { type Effect, type Move, type Reveal, type Scalar, ScalarSchema } from "../gen/boardkeeper/v1/effect_pb.js";
import { type Table, TableSchema } from "../gen/boardkeeper/v1/table_pb.js";
import { BEHIND, HIDDEN, Sight } from "./visibility.js";

/** A zone as it is known. It never changes: what becomes of it is another object, so equal objects are equal zones. */
export interface KnownZone {
  readonly id: string;
  /** Who sees into it now, in the words of `Reveal`. */
  readonly visibility: string;
  /** Whether what lies in it has an order. */
  readonly stack: boolean;
  /** Whether the viewer may know what lies in it. */
  readonly seen: boolean;
  /** How many components lie in it; `undefined` if the viewer does not know. */
  readonly count: number | undefined;
  /** What lies in a pile: component to how many. What is not known is `"?"`. Empty of a stack. */
  readonly contents: ReadonlyMap<string, number>;
  /** What lies in a stack, bottom first. What is not known is `"?"`. Empty of a pile. */
  readonly order: readonly string[];
  /** The draw counter, in a whole table; otherwise 0. */
  readonly draws: number;
}

/** A marker as it is known. It never changes either. */
export interface KnownMarker {
  readonly id: string;
  /** Who sees it now, in the words of `Reveal`. */
  readonly visibility: string;
  /** Its value; `undefined` if the viewer does not know it. */
  readonly value: number | string | undefined;
}

/** What was in force before effects were applied: it brings the table back, also where the effects alone could not. */
export interface Journal {
  readonly zones: ReadonlyMap<string, KnownZone>;
  readonly markers: ReadonlyMap<string, KnownMarker>;
  readonly decisions: readonly string[];
}

/** A zone while an event is taken in. */
interface Draft {
  id: string;
  visibility: string;
  stack: boolean;
  seen: boolean;
  count: number | undefined;
  contents: Map<string, number>;
  order: string[];
  draws: number;
}

/**
 * A table as one viewer knows it, which follows the events that this viewer is told.
 *
 * Zones and markers are in the order of the game's layout. An object of theirs that stays the same has not changed.
 */
export class KnownTable {
  private constructor(
    /** Whose view it is: `spectator`, `seat.N` or `whole`. */
    readonly viewer: string,
    private readonly sight: Sight,
    /** By their ids. */
    readonly zones: Map<string, KnownZone>,
    /** By their ids. */
    readonly markers: Map<string, KnownMarker>,
    /** The decision that each seat has to take, from seat 1 on; empty: none. */
    public decisions: readonly string[],
  ) {}

  /** The table that the service tells. */
  static of(table: Table): KnownTable {
    const markers = new Map<string, KnownMarker>();
    for (const { id, visibility, value } of table.markers) markers.set(id, { id, visibility, value: plain(value) });
    const zones = new Map<string, KnownZone>();
    for (const { id, visibility, stack, seen, count, contents, order, draws } of table.zones) {
      const hidden = seen ? 0 : (count ?? 0);
      zones.set(id, {
        id,
        visibility,
        stack,
        seen,
        count,
        contents: new Map(seen ? contents.map((it) => [it.component, it.count]) : stack ? [] : heap(hidden)),
        order: seen ? order : stack ? row(hidden) : [],
        draws,
      });
    }
    return new KnownTable(table.viewer, new Sight(table.viewer), zones, markers, table.decisions);
  }

  /** The same table, which goes its own way from here. */
  clone(): KnownTable {
    return new KnownTable(this.viewer, this.sight, new Map(this.zones), new Map(this.markers), this.decisions);
  }

  /** Take in the effects of one event as the viewer was told them. What is returned takes them back. */
  apply(effects: readonly Effect[]): Journal {
    const change = new Change(this, this.sight);
    change.take(effects);
    return change.journal;
  }

  /** Bring back what was before effects were applied, the last first. */
  revert(journal: Journal): void {
    for (const [id, zone] of journal.zones) this.zones.set(id, zone);
    for (const [id, marker] of journal.markers) this.markers.set(id, marker);
    this.decisions = journal.decisions;
  }

  /**
   * The zones and markers of which the viewer may know more than was told: then the service has to be asked for the
   * table. It happens after few events (docs/record.md, 2.3).
   */
  lacks(): Set<string> {
    const found = new Set<string>();
    for (const it of this.zones.values()) {
      const unknown = it.seen && (it.stack ? it.order.includes(HIDDEN) : it.contents.has(HIDDEN));
      if (unknown || (it.count === undefined && this.sight.counts(this.word(it.visibility)))) found.add(it.id);
    }
    for (const it of this.markers.values()) {
      if (it.value === undefined && this.sight.sees(this.word(it.visibility))) found.add(it.id);
    }
    return found;
  }

  /** The visibility that is in force: of what stands behind a marker, that marker's. */
  word(visibility: string): string {
    if (!visibility.startsWith(BEHIND)) return visibility;
    return this.markers.get(visibility.slice(BEHIND.length))?.visibility ?? "nobody";
  }

  /** The table as the service would tell it. */
  message(): Table {
    return create(TableSchema, {
      viewer: this.viewer,
      zones: Array.from(this.zones.values(), ({ id, visibility, stack, seen, count, contents, order, draws }) => ({
        id,
        visibility,
        stack,
        seen,
        ...(count !== undefined && { count }),
        contents: seen ? Array.from(contents, ([component, count]) => ({ component, count })).sort(byComponent) : [],
        order: seen ? [...order] : [],
        draws,
      })),
      markers: Array.from(this.markers.values(), ({ id, visibility, value }) => ({
        id,
        visibility,
        ...(value !== undefined && { value: scalar(value) }),
      })),
      decisions: [...this.decisions],
    });
  }
}

/** One event on its way into a table: what it changes is copied once. */
class Change {
  private readonly zonesBefore = new Map<string, KnownZone>();
  private readonly markersBefore = new Map<string, KnownMarker>();
  readonly journal: Journal;

  constructor(
    private readonly table: KnownTable,
    private readonly sight: Sight,
  ) {
    this.journal = { zones: this.zonesBefore, markers: this.markersBefore, decisions: table.decisions };
  }

  take(effects: readonly Effect[]): void {
    const reveals = effects.flatMap(({ effect }) => (effect.case === "reveal" ? [effect.value] : []));
    if (reveals.length > 0) this.reveal(reveals);
    let told = "";
    for (const { effect } of effects) {
      const about = told;
      told = "";
      switch (effect.case) {
        case "move":
          if (effect.value.source === effect.value.target) {
            told = effect.value.source;
            const zone = this.zone(told);
            if (about !== told) {
              forget(zone, 0);
              zone.count = 0;
            }
            this.put(zone, effect.value);
          } else {
            take(this.zone(effect.value.source), effect.value);
            this.put(this.zone(effect.value.target), effect.value);
          }
          break;
        case "set":
          this.mark(effect.value.marker, { value: plain(effect.value.after) });
          break;
        case "ask": {
          const { seat, after } = effect.value;
          this.table.decisions = this.table.decisions.map((it, at) => (at + 1 === seat ? after : it));
          break;
        }
        case "draw":
          this.count(effect.value.zone, effect.value.counter + effect.value.drawn.length);
          break;
        case "shuffle": {
          const zone = this.zone(effect.value.zone);
          zone.order = [...effect.value.after];
          zone.count = zone.order.length;
          this.count(zone.id, effect.value.counter + Math.max(zone.count - 1, 0));
          break;
        }
      }
    }
  }

  /** Set the draw counter of a zone, which only whole tables have. */
  private count(zone: string, draws: number): void {
    if (this.table.viewer === "whole") this.zone(zone).draws = draws;
  }

  /** Who sees what after an event, from its beginning on. */
  private reveal(reveals: readonly Reveal[]): void {
    const { table, sight } = this;
    const zones = Array.from(table.zones.values(), (zone) => {
      const word = table.word(zone.visibility);
      return { id: zone.id, seen: sight.sees(word), counted: sight.counts(word) };
    });
    const saw = new Set<string>();
    for (const it of table.markers.values()) if (sight.sees(table.word(it.visibility))) saw.add(it.id);
    for (const { subject, after } of reveals) {
      if (table.markers.has(subject)) this.mark(subject, { visibility: after });
      else this.zone(subject).visibility = after;
    }
    for (const before of zones) {
      const word = table.word(table.zones.get(before.id)!.visibility);
      const [seen, counted] = [sight.sees(word), sight.counts(word)];
      if (seen === before.seen && counted === before.counted) continue;
      const zone = this.zone(before.id);
      zone.seen = seen;
      if (!counted) {
        forget(zone, 0);
        zone.count = undefined;
      } else if (before.counted && before.seen) forget(zone, zone.count ?? 0);
    }
    for (const it of table.markers.values()) {
      const known = saw.has(it.id) && sight.sees(table.word(it.visibility));
      if (!known && it.value !== undefined) this.mark(it.id, { value: undefined });
    }
  }

  private put(zone: Draft, { component, count }: Move): void {
    if (!this.sight.counts(this.table.word(zone.visibility))) return;
    const known = zone.seen ? component : HIDDEN;
    if (zone.stack) zone.order.push(...row(count, known));
    else zone.contents.set(known, (zone.contents.get(known) ?? 0) + count);
    if (zone.count !== undefined) zone.count += count;
  }

  private zone(id: string): Draft {
    const zone = this.table.zones.get(id);
    if (zone === undefined) throw new Error(`there is no zone ${id}`);
    if (this.zonesBefore.has(id)) return zone as unknown as Draft; // our own copy
    const draft: Draft = { ...zone, contents: new Map(zone.contents), order: [...zone.order] };
    this.zonesBefore.set(id, zone);
    this.table.zones.set(id, draft);
    return draft;
  }

  private mark(id: string, change: Partial<KnownMarker>): void {
    const marker = this.table.markers.get(id);
    if (marker === undefined) throw new Error(`there is no marker ${id}`);
    if (!this.markersBefore.has(id)) this.markersBefore.set(id, marker);
    this.table.markers.set(id, { ...marker, ...change });
  }
}

/** What is not known to lie there is among what is not known, or the viewer did not know that it was there. */
function take(zone: Draft, { component, count }: Move): void {
  let left = count;
  if (zone.stack) {
    const there = Math.min(left, zone.order.length);
    zone.order.length -= there;
    left -= there;
  } else {
    for (const known of [component, HIDDEN]) {
      const lies = zone.contents.get(known) ?? 0;
      const there = Math.min(left, lies);
      if (there === lies) zone.contents.delete(known);
      else if (there > 0) zone.contents.set(known, lies - there);
      left -= there;
    }
  }
  if (zone.count !== undefined) zone.count -= count - left;
}

function forget(zone: Draft, keeps: number): void {
  zone.order = zone.stack ? row(keeps) : [];
  zone.contents = new Map(zone.stack ? [] : heap(keeps));
}

const heap = (count: number): [string, number][] => (count > 0 ? [[HIDDEN, count]] : []);
const row = (count: number, component = HIDDEN): string[] => new Array<string>(count).fill(component);

function plain(value: Scalar | undefined): number | string | undefined {
  if (value?.value.case === "number") return Number(value.value.value);
  return value?.value.value;
}

const scalar = (value: number | string): Scalar =>
  create(ScalarSchema, {
    value: typeof value === "number" ? { case: "number", value: BigInt(value) } : { case: "word", value },
  });

const byComponent = (a: { component: string }, b: { component: string }): number =>
  a.component < b.component ? -1 : 1;
