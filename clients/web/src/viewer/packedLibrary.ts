/** The library of titles inside the file, compressed until it is needed. */
import packed from "virtual:library";
import type { Library } from "../record/library";

export const library: Library = {
  async read(name) {
    const text = Object.hasOwn(packed, name) ? packed[name] : undefined;
    if (text === undefined) return undefined;
    const bytes = Uint8Array.from(atob(text), (each) => each.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    return new Response(stream).json();
  },
};
