/** What the catalogue tells about the title of a game, as the page asks for it. */
import type { Game, GetTitleResponse } from "@boardkeeper/client";
import { needsBotTag } from "../lobby/setup";
import { HIDDEN } from "../stage/pieces";
import type { Words } from "../words/words";
import type { Subject } from "./choosing";

/** What a component says, as JSON. */
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
  /** The kind of bot that plays it; empty: a person does. */
  readonly bot: string;
  /** Whether a tag has to say that a bot plays it. */
  readonly isTagged: boolean;
  /** Whether a bot plays for the person who has it, until it is taken back. */
  readonly handedOver: boolean;
  readonly resigned: boolean;
  /** The id of the colour that it plays. */
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

  /** The marker that counts rounds, if the title has one. */
  get roundMarker(): string | undefined {
    for (const { id, kind } of this.markers.values()) if (kind === "round") return id;
    return undefined;
  }

  /** The name of a component; of what the catalogue does not have, its id made readable. */
  text(component: string): string {
    return this.components.get(component)?.text ?? readable(component);
  }

  /** What a zone is. */
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

  /** What a marker is. */
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

  /** The zone at which a marker with that word as its value stands: the one of the marker's kind that is printed on what it names. */
  standing(marker: string, word: string): string | undefined {
    const { kind } = this.marker(marker);
    if (!kind || !word) return undefined;
    for (const zone of this.zones.values()) if (zone.kind === kind && zone.component === word) return zone.id;
    return undefined;
  }

  /** A decision by its name, in words. */
  decision(id: string): string {
    return this.decisions.get(id) ?? readable(id);
  }

  /** What a marker's value says. */
  value(marker: string, value: number | string | undefined): string {
    if (value === undefined) return "?";
    if (typeof value === "number") return String(value);
    return this.marker(marker).words.get(value) ?? (value === "" ? "–" : this.text(value));
  }

  /** What something on the table is, and whose. */
  subject(subject: Subject): string {
    const { text, seat } = "zone" in subject ? this.zone(subject.zone) : this.marker(subject.marker);
    const what = "zone" in subject ? subject.component : subject.word;
    const words = what === HIDDEN ? this.words.hidden : what && this.text(what);
    return [words, text, seat > 0 ? this.nameOf(seat) : ""].filter(Boolean).join(" · ");
  }

  /** The name of a seat, as the service and its sentences have it. */
  nameOf(seat: number): string {
    return this.seats.find((each) => each.seat === seat)?.name || `${this.words.seat} ${seat}`;
  }
}

/** A value whose members come in the order of their names: messages tell them in any, and what is drawn of them must not move. */
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
