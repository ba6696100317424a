// Checks game records (docs/record.md) without Boardkeeper: form, chain, signature, and every draw (docs/dice.md).
import { createHash, createHmac, verify as isSigned } from "node:crypto";
import { HEADER, isBounded, isShort, whyNoRecord } from "./bounds.js";
const [TAG, DICE, MOST_WORK] = ["boardkeeper-record-1:", "boardkeeper-dice-1:", 200_000_000];
const EVENT = "command_id,event,given,link,parts,salt,seat,time,version/detail,effects,topic";
const expect = (holds: unknown, otherwise: string): void => { if (!holds) throw new Error(otherwise.slice(0, 300)); };
const isHex = (it: any, size = "*"): boolean => typeof it === "string" && RegExp(`^([0-9a-f]{2})${size}$`).test(it);
const hex = (text: any): Buffer => { expect(isHex(text), "no hexadecimal"); return Buffer.from(text, "hex"); };
const hash = (...all: (string | Buffer)[]) => all.reduce((h, it) => h.update(it), createHash("sha256")).digest("hex");
const commitment = (salt: string, value: unknown) => hash(`${TAG}part:`, hex(salt), canonical(value));
/** The one way to write a value: sorted names in ASCII, integers only, no spaces, 16 levels at most. */
export function canonical(value: unknown, depth = 1): string {
  expect(typeof value !== "number" || Number.isSafeInteger(value), "a number is no integer of 53 bits");
  expect(typeof value !== "string" || !/\p{Surrogate}/u.test(value), "there is half a character");
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  expect(depth <= 16 && !members.some(([name]) => /[^\0-\x7f]/.test(name)), "too deep, or a name that is not ASCII");
  if (Array.isArray(value)) return `[${value.map((item) => canonical(item, depth + 1)).join()}]`;
  return `{${members.map(([name, it]) => `${JSON.stringify(name)}:${canonical(it, depth + 1)}`).join()}}`;
}
/** The provable dice of a game: from its secret, and what each seat added, with its length before it. */
export function makeDice(secret: Buffer, own: Buffer[]) {
  const key = hex(hash(`${DICE}key:`, secret, ...own.flatMap((e) => [hex(e.length.toString(16).padStart(8, "0")), e])));
  const number = (stream: string, counter: number, of: number | bigint, attempt = 0, bound = BigInt(of)): bigint => {
    const value = createHmac("sha256", key).update(`${stream}:${counter}:${attempt}`).digest().readBigUInt64BE();
    return value < 2n ** 64n - (2n ** 64n % bound) ? value % bound : number(stream, counter, bound, attempt + 1);
  };
  const draw = (stream: string, counter: number, pile: string[], count: number, left = [...pile].sort()): string[] =>
    Array.from({ length: count }, (_, i) => left.splice(Number(number(stream, counter + i, left.length)), 1)[0]!);
  const shuffle = (stream: string, counter: number, before: string[]) => before.reduceRight((after, _, i) => {
    if (i) after[i] = after.splice(Number(number(stream, counter++, i + 1)), 1, after[i]!)[0]!; // they swap places
    return after;
  }, [...before]);
  return { number, draw, shuffle };
}
/** Checks a record or throws an Error; `waits` says what the draws wait for, if they do, `keyId` whose key signed. */
export function verify(all: Uint8Array): { game: string; keyId: string; events: number; draws: number; waits: string } {
  expect(all.length <= 2 ** 26, "the record has more than 67108864 bytes");
  const lines = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(all).split("\n");
  expect(lines.pop() === "" && HEADER.test(lines[0] ?? ""), whyNoRecord(lines[0] ?? ""));
  const [{ game, viewer, format }, ...events] = lines.map((it, at) => {
    try { if (isShort(it) && canonical(JSON.parse(it)) === it) return JSON.parse(it); } catch {}
    throw new Error(`line ${at + 1}: too long, or not in canonical bytes`);
  });
  const seal = events.pop();
  const shown = viewer === "whole" ? 0 : viewer === "spectator" ? 1 : parseInt(viewer.slice(5)) + 1;
  checkChain(game, format, shown, events, seal);
  expect(events.slice(0, -1).every(({ event }) => event.topic !== "game.GameEnded"), "an event follows the end");
  const waits = viewer !== "whole" ? "the whole record"
    : events.at(-1).event.topic === "game.GameEnded" ? "" : "the end of the game";
  return { game, keyId: seal.key_id, events: events.length, draws: waits ? 0 : checkDraws(events), waits };
}
function checkChain(game: string, format: number, shown: number, events: any[], seal: any): void {
  let link = hash(`${TAG}game:${game}`);
  for (const [at, line] of events.entries()) {
    const { version, seat, command_id, time, event, given, parts, salt } = line;
    expect(`${Object.keys(line)}/${Object.keys(event)}` === EVENT && isHex(salt, "{16}") && version === at + 1
      && (given === null || (shown ? isHex(given, "{32}") : `${Object.keys(given)}` === "commands,salt,seat"))
      && parts.length === events[0].event.detail.seats.length + 2 && (event.topic === "game.GameCreated") === !at
      && parts.every((it: any, i: number) => i < 18 && (i === shown || isHex(it, "{32}"))) && parts[shown] === null
      && isBounded(line, format), `line ${at + 2}: no event, or one that is out of bounds`);
    const all = parts.map((part: unknown) => part ?? commitment(salt, event));
    const asked = given?.salt ? commitment(given.salt, [given.seat, given.commands]) : given;
    link = hash(`${TAG}link:`, hex(link), canonical([version, seat, command_id, time, asked, all]));
    expect(line.link === link, `line ${at + 2}: the link does not follow`);
  }
  expect(Object.keys(seal).length === 5 && seal.head === link && seal.events === events.length, "no seal of this");
  const key = { key: hex(`302a300506032b6570032100${seal.key}`), format: "der", type: "spki" } as const; // Ed25519
  const signed = Buffer.from(`${TAG}seal:${canonical([game, seal.events, seal.head, seal.key_id])}`);
  expect(isSigned(null, signed, key, hex(seal.signature)) && hash(hex(seal.key)) === seal.key_id, "no valid signature");
  expect((events[0].event.detail.server_key ?? seal.key_id) === seal.key_id, "signed by another key than the game's");
}
function checkDraws(events: any[], work = 0): number {
  const [{ commitment, layout, seats }, secret] = [events[0].event.detail, hex(events.at(-1).event.detail.secret)];
  expect(hash(DICE, secret) === commitment, "the secret is not the one that was promised");
  const own = new Map(events.map(({ seat, event: it }) => [it.topic === "game.SeatJoined" && seat, it.detail.entropy]));
  const dice = makeDice(secret, seats.map((_: string, at: number) => hex(own.get(at + 1) ?? "")));
  const amounts: number[] = layout.zones.flatMap((zone: any) => [zone[5].length, ...Object.values(zone[2])]);
  expect(amounts.reduce((sum, it) => sum + it, 0) <= 100_000, "more than 100000 components");
  const zones = new Map<string, any>(layout.zones.map(([id, , contents, stack, counter, order]: any) => [id, { stack,
    counter, items: Object.keys(contents).flatMap((kind) => Array(contents[kind]).fill(kind)).concat(order) }]));
  for (const { version, event } of events) for (const [tag, name, first, second, target] of event.effects) {
    if (!/^[mdr]$/.test(tag)) continue;
    const [zone, outcome] = [zones.get(tag === "m" ? second : name), tag === "d" ? second : target];
    const many = tag === "m" ? first : outcome.length;
    work += (many + 1) * (tag === "m" ? zone.items.length : 10 * zone.items.length + 3000);
    const fits = Number.isInteger(many) && many >= 0 && many <= zone.items.length && work <= MOST_WORK;
    expect(fits, `line ${version + 1}: more than lies there, or than can be checked`);
    for (let left = tag === "m" ? many : 0; left > 0; left--) {
      const place = zone.items.lastIndexOf(name);
      expect(place >= (zone.stack ? zone.items.length - 1 : 0), `line ${version + 1}: ${second} does not hold ${name}`);
      zones.get(target).items.push(...zone.items.splice(place, 1));
    }
    if (tag === "m") continue;
    const due = tag === "d" ? dice.draw(name, first, zone.items, many) : dice.shuffle(name, first, zone.items);
    expect(canonical([zone.counter, due]) === canonical([first, outcome]), `line ${version + 1}: the dice give ${due}`);
    [zone.counter, zone.items] = tag === "d" ? [first + many, zone.items] : [first + Math.max(many - 1, 0), due];
  }
  return events.flatMap(({ event }) => event.effects).filter(([tag]) => tag === "d" || tag === "r").length;
}
