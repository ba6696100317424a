/** Bytes, hashes and canonical JSON (docs/record.md, 1.1), without APIs specific to Node or browsers. */
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, hexToBytes, utf8ToBytes } from "@noble/hashes/utils.js";

/** A problem of a record. Other exceptions come from values of an unexpected form. */
export class Wrong extends Error {}

/** Throw {@link Wrong} unless a condition holds; the message is cut to a line. */
export function expect(holds: unknown, otherwise: string): asserts holds {
  if (!holds) throw new Wrong(otherwise.slice(0, 300));
}

/**
 * Return whether a value is lower-case hexadecimal; `size` is the number of bytes as a regular expression quantifier.
 */
export const isHex = (it: unknown, size = "*"): boolean =>
  typeof it === "string" && RegExp(`^([0-9a-f]{2})${size}$`).test(it);

/** Decode hexadecimal digits. */
export function unhex(text: unknown): Uint8Array {
  expect(isHex(text), "a value is not hexadecimal");
  return hexToBytes(text as string);
}

/** Return SHA-256 over concatenated texts (UTF-8) and bytes, in hexadecimal. */
export function hash(...all: (string | Uint8Array)[]): string {
  const made = sha256.create();
  for (const it of all) made.update(typeof it === "string" ? utf8ToBytes(it) : it);
  return bytesToHex(made.digest());
}

/** Return the canonical JSON of a value: ASCII names in order, integers only, no spaces, at most 16 levels. */
export function canonical(value: unknown, depth = 1): string {
  expect(typeof value !== "number" || Number.isSafeInteger(value), "a number is not an integer of at most 53 bits");
  expect(typeof value !== "string" || !/\p{Surrogate}/u.test(value), "a text is not valid Unicode");
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  expect(depth <= 16, "a value is nested too deeply, or a name is not ASCII");
  if (Array.isArray(value)) return `[${value.map((item) => canonical(item, depth + 1)).join()}]`;
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  expect(
    members.every(([name]) => isAscii(name)),
    "a value is nested too deeply, or a name is not ASCII",
  );
  return `{${members.map(([name, it]) => `${JSON.stringify(name)}:${canonical(it, depth + 1)}`).join()}}`;
}

const isAscii = (name: string): boolean => {
  for (let at = 0; at < name.length; at++) if (name.charCodeAt(at) > 0x7f) return false;
  return true;
};
