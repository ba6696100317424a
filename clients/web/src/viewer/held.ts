/** The record that a page has in itself. */

/** The record in `<script type="application/jsonl" id="record">`; `undefined` if the page has none. */
export function heldRecord(page: Document): Uint8Array | undefined {
  const held = page.querySelector('script[type="application/jsonl"]#record')?.textContent;
  return held?.trim() ? new TextEncoder().encode(unguarded(held.replace(/^\s+/, ""))) : undefined;
}

/**
 * The text as it was before it was put into a page: every `<` stands there as `\u003c`, which lines in canonical bytes never
 * have themselves, so that nothing in a record ends the element or begins another.
 */
export function unguarded(text: string): string {
  return text.replace(/\\\\|\\u003c/g, (found) => (found === "\\u003c" ? "<" : found));
}
