/** A table as a viewer knows it, updated from events without rules. */
import { create } from "@bufbuild/protobuf";
import { type Effect, type Move, type Reveal, type Scalar, ScalarSchema } from "../gen/boardkeeper/v1/effect_pb.js";
import { type Table, TableSchema } from "../gen/boardkeeper/v1/table_pb.js";
import { HIDDEN, SAME_AS, Sight } from "./visibility.js";

/** A known zone. It is immutable: a change makes another object, so identical objects are equal zones. */
export interface KnownZone {
  readonly id: string;
  /** The current visibility, in the terms of `Reveal`. */
  readonly visibility: string;
  /** True if its contents are ordered. */
  readonly stack: boolean;
  /** True if the viewer may know its contents. */
  readonly seen: boolean;
  /** The number of components; `undefined` if the viewer does not know it. */
  readonly count: number | undefined;
  /** Contents of a pile: number of each component, with `"?"` for unknown ones. Empty for a stack. */
  readonly contents: ReadonlyMap<string, number>;
  /** Contents of a stack from the bottom, with `"?"` for unknown components. Empty for a pile. */
  readonly order: readonly string[];
  /** The draw counter in a whole table; otherwise 0. */
  readonly draws: number;
}

/** A known marker, immutable as well. */
export interface KnownMarker {
  readonly id: string;
  /** The current visibility, in the terms of `Reveal`. */
  readonly visibility: string;
  /** The value; `undefined` if the viewer does not know it. */
  readonly value: number | string | undefined;
}

/** Previous states of all that an event changed. It can revert changes that effects alone could not. */
export interface Journal {
  readonly zones: ReadonlyMap<string, KnownZone>;
  readonly markers: ReadonlyMap<string, KnownMarker>;
  readonly decisions: readonly string[];
}

/** A mutable zone during an event. */
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
 * A table as one viewer knows it, updated by that viewer's events. Zones and markers have the order of the game's
 * layout. An unchanged object is an unchanged zone or marker.
 */
export class KnownTable {
  private constructor(
    /** The viewer: `spectator`, `seat.N` or `whole`. */
    readonly viewer: string,
    private readonly sight: Sight,
    /** By id. */
    readonly zones: Map<string, KnownZone>,
    /** By id. */
    readonly markers: Map<string, KnownMarker>,
    /** The decision of each seat, from seat 1; empty if it has none. */
    public decisions: readonly string[],
  ) {}

  /** Convert a server's table. */
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

  /** Return an independent copy. */
  clone(): KnownTable {
    return new KnownTable(this.viewer, this.sight, new Map(this.zones), new Map(this.markers), this.decisions);
  }

  /** Apply the effects of an event as the viewer received them. The result can revert them. */
  apply(effects: readonly Effect[]): Journal {
    const change = new Change(this, this.sight);
    change.take(effects);
    return change.journal;
  }

  /** Revert effects; the last ones first. */
  revert(journal: Journal): void {
    for (const [id, zone] of journal.zones) this.zones.set(id, zone);
    for (const [id, marker] of journal.markers) this.markers.set(id, marker);
    this.decisions = journal.decisions;
  }

  /**
   * Return the zones and markers of which the viewer may know more than the effects contained. Load the table then. Few
   * events cause this (docs/record.md, 2.3).
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

  /** Return the effective visibility; `as:MARKER` refers to that of a marker. */
  word(visibility: string): string {
    if (!visibility.startsWith(SAME_AS)) return visibility;
    return this.markers.get(visibility.slice(SAME_AS.length))?.visibility ?? "nobody";
  }

  /** Return the table as the server would send it. */
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

/** The application of one event; it copies each changed object once. */
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
    let disclosed = "";
    for (const { effect } of effects) {
      const about = disclosed;
      disclosed = "";
      switch (effect.case) {
        case "move":
          if (effect.value.source === effect.value.target) {
            disclosed = effect.value.source;
            const zone = this.zone(disclosed);
            if (about !== disclosed) {
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

  /** Set the draw counter of a zone; only whole tables have one. */
  private count(zone: string, draws: number): void {
    if (this.table.viewer === "whole") this.zone(zone).draws = draws;
  }

  /** Apply the visibilities of an event before its other effects. */
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
    if (this.zonesBefore.has(id)) return zone as unknown as Draft; // already a draft
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

/** Remove components. If the zone has no known ones, remove unknown ones; if it has none either, they were invisible. */
function take(zone: Draft, { component, count }: Move): void {
  let left = count;
  if (zone.stack) {
    const there = Math.min(left, zone.order.length);
    zone.order.length -= there;
    left -= there;
  } else {
    for (const known of [component, HIDDEN]) {
      const present = zone.contents.get(known) ?? 0;
      const there = Math.min(left, present);
      if (there === present) zone.contents.delete(known);
      else if (there > 0) zone.contents.set(known, present - there);
      left -= there;
    }
  }
  if (zone.count !== undefined) zone.count -= count - left;
}

/** Replace the contents by a number of unknown components. */
function forget(zone: Draft, count: number): void {
  zone.order = zone.stack ? row(count) : [];
  zone.contents = new Map(zone.stack ? [] : heap(count));
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
