/** How things look that only Stories has: buildings and settlers, landscapes, goods, and cards with what they say. */
import type { Decor, Glyph } from "../../stage/scene";
import type { ComponentEntry, Guide } from "../../table/guide";
import { followersGlyph, ON_SEAT } from "../followers/glyphs";
import { ICONS as FAMILY } from "../followers/icons";
import { wrapped } from "../kit";
import { ICONS } from "./icons";
import { effectOf } from "./says";

const icon = (name: string) => ICONS[name] ?? FAMILY[name] ?? "";

/** What is printed in colours of its own: fill and ink. */
const TILES: Readonly<Record<string, readonly [shape: "tile" | "hex" | "disc" | "house", fill: string, ink: string]>> =
  {
    fisherman: ["disc", "#2f5f9e", "#fff"],
    fish: ["tile", "#3f87a8", "#fff"],
    wood: ["tile", "#6d4a2a", "#f6e7cf"],
    bread: ["tile", "#b8813f", "#fff6e4"],
    field: ["hex", "#c79a2a", "#3b2a03"],
    lake: ["hex", "#2f78a8", "#fff"],
    pasture: ["hex", "#7aa843", "#1e2f08"],
    forest: ["hex", "#2f6138", "#eaf5e0"],
    hill: ["hex", "#7d3a5c", "#fff"],
    start_village: ["hex", "#8f5a35", "#fff3df"],
    manor_farm: ["hex", "#a04a32", "#fff"],
    town_1: ["hex", "#5e5a66", "#fff"],
    town_2: ["hex", "#5e5a66", "#fff"],
    church: ["house", "#f6f1e3", "#6a2a1e"],
    hunger_defeated: ["tile", "#2f6d62", "#fff"],
  };

const DRAWN_AS: Readonly<Record<string, string>> = {
  start_village: "village",
  town_1: "town",
  town_2: "town",
  hunger_defeated: "food",
  church: "monk",
};

const NATIONS: Readonly<Record<string, readonly [fill: string, icon: string]>> = {
  england: ["#a32b2b", "england"],
  france: ["#2a4a8f", "france"],
};

/** Shapes that stand for what they do, in the colour of print. */
const LOOKS_LIKE: Readonly<Record<string, string>> = { star: "fame" };

/** How a component looks, or one of the shapes that this skin prints. */
export function storiesGlyph(component: string, guide: Guide): Glyph | undefined {
  const tile = TILES[component];
  if (tile) {
    const [shape, fill, ink] = tile;
    return {
      shape,
      fill,
      ink,
      icon: icon(DRAWN_AS[component] ?? component),
      iconSize: shape === "house" ? 0.52 : 0.64,
    };
  }
  const [kind = "", word = ""] = component.split(".");
  switch (kind) {
    case "settler":
      return { shape: "pawn", fill: `var(--seat-${word})`, ink: ON_SEAT, text: word };
    case "fortress":
      return { shape: "tower", fill: `var(--seat-${word})`, ink: ON_SEAT, text: word };
    case "start":
      return { shape: "disc", fill: `var(--seat-${word})`, ink: ON_SEAT, text: word, rim: "#ffe9b8" };
    case "built":
      return { shape: "house", fill: "#8f5a35", ink: "#fff3df", icon: icon("village"), iconSize: 0.5 };
    case "back":
      return back(word);
    case "either":
      return either(component.split(".").slice(1), guide);
    case "shape":
      return { shape: "none", fill: "none", ink: "var(--ink)", icon: icon(LOOKS_LIKE[word] ?? word), iconSize: 0.86 };
  }
  const known = guide.components.get(component);
  return (known && card(known, guide)) ?? followersGlyph(component, guide);
}

/** A space on which one or the other may stand. */
function either(names: readonly string[], guide: Guide): Glyph {
  const face = names.flatMap((name, index): Decor[] => {
    const glyph = storiesGlyph(name, guide);
    return glyph ? [{ kind: "glyph", x: 31 + index * 38, y: 31 + index * 38, size: 62, glyph, role: "clear" }] : [];
  });
  return { shape: "none", fill: "none", face };
}

function back(word: string): Glyph {
  if (/^[A-D]$/.test(word))
    return { shape: "card", fill: EVENTS[word] ?? "#4c4a63", ink: "#fff", text: word, aspect: 1.15 };
  return { shape: "card", fill: "#55504a", ink: "#efe7d2", icon: icon(word), aspect: word === "bonus" ? 0.42 : 0.62 };
}

/** The letters of events grow darker as games go on. */
const EVENTS: Readonly<Record<string, string>> = { A: "#3f6f6a", B: "#6a6530", C: "#84522a", D: "#6f2f3a" };

function card(known: ComponentEntry, guide: Guide): Glyph | undefined {
  const { id, kind, values } = known;
  switch (kind) {
    case "event": {
      const letter = String(values.letter ?? "");
      return { shape: "card", fill: EVENTS[letter] ?? "#4c4a63", ink: "#fff", text: id, aspect: 1.15 };
    }
    case "base_place":
      return { shape: "tile", fill: "#4d5f3a", ink: "#f4f6e6", icon: FAMILY.tile as string };
    case "place_card":
      return { shape: "tile", fill: "#7a5c33", ink: "#fff3d6", text: String(values.category ?? "") };
    case "nation": {
      const [fill, drawn] = NATIONS[id] ?? ["#55504a", "message"];
      const face: Decor[] = [
        {
          kind: "glyph",
          x: 24,
          y: 31,
          size: 40,
          glyph: { shape: "none", fill: "none", ink: "#fff", icon: icon(drawn), iconSize: 1 },
        },
        ...lines(guide.text(id), 46, 31, 50, 14, "st-light"),
      ];
      return { shape: "card", fill, aspect: 0.62, face };
    }
    case "message":
      return {
        shape: "card",
        fill: "var(--place)",
        aspect: 0.62,
        face: lines(guide.text(id), 6, 31, 88, 14, "st-ink", true),
      };
    case "bonus_tile": {
      const fill = values.malus ? "#7a2f2f" : "#2f6d62";
      return { shape: "card", fill, aspect: 0.42, face: lines(effectOf(values, guide), 5, 21, 90, 11, "st-light") };
    }
    case "mission":
      return { shape: "card", fill: "#6b5a86", ink: "#fff", icon: icon("mission"), aspect: 1.4 };
    case "fame_tile":
      return { shape: "tile", fill: "#c99a2e", ink: "#2e2203", icon: icon("fame") };
  }
  return undefined;
}

/** Words in the middle of a height, from that x on. */
function lines(text: string, x: number, y: number, width: number, size: number, role: string, isBold = false): Decor[] {
  const broken = wrapped(text, width, size, isBold).slice(0, 3);
  const first = y - ((broken.length - 1) * size * 1.08) / 2 + size * 0.36;
  return broken.map((line, at) => ({
    kind: "text",
    x,
    y: first + at * size * 1.08,
    size,
    text: line,
    role,
    width,
    isBold,
  }));
}
