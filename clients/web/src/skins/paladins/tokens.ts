/** Small things: workers, attributes, goods, and what an action or a card gives, as tokens and rows of them. */
import type { Decor, Glyph } from "../../stage/scene";
import { ICONS } from "./icons";

export const WORKERS = ["labourer", "scout", "merchant", "fighter", "cleric", "criminal"] as const;
export const ATTRIBUTES = ["faith", "strength", "influence"] as const;
export const LEFT = ["develop", "recruit", "hunt", "trade", "pray", "conspire"] as const;
export const RIGHT = ["commission", "fortify", "garrison", "absolve", "attack", "convert"] as const;

const INKS: Readonly<Record<string, string>> = {
  silver: "var(--pal-silver)",
  tax: "var(--pal-silver)",
  provision: "var(--pal-provision)",
  suspicion: "var(--pal-suspicion)",
  discard_suspicion: "var(--pal-suspicion)",
  debt: "var(--pal-debt)",
  take_debt: "var(--pal-debt)",
  pay_debt: "var(--pal-good)",
  destroy_debt: "var(--pal-debt)",
  points: "var(--pal-points)",
  saracen: "var(--pal-saracen)",
  byzantine: "var(--pal-byzantine)",
  viking: "var(--pal-viking)",
};

/** An icon by itself. */
export function plainIcon(name: string, ink = INKS[name] ?? "var(--ink)"): Glyph {
  return { shape: "none", fill: "none", ink, icon: ICONS[name] ?? "", iconSize: 1 };
}

/** A worker is a disc, an attribute a banner, everything else its icon. */
export function token(word: string): Glyph {
  if (word === "any" || WORKERS.some((worker) => worker === word)) {
    return { shape: "disc", fill: `var(--pal-${word})`, ink: `var(--pal-${word}-ink, #fff)`, icon: ICONS[word] ?? "" };
  }
  if (ATTRIBUTES.some((attribute) => attribute === word)) {
    return { shape: "tile", fill: `var(--pal-${word})`, ink: "#fff", icon: ICONS[word] ?? "" };
  }
  return plainIcon(word);
}

/** A token that is printed. */
export function printed(word: string, x: number, y: number, size: number): Decor {
  return { kind: "glyph", x, y, size, glyph: token(word), role: "clear" };
}

/** An icon that is printed. */
export function icon(name: string, x: number, y: number, size: number, ink?: string): Decor {
  return { kind: "glyph", x, y, size, glyph: plainIcon(name, ink), role: "clear" };
}

export function text(
  x: number,
  y: number,
  words: string,
  size: number,
  role = "",
  anchor: "start" | "middle" | "end" = "middle",
  width?: number,
): Decor {
  const isBold = /title|name/.test(role);
  return { kind: "text", x, y, size, text: words, role, anchor, isBold, ...(width ? { width } : {}) };
}

export function rect(x: number, y: number, w: number, h: number, fill: string, r = 4, role = "pal-none"): Decor {
  return { kind: "rect", x, y, w, h, r, role, fill };
}

/** Tokens side by side around a middle, closer where there is no room. */
export function gains(words: readonly string[], x: number, y: number, size: number, room: number): Decor[] {
  const step = words.length > 1 ? Math.min(size * 1.04, (room - size) / (words.length - 1)) : 0;
  const first = x - (step * (words.length - 1)) / 2;
  return words.map((word, index) => printed(word, first + index * step, y, size));
}

/** What may be chosen from, with strokes between. */
export function choices(
  lists: readonly (readonly string[])[],
  x: number,
  y: number,
  size: number,
  room: number,
): Decor[] {
  const count = lists.reduce((sum, words) => sum + words.length, 0);
  const gap = size * 0.42;
  const step = Math.min(size * 1.02, (room - gap * (lists.length - 1)) / Math.max(count, 1));
  let left = x - (step * count + gap * (lists.length - 1)) / 2;
  const all: Decor[] = [];
  lists.forEach((words, index) => {
    if (index > 0) {
      all.push(text(left + gap / 2, y + size * 0.32, "/", size * 0.9, "faint"));
      left += gap;
    }
    for (const word of words) {
      all.push(printed(word, left + step / 2, y, Math.min(size, step)));
      left += step;
    }
  });
  return all;
}
