/** Records that came whole: that a stream has ended well says little, for whatever stands on the way may end it. */
import { endedEarly } from "./errors.js";

/** How the last line of every record begins (`docs/record.md`, section 2.5), and no other. */
const SEAL = new TextEncoder().encode('{"events":');
const NEWLINE = 10;

/** A record of its pieces; throws {@link endedEarly} if it ends without its seal. */
export function putTogether(pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
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
