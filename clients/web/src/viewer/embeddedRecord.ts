/** The record embedded in the page. */

/** Return the record in `<script type="application/jsonl" id="record">`; `undefined` if the page has none. */
export function embeddedRecord(page: Document): Uint8Array | undefined {
  const held = page.querySelector('script[type="application/jsonl"]#record')?.textContent;
  return held?.trim() ? new TextEncoder().encode(decodeText(held.replace(/^\s+/, ""))) : undefined;
}

/**
 * Decode the text of an embedded record: every `<` is written as `\u003c`, so that no record can end the element.
 * Canonical lines never contain that sequence themselves.
 */
export function decodeText(text: string): string {
  return text.replace(/\\\\|\\u003c/g, (found) => (found === "\\u003c" ? "<" : found));
}
