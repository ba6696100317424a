/** Secure random bytes and ids. */

const hex = (bytes: Uint8Array): string => Array.from(bytes, (it) => it.toString(16).padStart(2, "0")).join("");

/** Return secure random bytes. */
export const randomBytes = (count: number): Uint8Array<ArrayBuffer> => crypto.getRandomValues(new Uint8Array(count));

/** Return a new UUID. Pages over plain HTTP have no `randomUUID`. */
export function newId(): string {
  if (typeof crypto.randomUUID === "function") return crypto.randomUUID();
  const bytes = randomBytes(16);
  bytes[6] = (bytes[6]! & 0x0f) | 0x40; // version 4
  bytes[8] = (bytes[8]! & 0x3f) | 0x80; // the variant of RFC 9562
  return hex(bytes).replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}
