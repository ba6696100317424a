/**
 * Reading of a record's lines (docs/record.md) without verification. Reading stops at the first malformed line; all
 * lines before it remain usable.
 */

import { type Effect, EffectSchema, Sight, type Table } from "@boardkeeper/client";
import { TableSchema } from "@boardkeeper/client/gen/boardkeeper/v1/table_pb";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import type { Setup } from "./library";
import type { Values } from "./sentences";

/** The maximum size of a record. */
export const MAX_BYTES = 2 ** 26;

/** The line of an event, without the parts that are not shown. */
export interface RecordedEvent {
  readonly version: number;
  readonly seat: number;
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly topic: string;
  readonly detail: Values | null;
  readonly effects: readonly Effect[];
  /** Whether the event starts a command. */
  readonly begins: boolean;
}

/** A parsed record. */
export interface ReadRecord {
  readonly game: string;
  /** The viewer that the record is redacted for: `whole`, `spectator` or `seat.N`. */
  readonly viewer: string;
  readonly title: string;
  readonly setup: Setup;
  /** The player of each seat: `person`, `bot.KIND`. */
  readonly seats: readonly string[];
  /** The initial table. */
  readonly laid: Table;
  readonly events: readonly RecordedEvent[];
  /** The first malformed line, from 1; 0 if all lines are valid. */
  readonly brokenAt: number;
}

/** The file is not a record. */
export class NoRecord extends Error {
  override readonly name = "NoRecord";
}

/** Read a record; throws {@link NoRecord} if its header is invalid. */
export function readRecord(content: Uint8Array | string): ReadRecord {
  if (content.length > MAX_BYTES) throw new NoRecord("too large");
  const isText = typeof content === "string";
  const lines = (isText ? content : new TextDecoder("utf-8", { ignoreBOM: true }).decode(content)).split("\n");
  if (lines.at(-1) === "") lines.pop();
  const header = parseLine(lines[0]);
  if (header.record !== "boardkeeper-record" || (header.format !== 1 && header.format !== 2))
    throw new NoRecord("no header");
  const first = attempt(() => eventOf(parseLine(lines[1]), 1));
  if (first?.topic !== "game.GameCreated" || first.detail === null) throw new NoRecord("no first event");
  const viewer = text(header.viewer);
  const created = attempt(() => createdOf(first.detail ?? {}, viewer));
  if (created === undefined) throw new NoRecord("no layout");

  const events: RecordedEvent[] = [first];
  let brokenAt = 0;
  for (let at = 2; at < lines.length; at++) {
    const event = attempt(() => eventOf(parseLine(lines[at]), at));
    if (event === undefined) {
      const isSeal = at === lines.length - 1 && attempt(() => text(parseLine(lines[at]).head)) !== undefined;
      if (!isSeal) brokenAt = at + 1;
      break;
    }
    events.push(event);
  }
  return { game: text(header.game), viewer, ...created, events, brokenAt };
}

function createdOf(detail: Values, viewer: string) {
  const setup = object(detail.setup);
  const { zones, markers, decisions } = object(detail.layout);
  const sight = new Sight(viewer);
  const visibilities = new Map(list(markers).map((each) => [text(list(each)[0]), text(list(each)[2])]));
  const word = (visibility: string) =>
    visibility.startsWith("as:") ? (visibilities.get(visibility.slice(3)) ?? "nobody") : visibility;
  const laid = create(TableSchema, {
    viewer,
    zones: list(zones).map((each) => {
      const [id, visibility, contents, stack, counter, order] = list(each);
      const held = Object.entries(object(contents)).map(([component, count]) => ({ component, count: whole(count) }));
      const sees = sight.sees(word(text(visibility)));
      const zones = list(order).map(text);
      return {
        id: text(id),
        visibility: text(visibility),
        stack: stack === true,
        seen: sees,
        ...(sight.counts(word(text(visibility))) && {
          count: held.reduce((sum, { count }) => sum + count, zones.length),
        }),
        contents: sees ? held : [],
        order: sees ? zones : [],
        draws: viewer === "whole" ? whole(counter) : 0,
      };
    }),
    markers: list(markers).map((each) => {
      const [id, value, visibility] = list(each);
      const seen = sight.sees(word(text(visibility)));
      return { id: text(id), visibility: text(visibility), ...(seen && { value: scalar(value) }) };
    }),
    decisions: list(decisions).map(text),
  });
  const seats = list(detail.seats).map(text);
  while (laid.decisions.length < seats.length) laid.decisions.push("");
  return {
    title: text(detail.title),
    setup: {
      edition: text(setup.edition),
      players: whole(setup.players),
      options: object(setup.options) as Record<string, string>,
      readings: object(setup.readings) as Record<string, string>,
    },
    seats,
    laid,
  };
}

function eventOf(line: Values, version: number): RecordedEvent {
  const { topic, detail, effects } = object(line.event);
  if (line.version !== version) throw new TypeError("another version");
  return {
    version,
    seat: whole(line.seat),
    time: whole(line.time),
    topic: text(topic),
    detail: detail === null ? null : object(detail),
    effects: list(effects).map((effect) => create(EffectSchema, { effect: effectOf(list(effect)) })),
    begins: line.given !== null && line.given !== undefined,
  };
}

type EffectInit = NonNullable<MessageInitShape<typeof EffectSchema>["effect"]>;

/** Convert an effect from its form in a line to its message. */
export function effectOf([tag, ...values]: readonly unknown[]): EffectInit {
  const [one, two, three, four] = values;
  switch (tag) {
    case "m":
      return {
        case: "move",
        value: { component: text(one), count: whole(two), source: text(three), target: text(four) },
      };
    case "s":
      return { case: "set", value: { marker: text(one), before: scalar(two), after: scalar(three) } };
    case "a":
      return { case: "ask", value: { seat: whole(one), before: text(two), after: text(three) } };
    case "d":
      return { case: "draw", value: { zone: text(one), counter: whole(two), drawn: list(three).map(text) } };
    case "r":
      return {
        case: "shuffle",
        value: { zone: text(one), counter: whole(two), before: list(three).map(text), after: list(four).map(text) },
      };
    case "v":
      return { case: "reveal", value: { subject: text(one), before: text(two), after: text(three) } };
    default:
      throw new TypeError("no effect");
  }
}

const scalar = (value: unknown) =>
  typeof value === "number"
    ? ({ value: { case: "number", value: BigInt(whole(value)) } } as const)
    : ({ value: { case: "word", value: text(value) } } as const);

// --- values of any form ---------------------------------------------------------------------------------------------

function parseLine(line: string | undefined): Values {
  try {
    return object(JSON.parse(line ?? ""));
  } catch {
    throw new NoRecord("no line of JSON");
  }
}

function attempt<Value>(make: () => Value): Value | undefined {
  try {
    return make();
  } catch {
    return undefined;
  }
}

function object(value: unknown): Values {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw new TypeError("no object");
  return value as Values;
}

function list(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw new TypeError("no list");
  return value;
}

function text(value: unknown): string {
  if (typeof value !== "string") throw new TypeError("no text");
  return value;
}

function whole(value: unknown): number {
  if (!Number.isSafeInteger(value)) throw new TypeError("no whole number");
  return value as number;
}
