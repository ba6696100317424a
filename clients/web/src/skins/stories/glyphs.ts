/** Looks of components that only Stories has, from `stories.json`; the family's looks apply to all others. */
import type { Decor, Glyph } from "../../stage/scene";
import type { Guide } from "../../table/guide";
import { Looks, type LooksData } from "../faces";
import { followersGlyph } from "../followers/glyphs";
import { ICONS } from "../followers/icons";
import { effectOf } from "./effectTexts";
import data from "./stories.json" with { type: "json" };

/** Colours of letters on events, darker for later ones. */
const LETTERS: Readonly<Record<string, string>> = data.letters;

const looks = new Looks({ ...data, icons: { ...ICONS, ...data.icons } } as LooksData, {
  event: ({ letter }) => ({ color: LETTERS[String(letter ?? "")] ?? "#4c4a63" }),
  bonus_tile: (values, guide) => ({
    color: values.malus ? "#7a2f2f" : "#2f6d62",
    effect_text: effectOf(values, guide),
  }),
});

/** Return the look of a component or of a printed shape of this skin. */
export function storiesGlyph(component: string, guide: Guide): Glyph | undefined {
  const [kind, ...names] = component.split(".");
  if (kind === "either") return either(names, guide);
  return looks.glyph(component, guide) ?? followersGlyph(component, guide);
}

/** Return the look of a space for either of several followers. */
function either(names: readonly string[], guide: Guide): Glyph {
  const face = names.flatMap((name, index): Decor[] => {
    const glyph = storiesGlyph(name, guide);
    return glyph ? [{ kind: "glyph", x: 31 + index * 38, y: 31 + index * 38, size: 62, glyph, role: "clear" }] : [];
  });
  return { shape: "none", fill: "none", face };
}
