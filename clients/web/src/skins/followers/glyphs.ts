/** Looks of followers, goods and rewards, shared by all games with followers in a bag. */
import type { Glyph } from "../../stage/scene";
import type { Guide } from "../../table/guide";
import { ICONS } from "./icons";

/** Prefix of followers in a seat's colour. */
const OWN = "own_";

/** Colour of print on a seat's colour. */
export const ON_SEAT = "light-dark(#fff, #17120b)";

const CHARACTERS: Readonly<Record<string, readonly [fill: string, ink: string]>> = {
  farmer: ["#efe7d2", "#4a3d24"],
  boatman: ["#2f5f9e", "#fff"],
  craftsman: ["#7b5230", "#fff"],
  trader: ["#34312e", "#fff"],
  knight: ["#a5342b", "#fff"],
  scholar: ["#8d8b86", "#fff"],
  monk: ["#d9a927", "#3b2c05"],
};

const GOODS: Readonly<Record<string, readonly [fill: string, ink: string]>> = {
  grain: ["#e0b23c", "#4b3706"],
  cheese: ["#d9822b", "#fff4e2"],
  wine: ["#7a2440", "#fff"],
  wool: ["#d9d5cb", "#5a554b"],
  brocade: ["#3f5a8a", "#f6e2a5"],
};

const THINGS: Readonly<Record<string, Glyph>> = {
  technology: { shape: "tile", fill: "#5d666d", ink: "#fff", icon: ICONS.technology as string, iconSize: 0.68 },
  citizen: { shape: "hex", fill: "#8c6a1d", ink: "#fff8e1", icon: ICONS.citizen as string },
  start_player: { shape: "disc", fill: "#7a4a1e", ink: "#ffe9b8", icon: ICONS.crown as string },
  any: { shape: "none", fill: "none", ink: "var(--ink)", icon: ICONS.any as string, iconSize: 0.7 },
};

/** All characters in display order. */
export const ORDER: readonly string[] = Object.keys(CHARACTERS);

/** Return the look of a component or of a printed shape of this family; `undefined` for others. */
export function followersGlyph(component: string, guide: Guide): Glyph | undefined {
  const thing = THINGS[component];
  if (thing) return thing;
  const character = component.startsWith(OWN) ? component.slice(OWN.length) : component;
  const colours = CHARACTERS[character];
  if (colours) {
    const [fill, ink] = colours;
    const face: Glyph = { shape: "disc", fill, ink, icon: ICONS[character] as string };
    return component === character ? face : { ...face, rim: "#e8c35a" };
  }
  const good = GOODS[component];
  if (good) return { shape: "tile", fill: good[0], ink: good[1], icon: ICONS[component] as string, iconSize: 0.66 };
  const [kind = "", word = ""] = component.split(".");
  switch (kind) {
    case "shape": // an icon without a body, in the colour of print
      return { shape: "none", fill: "none", ink: "var(--ink)", icon: ICONS[word] ?? "", iconSize: 0.92 };
    case "coin":
      return { shape: "coin", fill: "#c99a2e", ink: "#2e2203", text: word };
    case "development": // a step on a track; the track has no component
      return word ? { shape: "hex", fill: "#2f6d62", ink: "#fff", icon: ICONS.development as string } : undefined;
    case "cube":
      return { shape: "cube", fill: `var(--seat-${word})`, ink: ON_SEAT, text: word };
    case "merchant":
      return { shape: "pawn", fill: `var(--seat-${word})`, ink: ON_SEAT, text: word };
    case "swatch":
      return { shape: "disc", fill: `var(--seat-${word})`, ink: ON_SEAT, text: word };
    case "station":
      return { shape: "house", fill: `var(--seat-${word})`, ink: ON_SEAT, text: word };
  }
  const known = guide.components.get(component);
  if (known?.kind === "place_tile") {
    const category = Number(known.values.category) || 0;
    return {
      shape: "tile",
      fill: "#7a5c33",
      ink: "#fff3d6",
      ...(category ? { text: "I".repeat(category) } : { icon: ICONS.tile as string }),
    };
  }
  if (known?.kind === "hour_glass_tile") {
    return { shape: "card", fill: "#4c4a63", ink: "#f5ecd2", aspect: 1.15, icon: ICONS[kind] ?? "" };
  }
  return undefined;
}
