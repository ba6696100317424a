/**
 * Verifies game records (docs/record.md) without Boardkeeper: form, chain, signature, and every draw (docs/dice.md).
 */
import { ed25519 } from "@noble/curves/ed25519.js";
import { utf8ToBytes } from "@noble/hashes/utils.js";
import { HEADER, isBounded, isShort, whyConverted, whyNoRecord } from "./bounds.js";
import { canonical, expect, hash, isHex, unhex, Wrong } from "./bytes.js";
import { DICE, diceKey, diceOf, explain, makeDice, type Pick } from "./dice.js";
import type { Created, EventLine, Form, Seal } from "./record.js";

export { canonical, makeDice };

const TAG = "boardkeeper-record-1:";
const EVENT = "command_id,event,given,link,parts,salt,seat,time,version/detail,effects,topic";
/** Limits of the format, and a limit of work far above that of any game. */
const [MAX_BYTES, MAX_COMPONENTS, MAX_WORK] = [2 ** 26, 100_000, 200_000_000];
/** Number of lines between possible pauses. */
const LINES = 20;
/** The longest time without a pause, in milliseconds. */
const AT_ONCE_MS = 12;

/** The levels of the specification, in order. */
export const LEVELS = ["well-formed", "chained", "signed", "conserved", "fair", "decided"] as const;

/** A level of verification. */
export type LevelName = (typeof LEVELS)[number];

/** The result of a level; `note` names what was checked, or why it was not. */
export interface Level {
  readonly level: LevelName;
  readonly status: "holds" | "fails" | "not yet" | "not checked";
  readonly note: string;
}

/** A problem; `line` is its line in the record, from 1, or 0 for none in particular. */
export interface Problem {
  readonly level: LevelName;
  readonly line: number;
  readonly message: string;
}

/** A verified random draw. {@link picks} returns its derivation. */
export interface Draw {
  /** The version of its event. */
  readonly version: number;
  readonly kind: "draw" | "shuffle";
  /** The zone; its id is the name of the dice stream. */
  readonly zone: string;
  /** The index of its first number in the stream. */
  readonly counter: number;
  /** The contents of the zone before; stacks from the bottom. */
  readonly before: readonly string[];
  /** The components drawn, in order, or the new order. */
  readonly outcome: readonly string[];
}

/** Properties of a valid record. */
export interface Sound {
  readonly game: string;
  /** The id of the signing key; compare it with the server's keys. */
  readonly keyId: string;
  /** The number of events. */
  readonly events: number;
  /** The number of verified draws and shuffles. */
  readonly draws: number;
  /** The steps that the verification of draws still needs; empty if it was done. */
  readonly waits: string;
}

/** The result of a verification. */
export interface Verified extends Omit<Sound, "draws"> {
  /** Whether no problem was found. Levels that are pending or need the rules are no problem. */
  readonly holds: boolean;
  /** The viewer of the record: `whole`, `spectator` or `seat.N`; empty if unknown. */
  readonly viewer: string;
  readonly format: number;
  readonly levels: readonly Level[];
  /** The first problem, if any. */
  readonly problems: readonly Problem[];
  readonly draws: readonly Draw[];
  /** The key of the dice, in hexadecimal, for {@link picks}; empty before the end of the game. */
  readonly diceKey: string;
}

/** Progress: lines checked, and the number of line checks in total. */
export type Progress = (done: number, of: number) => void;

/** Results so far. */
interface Findings {
  level: LevelName;
  line: number;
  game: string;
  viewer: string;
  format: number;
  keyId: string;
  events: number;
  waits: string;
  draws: number;
  drawn: Draw[] | undefined;
  key: string;
}

type Steps<Result = void> = Generator<[done: number, of: number], Result, undefined>;

const findings = (drawn?: Draw[]): Findings => ({
  ...{ level: "well-formed", line: 0, game: "", viewer: "", format: 0, keyId: "", events: 0 },
  ...{ waits: "", draws: 0, drawn, key: "" },
});

/** Verify a record; throws an `Error` with the first problem. It blocks until it is done. */
export function verify(record: Uint8Array): Sound {
  const found = findings();
  for (const _ of checkAll(record, found));
  const { game, keyId, events, draws, waits } = found;
  return { game, keyId, events, draws, waits };
}

/**
 * Verify a record and return the results, with the first problem. It pauses every few milliseconds, so that it does not
 * block a page, and can run in a worker: its result can be cloned.
 */
export async function verifyRecord(
  record: Uint8Array,
  { onProgress = () => {}, signal }: { onProgress?: Progress; signal?: AbortSignal } = {},
): Promise<Verified> {
  const found = findings([]);
  const problems: Problem[] = [];
  try {
    let due = performance.now() + AT_ONCE_MS;
    for (const [done, of] of checkAll(record, found)) {
      if (performance.now() < due) continue;
      onProgress(done, of);
      await new Promise((resolve) => setTimeout(resolve));
      signal?.throwIfAborted();
      due = performance.now() + AT_ONCE_MS;
    }
  } catch (error) {
    signal?.throwIfAborted();
    problems.push({ level: found.level, line: found.line, message: errorMessage(error) });
  }
  const { game, viewer, format, keyId, events, waits, drawn = [], key } = found;
  const shared = { game, viewer, format, keyId, events, waits, draws: drawn, diceKey: key };
  return { ...shared, holds: problems.length === 0, levels: levels(found, problems), problems };
}

/** Return the derivation of a verified draw, number by number; `diceKey` is the record's. */
export const picks = ({ kind, zone, counter, before, outcome }: Draw, diceKey: string): Pick[] =>
  explain(diceKey, kind, zone, counter, before, outcome.length);

/** Return the message of an error of {@link verify}: errors other than ours come from values of an unexpected form. */
export const errorMessage = (error: unknown): string =>
  error instanceof Wrong ? error.message : `the file does not have the form of a record (${(error as Error).message})`;

/** The former name of {@link errorMessage}. @deprecated */
export const whatIsWrong = errorMessage;

const NOTES: Record<LevelName, string> = {
  "well-formed": "all bytes, lines and fields",
  chained: "all links; boardkeeper verify also checks the forms for the other viewers",
  signed: "by the key in the seal",
  conserved: "checked with the dice for components that move; boardkeeper verify checks the rest",
  fair: "every draw and shuffle is the one that the dice give",
  decided: "needs the rules: run boardkeeper verify",
};

function levels({ level: reached, waits }: Findings, problems: readonly Problem[]): Level[] {
  const failed = problems.length > 0 ? LEVELS.indexOf(reached) : LEVELS.length;
  return LEVELS.map((level, at): Level => {
    if (at === failed) return { level, status: "fails", note: problems[0]!.message };
    if (level === "conserved" || level === "decided") return { level, status: "not checked", note: NOTES[level] };
    if (at > failed) return { level, status: "not checked", note: `${LEVELS[failed]} failed` };
    if (level === "fair" && waits) return { level, status: "not yet", note: `it waits for ${waits}` };
    return { level, status: "holds", note: NOTES[level] };
  });
}

/** Check everything, a few lines at a time. */
function* checkAll(record: Uint8Array, found: Findings): Steps {
  expect(record.length <= MAX_BYTES, `the record has more than ${MAX_BYTES} bytes`);
  const converted = whyConverted(record);
  expect(!converted, converted);
  const texts = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(record).split("\n");
  expect(texts.pop() === "" && HEADER.test(texts[0] ?? ""), whyNoRecord(texts[0] ?? ""));
  const of = 3 * texts.length;
  const lines: unknown[] = [];
  for (const [at, text] of texts.entries()) {
    found.line = at + 1;
    lines.push(read(text, at + 1));
    if (at % LINES === 0) yield [at, of];
  }
  const { game, viewer, format } = lines.shift() as { game: string; viewer: string; format: number };
  const seal = lines.pop() as Seal;
  const events = lines as EventLine[];
  Object.assign(found, { game, viewer, format, events: events.length });
  yield* checkChain(game, format, viewerIndexOf(viewer), events, seal, found, of);
  found.line = 0;
  checkSeal(game, events, seal, found);
  found.level = "well-formed";
  expect(
    events.slice(0, -1).every(({ event }) => event.topic !== "game.GameEnded"),
    "an event follows the end of the game",
  );
  found.keyId = seal.key_id;
  if (viewer !== "whole") found.waits = "the whole record";
  else if (events.at(-1)?.event.topic !== "game.GameEnded") found.waits = "the end of the game";
  found.level = "fair";
  if (!found.waits) yield* checkDraws(events, found, of);
}

function read(text: string, line: number): unknown {
  try {
    const value: unknown = JSON.parse(text);
    if (isShort(text) && canonical(value) === text) return value;
  } catch {
    // reported below
  }
  throw new Wrong(`line ${line}: the line is too long, or not written in the canonical form`);
}

/** Return the index of a viewer among the forms of an event (`parts`). */
const viewerIndexOf = (viewer: string): number =>
  viewer === "whole" ? 0 : viewer === "spectator" ? 1 : Number.parseInt(viewer.slice(5), 10) + 1;

const commitment = (salt: string, value: unknown): string => hash(`${TAG}part:`, unhex(salt), canonical(value));

const created = (event: Form): Created => event.detail as unknown as Created;

function* checkChain(
  game: string,
  format: number,
  viewerIndex: number,
  events: readonly EventLine[],
  seal: Seal,
  found: Findings,
  of: number,
): Steps {
  let link = hash(`${TAG}game:${game}`);
  for (const [at, line] of events.entries()) {
    const { version, seat, command_id, time, event, given, parts, salt } = line;
    found.level = "well-formed";
    found.line = at + 2;
    const isSound =
      `${Object.keys(line)}/${Object.keys(event)}` === EVENT &&
      isHex(salt, "{16}") &&
      version === at + 1 &&
      (given === null || (viewerIndex ? isHex(given, "{32}") : `${Object.keys(given)}` === "commands,salt,seat")) &&
      parts.length === created(events[0]!.event).seats.length + 2 &&
      (event.topic === "game.GameCreated") === (at === 0) &&
      parts.every((it, place) => place < 18 && (place === viewerIndex || isHex(it, "{32}"))) &&
      parts[viewerIndex] === null &&
      isBounded(line, format);
    expect(isSound, `line ${at + 2}: the line is not an event, or a field is out of bounds`);
    const all = parts.map((part) => part ?? commitment(salt, event));
    const submission =
      given !== null && typeof given === "object" ? commitment(given.salt, [given.seat, given.commands]) : given;
    link = hash(`${TAG}link:`, unhex(link), canonical([version, seat, command_id, time, submission, all]));
    found.level = "chained";
    expect(line.link === link, `line ${at + 2}: the link does not match this event and the link before it`);
    if (at % LINES === 0) yield [events.length + at, of];
  }
  found.level = "well-formed";
  found.line = events.length + 2;
  const fits = Object.keys(seal).length === 5 && seal.head === link && seal.events === events.length;
  expect(fits, "the seal does not match the record");
}

function checkSeal(game: string, events: readonly EventLine[], seal: Seal, found: Findings): void {
  found.level = "signed";
  const [key, signature] = [unhex(seal.key), unhex(seal.signature)];
  expect(isHex(seal.key, "{32}"), "the key in the seal is not an Ed25519 key");
  const signed = utf8ToBytes(`${TAG}seal:${canonical([game, seal.events, seal.head, seal.key_id])}`);
  const isSigned = signature.length === 64 && ed25519.verify(signature, signed, key, { zip215: false });
  expect(isSigned && hash(key) === seal.key_id, "the signature is not valid");
  const own = created(events[0]!.event).server_key ?? seal.key_id;
  expect(own === seal.key_id, "the record is signed with another key than the game's");
}

/** A zone during the replay. */
interface ReplayedZone {
  readonly stack: boolean;
  counter: number;
  items: string[];
}

function* checkDraws(events: readonly EventLine[], found: Findings, of: number): Steps {
  const { commitment, layout, seats } = created(events[0]!.event);
  const secret = unhex(events.at(-1)!.event.detail!.secret);
  expect(hash(DICE, secret) === commitment, "the secret does not match the commitment in the first event");
  const entropies = new Map<number, unknown>();
  for (const { seat, event } of events)
    if (event.topic === "game.SeatJoined") entropies.set(seat, event.detail!.entropy);
  found.key = diceKey(
    secret,
    seats.map((_, at) => unhex(entropies.get(at + 1) ?? "")),
  );
  const dice = diceOf(unhex(found.key));
  const amounts = layout.zones.flatMap(([, , contents, , , order]) => [order.length, ...Object.values(contents)]);
  const total = amounts.reduce((sum, it) => sum + it, 0);
  expect(total <= MAX_COMPONENTS, `the game has more than ${MAX_COMPONENTS} components`);
  const zones = new Map<string, ReplayedZone>();
  for (const [id, , contents, stack, counter, order] of layout.zones) {
    const items = Object.entries(contents).flatMap(([kind, count]) => new Array<string>(count).fill(kind));
    zones.set(id, { stack, counter, items: items.concat(order) });
  }
  let work = 0;
  const mayTake = (line: number, zone: ReplayedZone, many: number, more: number): void => {
    work += more;
    const fits = Number.isInteger(many) && many >= 0 && many <= zone.items.length && work <= MAX_WORK;
    expect(fits, `line ${line}: an effect takes more components than a zone holds, or is too much to check`);
  };
  for (const { version, event } of events) {
    found.line = version + 1;
    for (const effect of event.effects) {
      if (effect[0] === "m") {
        const [, component, count, source, target] = effect;
        const from = zones.get(source)!;
        mayTake(version + 1, from, count, (count + 1) * from.items.length);
        move(zones, component, count, source, target, version + 1);
      } else if (effect[0] === "d" || effect[0] === "r") {
        const [, name, counter] = effect;
        const outcome = effect[0] === "d" ? effect[3] : effect[4];
        const zone = zones.get(name)!;
        mayTake(version + 1, zone, outcome.length, (outcome.length + 1) * (10 * zone.items.length + 3000));
        check(name, zone, effect[0] === "d" ? "draw" : "shuffle", counter, outcome, version);
        yield [2 * events.length + version, of];
      }
    }
    if (version % LINES === 0) yield [2 * events.length + version, of];
  }

  function check(
    name: string,
    zone: ReplayedZone,
    kind: Draw["kind"],
    counter: number,
    outcome: readonly string[],
    version: number,
  ): void {
    const before = zone.items;
    const due =
      kind === "draw" ? dice.draw(name, counter, before, outcome.length) : dice.shuffle(name, counter, before);
    const isDue = canonical([zone.counter, due]) === canonical([counter, outcome]);
    expect(isDue, `line ${version + 1}: the dice give ${due}`);
    found.draws++;
    found.drawn?.push({ version, kind, zone: name, counter, before: [...before], outcome });
    if (kind === "shuffle") zone.items = due;
    zone.counter = counter + (kind === "draw" ? outcome.length : Math.max(outcome.length - 1, 0));
  }
}

function move(
  zones: ReadonlyMap<string, ReplayedZone>,
  component: string,
  count: number,
  source: string,
  target: string,
  line: number,
): void {
  const [from, to] = [zones.get(source)!, zones.get(target)!];
  for (let left = count; left > 0; left--) {
    const place = from.items.lastIndexOf(component);
    expect(place >= (from.stack ? from.items.length - 1 : 0), `line ${line}: ${source} does not hold ${component}`);
    to.items.push(...from.items.splice(place, 1));
  }
}
