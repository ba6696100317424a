/**
 * Identities of components. A table only counts the components of each kind in a zone; a drawing needs to know which of
 * them moved. Every component gets an identity that follows the moves of events, forwards and backwards, so that the
 * drawing can animate it.
 */
import type { Effect, KnownTable, KnownZone } from "@boardkeeper/client";

/** The name of a component that the viewer may not know. */
export const HIDDEN = "?";

/** A component on the table. */
export interface Piece {
  /** Unique while the page shows this game. */
  readonly key: number;
  /** The name of the component, or `"?"`. */
  component: string;
}

/** The pieces of all zones, each in order of arrival; stacks from the bottom. */
export class Pieces {
  private readonly zones = new Map<string, Piece[]>();
  /** Zones at the last comparison: an identical zone object needs no other one, unless pieces have moved. */
  private agreed = new Map<string, KnownZone>();
  /** Number of changes of each zone. */
  private readonly changes = new Map<string, number>();
  private made = 0;

  constructor(table: KnownTable) {
    this.match(table);
  }

  /** Return the pieces of a zone, in order. */
  in(zone: string): readonly Piece[] {
    return this.zones.get(zone) ?? [];
  }

  /** Return a number that increases with every change of a zone. */
  changesOf(zone: string): number {
    return this.changes.get(zone) ?? 0;
  }

  /** Apply the moves of an event; `table` is the table after it. */
  stepForward(effects: readonly Effect[], table: KnownTable): void {
    for (const { effect } of effects) {
      if (effect.case === "move") {
        const { component, count, source, target } = effect.value;
        this.carry(component, count, source, target);
      }
    }
    this.match(table);
  }

  /** Revert the moves of an event; `table` is the table before it. */
  stepBackward(effects: readonly Effect[], table: KnownTable): void {
    for (let at = effects.length - 1; at >= 0; at--) {
      const effect = effects[at]?.effect;
      if (effect?.case === "move") {
        const { component, count, source, target } = effect.value;
        this.carry(component, count, target, source);
      }
    }
    this.match(table);
  }

  /** Adjust all pieces to a table, with as few new pieces as possible. */
  match(table: KnownTable): void {
    const spare: Piece[] = [];
    const lacking: [string, string[]][] = [];
    for (const zone of table.zones.values()) {
      if (this.agreed.get(zone.id) === zone) continue;
      this.agreed.set(zone.id, zone);
      const here = this.zones.get(zone.id);
      const wanted = contents(zone);
      if (here !== undefined && isSame(here, wanted, zone.stack)) continue;
      const left = [...wanted];
      const kept: Piece[] = [];
      for (const piece of here ?? []) {
        const found = left.indexOf(piece.component);
        if (found < 0) spare.push(piece);
        else {
          left.splice(found, 1);
          kept.push(piece);
        }
      }
      this.zones.set(zone.id, kept);
      this.changed(zone.id);
      if (left.length > 0 || zone.stack) lacking.push([zone.id, left]);
    }
    for (const [zone, components] of lacking) {
      const here = this.zones.get(zone) ?? [];
      for (const component of components) here.push(this.found(component, spare));
    }
    for (const [id] of lacking) {
      const zone = table.zones.get(id);
      if (zone?.stack && zone.seen) this.zones.set(id, inOrder(this.zones.get(id) ?? [], contents(zone)));
    }
  }

  private carry(component: string, count: number, source: string, target: string): void {
    if (source === target) return;
    for (const zone of [source, target]) {
      this.agreed.delete(zone);
      this.changed(zone);
    }
    const from = this.listOf(source);
    const to = this.listOf(target);
    for (let left = count; left > 0; left--) {
      const piece = takeLast(from, component) ?? { key: ++this.made, component };
      if (component !== HIDDEN) piece.component = component;
      to.push(piece);
    }
  }

  private changed(zone: string): void {
    this.changes.set(zone, this.changesOf(zone) + 1);
  }

  private listOf(zone: string): Piece[] {
    let list = this.zones.get(zone);
    if (list === undefined) {
      list = [];
      this.zones.set(zone, list);
    }
    return list;
  }

  private found(component: string, spare: Piece[]): Piece {
    let at = spare.findIndex((piece) => piece.component === component);
    if (at < 0) at = spare.findIndex((piece) => piece.component === HIDDEN || component === HIDDEN);
    const [piece] = at < 0 ? [] : spare.splice(at, 1);
    if (piece === undefined) return { key: ++this.made, component };
    piece.component = component;
    return piece;
  }
}

/** Return the components of a zone as the viewer knows them. */
function contents(zone: KnownZone): readonly string[] {
  if (!zone.seen) return new Array<string>(zone.count ?? 0).fill(HIDDEN);
  if (zone.stack) return zone.order;
  const all: string[] = [];
  for (const [component, count] of zone.contents) for (let left = count; left > 0; left--) all.push(component);
  return all;
}

function isSame(pieces: readonly Piece[], wanted: readonly string[], ordered: boolean): boolean {
  if (pieces.length !== wanted.length) return false;
  if (ordered) return pieces.every((piece, at) => piece.component === wanted[at]);
  const counts = new Map<string, number>();
  for (const component of wanted) counts.set(component, (counts.get(component) ?? 0) + 1);
  for (const { component } of pieces) {
    const left = counts.get(component);
    if (!left) return false;
    counts.set(component, left - 1);
  }
  return true;
}

/** Remove and return the last piece of a kind, or one of unknown kind. */
function takeLast(from: Piece[], component: string): Piece | undefined {
  let at = from.findLastIndex((piece) => piece.component === component);
  if (at < 0) at = from.findLastIndex((piece) => piece.component === HIDDEN || component === HIDDEN);
  return at < 0 ? undefined : from.splice(at, 1)[0];
}

function inOrder(pieces: Piece[], order: readonly string[]): Piece[] {
  const left = [...pieces];
  const sorted: Piece[] = [];
  for (const component of order) {
    const at = left.findIndex((piece) => piece.component === component);
    const [piece] = at < 0 ? [] : left.splice(at, 1);
    if (piece !== undefined) sorted.push(piece);
  }
  return [...sorted, ...left];
}
