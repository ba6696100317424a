/** How wide words are in the letters that pictures are written in, which every machine then measures alike. */
import advances from "virtual:advances";

/** What a letter that is not known here takes. */
const OTHER = 0.8;

/** The width of words in a size of 1. */
export function widthOf(text: string, isBold: boolean): number {
  const known = isBold ? advances.bold : advances.regular;
  let sum = 0;
  for (const letter of text) sum += known[letter.codePointAt(0) ?? 0] ?? OTHER;
  return sum;
}
