// Checks a game record (docs/record.md) with no code of Boardkeeper: its bytes, chain and signature, and every draw.
import { createHash, createHmac, createPublicKey, verify as isSigned } from "node:crypto";

/** So many `draws` were checked, or none because they wait for the end of the game or the whole record. */
export type Verdict = { game: string; keyId: string; events: number; draws: number; waits: string };

const TAG = "boardkeeper-record-1:";
const DICE = "boardkeeper-dice-1:";
const hex = (text: string): Buffer => Buffer.from(text, "hex");

const hash = (...all: (string | Buffer)[]) => all.reduce((h, part) => h.update(part), createHash("sha256")).digest();
const commitment = (salt: string, value: unknown) => hash(`${TAG}part:`, hex(salt), canonical(value)).toString("hex");
const expect = (holds: unknown, otherwise: string): void => { if (!holds) throw new Error(otherwise); };

/** The one way to write a value: sorted keys, integers only, no spaces. */
export function canonical(value: unknown): string {
  expect(typeof value !== "number" || Number.isSafeInteger(value), "a number is no integer of 53 bits");
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${canonical(member)}`).join()}}`;
}

/** The key of a game's dice: the secret, and what each seat added, with its length before it. */
export const diceKey = (secret: Buffer, entropies: Buffer[]): Buffer =>
  hash(`${DICE}key:`, secret, ...entropies.flatMap((it) => [hex(it.length.toString(16).padStart(8, "0")), it]));

/** The provable dice of docs/dice.md. */
export class Dice {
  constructor(private readonly key: Buffer) {}
  number(stream: string, counter: number, bound: bigint): bigint {
    const limit = (1n << 64n) - ((1n << 64n) % bound);
    for (let attempt = 0; ; attempt++) {
      const block = createHmac("sha256", this.key).update(`${stream}:${counter}:${attempt}`).digest();
      if (block.readBigUInt64BE() < limit) return block.readBigUInt64BE() % bound;
    }
  }
  draw(stream: string, counter: number, pile: string[], count: number): string[] {
    const left = [...pile].sort();
    const pick = (i: number) => Number(this.number(stream, counter + i, BigInt(left.length)));
    return Array.from({ length: count }, (_, i) => left.splice(pick(i), 1)[0]!);
  }
  shuffle(stream: string, counter: number, before: string[]): string[] {
    const after = [...before];
    for (let i = after.length - 1; i > 0; i--) {
      const j = Number(this.number(stream, counter++, BigInt(i + 1)));
      [after[i], after[j]] = [after[j]!, after[i]!];
    }
    return after;
  }
}

/** Checks a record; throws an Error that names the line and what is wrong there. */
export function verify(text: string): Verdict {
  expect(text.endsWith("\n"), "the record does not end with a line end");
  const lines = text.slice(0, -1).split("\n").map((line, at): any => {
    const value = JSON.parse(line);
    expect(canonical(value) === line, `line ${at + 1}: not in canonical bytes`);
    return value;
  });
  const [header, seal, events] = [lines[0], lines.at(-1), lines.slice(1, -1)];
  expect(header.record === "boardkeeper-record" && header.format === 1, "line 1: no record of format 1");
  checkChain(header.game, events, seal);
  const ended = events.at(-1).event.topic === "game.GameEnded";
  const waits = header.viewer !== "whole" ? "the whole record" : ended ? "" : "the end of the game";
  const draws = waits ? 0 : checkDraws(events);
  return { game: header.game, keyId: seal.key_id, events: events.length, draws, waits };
}

function checkChain(game: string, events: any[], seal: any): void {
  let link = hash(`${TAG}game:${game}`);
  events.forEach((line, at) => {
    const parts = line.parts.map((part: unknown) => part ?? commitment(line.salt, line.event));
    const given = line.given?.salt ? commitment(line.given.salt, [line.given.seat, line.given.commands]) : line.given;
    const content = canonical([line.version, line.seat, line.command_id, line.time, given, parts]);
    link = hash(`${TAG}link:`, link, content);
    expect(line.version === at + 1 && line.link === link.toString("hex"), `line ${at + 2}: the link does not follow`);
  });
  expect(seal.head === link.toString("hex") && seal.events === events.length, "the seal is not over these events");
  const jwk = { kty: "OKP", crv: "Ed25519", x: hex(seal.key).toString("base64url") };
  const message = `${TAG}seal:${canonical([game, seal.events, seal.head, seal.key_id])}`;
  const key = createPublicKey({ key: jwk, format: "jwk" });
  const signed = isSigned(null, Buffer.from(message), key, hex(seal.signature));
  expect(signed && hash(hex(seal.key)).toString("hex") === seal.key_id, "the signature does not hold");
}

function checkDraws(events: any[]): number {
  const [created, secret] = [events[0].event.detail, hex(events.at(-1).event.detail.secret)];
  expect(hash(DICE, secret).toString("hex") === created.commitment, "the secret is not the one that was promised");
  const own = new Map(events.map(({ seat, event: it }) => [it.topic === "game.SeatJoined" && seat, it.detail.entropy]));
  const mixed = created.seats.map((_: string, at: number) => hex(own.get(at + 1) ?? ""));
  const dice = new Dice(diceKey(secret, mixed));
  const zones = new Map<string, { items: string[]; counter: number }>();
  for (const [id, , contents, , counter, order] of created.layout.zones) {
    const items = Object.entries<number>(contents).flatMap(([kind, count]) => Array<string>(count).fill(kind));
    zones.set(id, { items: [...items, ...order], counter });
  }
  const chances = events.flatMap(({ event }, at) => event.effects.map((effect: any[]) => ({ effect, line: at + 2 })));
  return chances.filter(({ effect: [tag, name, first, second, target], line }) => {
    const zone = zones.get(tag === "m" ? second : name)!;
    for (let left = tag === "m" ? first : 0; left > 0; left--) {
      const place = zone.items.lastIndexOf(name); // in a stack it is the top
      expect(place >= 0, `line ${line}: ${second} does not hold ${name}`);
      zones.get(target)!.items.push(...zone.items.splice(place, 1));
    }
    if (tag !== "d" && tag !== "r") return false;
    const outcome: string[] = tag === "d" ? second : target;
    const draw = () => dice.draw(name, first, zone.items, outcome.length);
    const due = tag === "d" ? draw() : dice.shuffle(name, first, zone.items);
    expect(canonical([zone.counter, due]) === canonical([first, outcome]), `line ${line}: the dice give ${due}`);
    zone.counter += tag === "d" ? outcome.length : Math.max(outcome.length - 1, 0);
    if (tag === "r") zone.items = [...outcome];
    return true;
  }).length;
}
