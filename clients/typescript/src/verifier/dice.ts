/** The provable dice of a game, as docs/dice.md tells them. */
import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import { hash, unhex } from "./bytes.js";

/** What every hash of the dice begins with. */
export const DICE = "boardkeeper-dice-1:";

const TOP = 2n ** 64n;

/** The dice of a game. */
export interface Dice {
  /** A number from 0 on that is less than the bound. */
  number(stream: string, counter: number, bound: number | bigint): bigint;
  /** What is picked from a pile, one after the other. */
  draw(stream: string, counter: number, pile: readonly string[], count: number): string[];
  /** The order that a stack is put into. */
  shuffle(stream: string, counter: number, before: readonly string[]): string[];
}

/** One number that chance made, for whoever wants to see how. */
export interface Pick {
  /** The place in the stream. */
  readonly counter: number;
  /** Of a draw, what there was to pick from, in the order that counts; of a shuffle, the stack before the swap. */
  readonly candidates: readonly string[];
  /** The values that came, in hexadecimal: all but the last were thrown away, because they favour small numbers. */
  readonly attempts: readonly Attempt[];
  /** Values from this one on are thrown away: the largest multiple of how many candidates there are, in hexadecimal. */
  readonly limit: string;
  /** How many there were to choose from: what the number is less than. */
  readonly bound: number;
  /** The number: the place of what was picked among the candidates, or of what was swapped. */
  readonly index: number;
  /** Of a shuffle, the place that it was swapped with; of a draw, -1. */
  readonly swapped: number;
  /** What was picked, or came to stand at `swapped`. */
  readonly picked: string;
}

/** One value of HMAC-SHA-256. */
export interface Attempt {
  /** What it is over: `stream:counter:attempt`. */
  readonly text: string;
  /** All of it, in hexadecimal; the first 8 bytes are the value. */
  readonly hmac: string;
  /** Whether it was thrown away. */
  readonly rejected: boolean;
}

/** The key of the dice, in hexadecimal: from the game's secret and what each seat added, with its length before it. */
export const diceKey = (secret: Uint8Array, own: readonly Uint8Array[]): string =>
  hash(`${DICE}key:`, secret, ...own.flatMap((it) => [unhex(it.length.toString(16).padStart(8, "0")), it]));

/** The dice of a game, from its secret and what each seat added. */
export const makeDice = (secret: Uint8Array, own: readonly Uint8Array[]): Dice => diceOf(unhex(diceKey(secret, own)));

/** The dice with a key. */
export function diceOf(key: Uint8Array): Dice {
  const keyed = hmac.create(sha256, key);
  const number = (stream: string, counter: number, bound: number | bigint): bigint => {
    const limit = TOP - (TOP % BigInt(bound));
    for (let attempt = 0; ; attempt++) {
      const value = firstOf(
        keyed
          .clone()
          .update(utf8ToBytes(`${stream}:${counter}:${attempt}`))
          .digest(),
      );
      if (value < limit) return value % BigInt(bound);
    }
  };
  return {
    number,
    draw(stream, counter, pile, count) {
      const left = [...pile].sort();
      return Array.from({ length: count }, (_, at) => {
        const [picked] = left.splice(Number(number(stream, counter + at, left.length)), 1);
        return picked!;
      });
    },
    shuffle(stream, counter, before) {
      const after = [...before];
      for (let [at, next] = [after.length - 1, counter]; at > 0; at--, next++) {
        swap(after, at, Number(number(stream, next, at + 1)));
      }
      return after;
    },
  };
}

/** Each number of a draw (`count` of them) or of a shuffle, step by step. */
export function explain(
  key: string,
  kind: "draw" | "shuffle",
  stream: string,
  counter: number,
  before: readonly string[],
  count: number,
): Pick[] {
  const keyed = hmac.create(sha256, unhex(key));
  const lying = kind === "draw" ? [...before].sort() : [...before];
  const picks: Pick[] = [];
  for (let step = 0; step < (kind === "draw" ? count : before.length - 1); step++) {
    const bound = kind === "draw" ? lying.length : before.length - step;
    const limit = TOP - (TOP % BigInt(bound));
    const attempts: Attempt[] = [];
    let value: bigint;
    do {
      const text = `${stream}:${counter + step}:${attempts.length}`;
      const digest = keyed.clone().update(utf8ToBytes(text)).digest();
      value = firstOf(digest);
      attempts.push({ text, hmac: bytesToHex(digest), rejected: value >= limit });
    } while (value >= limit);
    const index = Number(value % BigInt(bound));
    const candidates = [...lying];
    const swapped = kind === "draw" ? -1 : bound - 1;
    const picked = lying[index]!;
    if (kind === "draw") lying.splice(index, 1);
    else swap(lying, swapped, index);
    const shared = { counter: counter + step, candidates, attempts, bound, index, swapped, picked };
    picks.push({ ...shared, limit: limit.toString(16).padStart(16, "0") });
  }
  return picks;
}

const firstOf = (digest: Uint8Array): bigint => new DataView(digest.buffer, digest.byteOffset).getBigUint64(0);

function swap(all: string[], one: number, other: number): void {
  [all[one], all[other]] = [all[other]!, all[one]!];
}
