/** Cached looks of components. */
import type { Guide } from "../table/guide";
import { plain } from "./generic";
import type { Glyph, Skin } from "./scene";

/** Return a cached function from components to their looks in a skin. */
export function glyphsOf(skin: Skin, guide: Guide): (component: string) => Glyph {
  const known = new Map<string, Glyph>();
  return (component) => {
    let glyph = known.get(component);
    if (glyph === undefined) {
      glyph = skin.glyph(component, guide) ?? plain(component, guide);
      known.set(component, glyph);
    }
    return glyph;
  };
}
