/** The provable dice of a game (docs/dice.md). */
import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import { hash, unhex } from "./bytes.js";

/** Prefix of every hash of the dice. */
export const DICE = "boardkeeper-dice-1:";

const TOP = 2n ** 64n;

/** The dice of a game. */
export interface Dice {
  /** Return a number from 0 to `bound` − 1. */
  number(stream: string, counter: number, bound: number | bigint): bigint;
  /** Return components drawn from a pile, in order. */
  draw(stream: string, counter: number, pile: readonly string[], count: number): string[];
  /** Return the new order of a stack. */
  shuffle(stream: string, counter: number, before: readonly string[]): string[];
}

/** One random number and its derivation. */
export interface Pick {
  /** The index in the stream. */
  readonly counter: number;
  /** For a draw, the components to pick from, sorted; for a shuffle, the stack before the swap. */
  readonly candidates: readonly string[];
  /** The values, in hexadecimal; all but the last were discarded, because they favour small numbers. */
  readonly attempts: readonly Attempt[];
  /** Values from this one on are discarded: the largest multiple of `bound`, in hexadecimal. */
  readonly limit: string;
  /** The number of candidates; `index` is less. */
  readonly bound: number;
  /** The random number: the index of the picked candidate, or of the one swapped. */
  readonly index: number;
  /** For a shuffle, the index that it was swapped with; for a draw, -1. */
  readonly swapped: number;
  /** The component picked, or moved to `swapped`. */
  readonly picked: string;
}

/** One value of HMAC-SHA-256. */
export interface Attempt {
  /** The input: `stream:counter:attempt`. */
  readonly text: string;
  /** The whole value, in hexadecimal; its first 8 bytes are used. */
  readonly hmac: string;
  /** Whether it was discarded. */
  readonly rejected: boolean;
}

/**
 * Return the key of the dice, in hexadecimal: from the game's secret and each seat's entropy, prefixed by its length.
 */
export const diceKey = (secret: Uint8Array, own: readonly Uint8Array[]): string =>
  hash(`${DICE}key:`, secret, ...own.flatMap((it) => [unhex(it.length.toString(16).padStart(8, "0")), it]));

/** Return the dice for the game's secret and the entropy of all seats. */
export const makeDice = (secret: Uint8Array, own: readonly Uint8Array[]): Dice => diceOf(unhex(diceKey(secret, own)));

/** Return the dice for a key. */
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

/** Derive each number of a draw (`count` of them) or of a shuffle. */
export function explain(
  key: string,
  kind: "draw" | "shuffle",
  stream: string,
  counter: number,
  before: readonly string[],
  count: number,
): Pick[] {
  const keyed = hmac.create(sha256, unhex(key));
  const remaining = kind === "draw" ? [...before].sort() : [...before];
  const picks: Pick[] = [];
  for (let step = 0; step < (kind === "draw" ? count : before.length - 1); step++) {
    const bound = kind === "draw" ? remaining.length : before.length - step;
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
    const candidates = [...remaining];
    const swapped = kind === "draw" ? -1 : bound - 1;
    const picked = remaining[index]!;
    if (kind === "draw") remaining.splice(index, 1);
    else swap(remaining, swapped, index);
    const shared = { counter: counter + step, candidates, attempts, bound, index, swapped, picked };
    picks.push({ ...shared, limit: limit.toString(16).padStart(16, "0") });
  }
  return picks;
}

const firstOf = (digest: Uint8Array): bigint => new DataView(digest.buffer, digest.byteOffset).getBigUint64(0);

function swap(all: string[], one: number, other: number): void {
  [all[one], all[other]] = [all[other]!, all[one]!];
}
