/** Widths of words in the fonts of pictures, equal on every machine. */
import advances from "virtual:advances";

/** The width of characters that the font lacks. */
const OTHER = 0.8;

/** Return the width of words at size 1. */
export function widthOf(text: string, isBold: boolean): number {
  const known = isBold ? advances.bold : advances.regular;
  let sum = 0;
  for (const letter of text) sum += known[letter.codePointAt(0) ?? 0] ?? OTHER;
  return sum;
}
