/** Access to the catalogue of a game's title. */
import type { Game, GetTitleResponse } from "@boardkeeper/client";
import { needsBotTag } from "../lobby/setup";
import { HIDDEN } from "../stage/pieces";
import type { Words } from "../words/words";
import type { Subject } from "./selection";

/** Values of a component, as JSON. */
export type Values = Readonly<Record<string, unknown>>;

export interface ComponentEntry {
  readonly id: string;
  readonly kind: string;
  readonly text: string;
  readonly values: Values;
  readonly provenance: string;
}

export interface ZoneGuide {
  readonly id: string;
  readonly text: string;
  readonly seat: number;
  readonly kind: string;
  readonly component: string;
  readonly position: number;
  readonly symbol: string;
}

export interface MarkerGuide {
  readonly id: string;
  readonly text: string;
  readonly seat: number;
  readonly kind: string;
  readonly component: string;
  readonly words: ReadonlyMap<string, string>;
  readonly chart: boolean;
}

export interface SeatGuide {
  readonly seat: number;
  readonly name: string;
  /** The id of the bot that plays it; empty for a person. */
  readonly bot: string;
  /** Whether its name needs a "bot" tag. */
  readonly isTagged: boolean;
  /** Whether a bot plays for the person temporarily. */
  readonly handedOver: boolean;
  readonly resigned: boolean;
  /** The id of its colour. */
  readonly color: string;
  readonly colorText: string;
}

/** The catalogue of a game's title, for its edition, number of players, options and readings. */
export class Guide {
  readonly title: string;
  readonly edition: string;
  readonly components = new Map<string, ComponentEntry>();
  readonly seats: SeatGuide[];
  private readonly zones = new Map<string, ZoneGuide>();
  private readonly markers = new Map<string, MarkerGuide>();
  private readonly decisions = new Map<string, string>();
  readonly map: GetTitleResponse["map"];

  constructor(
    readonly catalogue: GetTitleResponse,
    game: Pick<Game, "seats">,
    readonly words: Words,
  ) {
    this.title = catalogue.title?.id ?? "";
    this.edition = catalogue.edition;
    this.map = catalogue.map;
    for (const { id, kind, text, values, provenance } of catalogue.components) {
      this.components.set(id, { id, kind, text, values: inOrder(values ?? {}) as Values, provenance });
    }
    for (const entry of catalogue.zones) this.zones.set(entry.id, entry);
    for (const entry of catalogue.markers) {
      this.markers.set(entry.id, { ...entry, words: new Map(entry.words.map(({ id, text }) => [id, text])) });
    }
    for (const { id, text } of catalogue.decisions) this.decisions.set(id, text);
    const edition = catalogue.title?.editions.find(({ id }) => id === catalogue.edition);
    this.seats = game.seats.map((each) => {
      const { seat, displayName, bot, handedOver, resigned } = each;
      const color = edition?.seatColors.find((other) => other.seat === seat);
      return {
        seat,
        name: displayName,
        bot,
        isTagged: needsBotTag(each, words),
        handedOver,
        resigned,
        color: color?.id ?? "",
        colorText: color?.text ?? "",
      };
    });
  }

  /** The marker that counts rounds; undefined if the title has none. */
  get roundMarker(): string | undefined {
    for (const { id, kind } of this.markers.values()) if (kind === "round") return id;
    return undefined;
  }

  /** Return the name of a component; a readable id if the catalogue does not have it. */
  text(component: string): string {
    return this.components.get(component)?.text ?? readable(component);
  }

  /** Return the catalogue entry of a zone. */
  zone(id: string): ZoneGuide {
    return (
      this.zones.get(id) ?? {
        id,
        text: readable(id),
        seat: seatIn(id),
        kind: "",
        component: "",
        position: 0,
        symbol: "",
      }
    );
  }

  /** Return the catalogue entry of a marker. */
  marker(id: string): MarkerGuide {
    return (
      this.markers.get(id) ?? {
        id,
        text: readable(id),
        seat: seatIn(id),
        kind: "",
        component: "",
        words: new Map(),
        chart: false,
      }
    );
  }

  /**
   * Return the zone where a marker with this value is placed: the zone printed on the named thing, of the marker's
   * kind.
   */
  standing(marker: string, word: string): string | undefined {
    const { kind } = this.marker(marker);
    if (!kind || !word) return undefined;
    for (const zone of this.zones.values()) if (zone.kind === kind && zone.component === word) return zone.id;
    return undefined;
  }

  /** Return the name of a decision. */
  decision(id: string): string {
    return this.decisions.get(id) ?? readable(id);
  }

  /** Return the text of a marker's value. */
  value(marker: string, value: number | string | undefined): string {
    if (value === undefined) return "?";
    if (typeof value === "number") return String(value);
    return this.marker(marker).words.get(value) ?? (value === "" ? "–" : this.text(value));
  }

  /** Return the name of a subject, with its owner. */
  subject(subject: Subject): string {
    const { text, seat } = "zone" in subject ? this.zone(subject.zone) : this.marker(subject.marker);
    const what = "zone" in subject ? subject.component : subject.word;
    const words = what === HIDDEN ? this.words.hidden : what && this.text(what);
    return [words, text, seat > 0 ? this.nameOf(seat) : ""].filter(Boolean).join(" · ");
  }

  /** Return the name of a seat, as sentences use it. */
  nameOf(seat: number): string {
    return this.seats.find((each) => each.seat === seat)?.name || `${this.words.seat} ${seat}`;
  }
}

/** Sort the members of a value by name: messages have them in any order, and drawings must not change with it. */
function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(members.map(([name, member]) => [name, inOrder(member)]));
}

function readable(id: string): string {
  return id.replace(/^seat\.\d+\./, "").replace(/[._]/g, " ");
}

function seatIn(id: string): number {
  return Number(/^seat\.(\d+)\./.exec(id)?.[1] ?? 0);
}
