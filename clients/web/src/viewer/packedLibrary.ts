/** The catalogues and texts of titles that the build embeds in this viewer. Each read decompresses one file. */
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
