/** Checks game records (docs/record.md) without Boardkeeper: form, chain, signature, and every draw (docs/dice.md). */
import { ed25519 } from "@noble/curves/ed25519.js";
import { utf8ToBytes } from "@noble/hashes/utils.js";
import { HEADER, isBounded, isShort, whyConverted, whyNoRecord } from "./bounds.js";
import { canonical, expect, hash, isHex, unhex, Wrong } from "./bytes.js";
import { DICE, diceKey, diceOf, explain, makeDice, type Pick } from "./dice.js";
import type { Created, EventLine, Form, Seal } from "./record.js";

export { canonical, makeDice };

const TAG = "boardkeeper-record-1:";
const EVENT = "command_id,event,given,link,parts,salt,seat,time,version/detail,effects,topic";
/** The limits of the format, and far more work than checking any game takes. */
const [MOST_BYTES, MOST_COMPONENTS, MOST_WORK] = [2 ** 26, 100_000, 200_000_000];
/** Among so many lines a break is offered. */
const LINES = 20;
/** How long a page may stand still, in milliseconds. */
const AT_ONCE_MS = 12;

/** The levels of the specification, in their order. */
export const LEVELS = ["well-formed", "chained", "signed", "conserved", "fair", "decided"] as const;

/** A level of verification. */
export type LevelName = (typeof LEVELS)[number];

/** How one level came out; `note` says what was looked at, or why it was not. */
export interface Level {
  readonly level: LevelName;
  readonly status: "holds" | "fails" | "not yet" | "not checked";
  readonly note: string;
}

/** What is wrong; `line` is the record's, from 1, or 0 for none in particular. */
export interface Problem {
  readonly level: LevelName;
  readonly line: number;
  readonly message: string;
}

/** A draw of chance that was found right. {@link picks} shows how it came. */
export interface Draw {
  /** The event that it is in. */
  readonly version: number;
  readonly kind: "draw" | "shuffle";
  /** The zone that chance acted on: the stream of the dice. */
  readonly zone: string;
  /** The place of its first number in the stream. */
  readonly counter: number;
  /** What lay in the zone; of a stack, bottom first. */
  readonly before: readonly string[];
  /** What was picked, in order, or the order from then on. */
  readonly outcome: readonly string[];
}

/** What a sound record says of itself. */
export interface Sound {
  readonly game: string;
  /** Whose key signed it: compare it with what that server tells. */
  readonly keyId: string;
  /** How many events. */
  readonly events: number;
  /** How many draws and shuffles were checked. */
  readonly draws: number;
  /** What the draws wait for; empty: they were checked. */
  readonly waits: string;
}

/** What was found out about a record. */
export interface Verified extends Omit<Sound, "draws"> {
  /** Whether nothing is wrong. Levels that wait, or that need the rules, are not wrong. */
  readonly holds: boolean;
  /** Whose form it is: `whole`, `spectator` or `seat.N`; empty if that cannot be told. */
  readonly viewer: string;
  readonly format: number;
  readonly levels: readonly Level[];
  /** The first thing that is wrong, if anything is. */
  readonly problems: readonly Problem[];
  readonly draws: readonly Draw[];
  /** The key of the dice, in hexadecimal, for {@link picks}; empty before the end of the game. */
  readonly diceKey: string;
}

/** How far it is: lines looked at, of how many looks at a line that there will be. */
export type Progress = (done: number, of: number) => void;

/** What has been found out so far. */
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

/** Checks a record or throws an `Error` that says what is wrong. It blocks until it is done. */
export function verify(record: Uint8Array): Sound {
  const found = findings();
  for (const _ of checked(record, found));
  const { game, keyId, events, draws, waits } = found;
  return { game, keyId, events, draws, waits };
}

/**
 * Checks a record and tells everything about it; of one that does not hold, the first thing that is wrong.
 *
 * It gives way to what else the page has to do every few milliseconds, and may as well run in a worker: what it returns can be
 * sent from there.
 */
export async function verifyRecord(
  record: Uint8Array,
  { onProgress = () => {}, signal }: { onProgress?: Progress; signal?: AbortSignal } = {},
): Promise<Verified> {
  const found = findings([]);
  const problems: Problem[] = [];
  try {
    let due = performance.now() + AT_ONCE_MS;
    for (const [done, of] of checked(record, found)) {
      if (performance.now() < due) continue;
      onProgress(done, of);
      await new Promise((resolve) => setTimeout(resolve));
      signal?.throwIfAborted();
      due = performance.now() + AT_ONCE_MS;
    }
  } catch (error) {
    signal?.throwIfAborted();
    problems.push({ level: found.level, line: found.line, message: whatIsWrong(error) });
  }
  const { game, viewer, format, keyId, events, waits, drawn = [], key } = found;
  const shared = { game, viewer, format, keyId, events, waits, draws: drawn, diceKey: key };
  return { ...shared, holds: problems.length === 0, levels: levels(found, problems), problems };
}

/** How a draw of a verified record came, number by number; `diceKey` is the record's. */
export const picks = ({ kind, zone, counter, before, outcome }: Draw, diceKey: string): Pick[] =>
  explain(diceKey, kind, zone, counter, before, outcome.length);

/** What an error of {@link verify} says: anything else than our own comes from a value of another form. */
export const whatIsWrong = (error: unknown): string =>
  error instanceof Wrong ? error.message : `the file does not have the form of a record (${(error as Error).message})`;

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

/** Looks at everything that there is to look at, a few lines at a time. */
function* checked(record: Uint8Array, found: Findings): Steps {
  expect(record.length <= MOST_BYTES, `the record has more than ${MOST_BYTES} bytes`);
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
  yield* checkChain(game, format, place(viewer), events, seal, found, of);
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
    // said below
  }
  throw new Wrong(`line ${line}: the line is too long, or not written in the canonical form`);
}

/** The place of a viewer's form among all of them. */
const place = (viewer: string): number =>
  viewer === "whole" ? 0 : viewer === "spectator" ? 1 : Number.parseInt(viewer.slice(5), 10) + 1;

const commitment = (salt: string, value: unknown): string => hash(`${TAG}part:`, unhex(salt), canonical(value));

const created = (event: Form): Created => event.detail as unknown as Created;

function* checkChain(
  game: string,
  format: number,
  shown: number,
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
      (given === null || (shown ? isHex(given, "{32}") : `${Object.keys(given)}` === "commands,salt,seat")) &&
      parts.length === created(events[0]!.event).seats.length + 2 &&
      (event.topic === "game.GameCreated") === (at === 0) &&
      parts.every((it, place) => place < 18 && (place === shown || isHex(it, "{32}"))) &&
      parts[shown] === null &&
      isBounded(line, format);
    expect(isSound, `line ${at + 2}: the line is not an event, or a field is out of bounds`);
    const all = parts.map((part) => part ?? commitment(salt, event));
    const asked =
      given !== null && typeof given === "object" ? commitment(given.salt, [given.seat, given.commands]) : given;
    link = hash(`${TAG}link:`, unhex(link), canonical([version, seat, command_id, time, asked, all]));
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

/** A zone while the record is replayed. */
interface Lying {
  readonly stack: boolean;
  counter: number;
  items: string[];
}

function* checkDraws(events: readonly EventLine[], found: Findings, of: number): Steps {
  const { commitment, layout, seats } = created(events[0]!.event);
  const secret = unhex(events.at(-1)!.event.detail!.secret);
  expect(hash(DICE, secret) === commitment, "the secret does not match the commitment in the first event");
  const own = new Map<number, unknown>();
  for (const { seat, event } of events) if (event.topic === "game.SeatJoined") own.set(seat, event.detail!.entropy);
  found.key = diceKey(
    secret,
    seats.map((_, at) => unhex(own.get(at + 1) ?? "")),
  );
  const dice = diceOf(unhex(found.key));
  const amounts = layout.zones.flatMap(([, , contents, , , order]) => [order.length, ...Object.values(contents)]);
  const total = amounts.reduce((sum, it) => sum + it, 0);
  expect(total <= MOST_COMPONENTS, `the game has more than ${MOST_COMPONENTS} components`);
  const zones = new Map<string, Lying>();
  for (const [id, , contents, stack, counter, order] of layout.zones) {
    const items = Object.entries(contents).flatMap(([kind, count]) => new Array<string>(count).fill(kind));
    zones.set(id, { stack, counter, items: items.concat(order) });
  }
  let work = 0;
  const mayTake = (line: number, zone: Lying, many: number, more: number): void => {
    work += more;
    const fits = Number.isInteger(many) && many >= 0 && many <= zone.items.length && work <= MOST_WORK;
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
    zone: Lying,
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
  zones: ReadonlyMap<string, Lying>,
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
