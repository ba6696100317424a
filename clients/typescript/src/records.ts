/** Completeness of downloaded records: a proxy can end a stream early without an error. */
import { endedEarly } from "./errors.js";

/** The start of the last line of every record (`docs/record.md`, section 2.5); no other line starts this way. */
const SEAL = new TextEncoder().encode('{"events":');
const NEWLINE = 10;

/** Join the pieces of a record; throws {@link endedEarly} if its seal is missing. */
export function joinRecord(pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const record = new Uint8Array(pieces.reduce((sum, it) => sum + it.length, 0));
  let at = 0;
  for (const piece of pieces) {
    record.set(piece, at);
    at += piece.length;
  }
  const last = record.subarray(0, -1).lastIndexOf(NEWLINE) + 1;
  if (record.at(-1) !== NEWLINE || SEAL.some((byte, index) => record[last + index] !== byte)) {
    throw endedEarly();
  }
  return record;
}
