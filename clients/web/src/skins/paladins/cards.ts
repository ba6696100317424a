/** The cards of Paladins: what each says, as a face of icons, in hundredths of its width. */
import type { Decor, Glyph } from "../../stage/scene";
import type { Guide, Values } from "../../table/guide";
import { choicesIn, numberIn, partOf, valuesOf, wordIn, wordsIn } from "./facts";
import { ATTRIBUTES, choices, gains, icon, printed, rect, text } from "./tokens";

const CARD = "var(--pal-card)";
const SOFT = "var(--pal-soft)";

/** A card with a band that has its name. */
function named(name: string, band: string, aspect: number, rest: Decor[]): Glyph {
  const face = [
    rect(4, 4, 92, 19, band, 8),
    rect(4, 14, 92, 9, band, 0),
    text(50, 18.3, name, 13.5, "pal-light pal-name", "middle", 76),
    ...rest,
  ];
  return { shape: "card", fill: CARD, aspect, face };
}

/** What it gives when it is discarded; at once when it is hired; and then whenever what triggers it is done. */
export function townsfolk(guide: Guide, id: string): Glyph {
  const values = valuesOf(guide, id);
  const instant = wordsIn(values, "instant");
  return named(guide.text(id), "var(--pal-townsfolk)", 1.4, [
    rect(8, 28, 84, 31, SOFT),
    icon("leave", 20, 43.5, 16, "var(--faint)"),
    ...gains(wordsIn(values, "discard"), 60, 43.5, 25, 56),
    ...(instant.length > 0
      ? [icon("at_once", 20, 75, 15, "var(--accent)"), ...gains(instant, 60, 75, 22, 56)]
      : [rect(14, 75, 72, 0.8, "var(--line)", 0)]),
    rect(8, 91, 84, 39, SOFT),
    ...goesOn(values, 110),
  ]);
}

/** One who has been hired: only what goes on. */
export function hired(guide: Guide, id: string): Glyph {
  const values = valuesOf(guide, id);
  return {
    shape: "card",
    fill: CARD,
    aspect: 0.62,
    face: [text(50, 17, guide.text(id), 12.5, "pal-name", "middle", 84), ...goesOn(values, 39)],
  };
}

/** What triggers it, with how much suspicion there may be, and what it brings. */
function goesOn(values: Values, y: number): Decor[] {
  const condition = wordIn(values, "condition");
  const reward = wordsIn(values, "reward");
  if (condition === "") {
    return [icon(wordIn(values, "trigger"), 27, y, 25), text(49, y + 6, "→", 18), ...gains(reward, 73, y, 25, 38)];
  }
  return [
    icon(wordIn(values, "trigger"), 19, y, 20),
    icon("suspicion", 39, y - 7, 15),
    text(39, y + 13, condition === "no_suspicion" ? "0" : "2+", 13),
    text(55, y + 6, "→", 16),
    ...gains(reward, 77, y, 23, 31),
  ];
}

/** What attacking gives, what converting it gives, and what it is worth then. */
export function outsider(guide: Guide, id: string): Glyph {
  const values = valuesOf(guide, id);
  const suit = wordIn(values, "suit");
  const strength = Array.from({ length: numberIn(values, "strength") }, () => "strength");
  return named(guide.text(id), `var(--pal-${suit})`, 1.4, [
    rect(8, 28, 84, 40, SOFT),
    icon("attack", 17, 48, 14, "var(--faint)"),
    ...gains(wordsIn(values, "attack"), 58, 48, 25, 66),
    icon("convert", 17, 85, 14, "var(--faint)"),
    ...gains(strength, 52, 85, 22, 56),
    rect(8, 101, 84, 31, SOFT),
    ...worth(values, 50, 116.5, 24),
    icon(suit, 84, 85, 16),
  ]);
}

/** What a converted card is worth: a point for every so many of something, or one more than there are. */
function worth(values: Values, x: number, y: number, size: number): Decor[] {
  const scores = wordIn(values, "scores");
  const [what, many] = SCORES[scores] ?? [scores, "2"];
  const shield = [icon("points", x - size, y, size), text(x - size, y + size * 0.19, "1", size * 0.5, "pal-light")];
  if (many === "+") return [...shield, text(x, y + size * 0.25, "+", size * 0.75), printed(what, x + size, y, size)];
  return [
    ...shield,
    text(x, y + size * 0.25, many === "" ? ":" : `: ${many}`, size * 0.65),
    printed(what, x + size, y, size),
  ];
}

/** Of what `scores` names: its icon, and how many of it bring a point, or `+`: each one more. */
const SCORES: Readonly<Record<string, readonly [string, string]>> = {
  orders: ["order", "+"],
  mercenaries: ["convert", "+"],
  paid_debts: ["pay_debt", ""],
  unpaid_debts: ["debt", ""],
  suspicion: ["suspicion", ""],
  hired: ["recruit", "2"],
  byzantine: ["byzantine", ""],
  viking: ["viking", ""],
  saracen: ["saracen", ""],
  faith: ["faith", "4"],
  strength: ["strength", "4"],
  influence: ["influence", "4"],
};

/** An attacked outsider lies face down: all that counts is where it came from. */
export function attacked(guide: Guide, id: string): Glyph {
  const suit = wordIn(valuesOf(guide, id), "suit");
  return { shape: "tile", fill: `var(--pal-${suit})`, face: [icon(suit, 50, 50, 66, "#fff")] };
}

/** A converted outsider in a row of them: what it is worth. */
export function converted(guide: Guide, id: string): Glyph {
  const values = valuesOf(guide, id);
  const [what, many] = SCORES[wordIn(values, "scores")] ?? [wordIn(values, "scores"), "2"];
  return {
    shape: "tile",
    fill: CARD,
    face: [
      rect(4, 4, 92, 14, `var(--pal-${wordIn(values, "suit")})`, 6),
      printed(what, many === "" ? 50 : 62, 58, 58),
      ...(many === "" ? [] : [text(20, 70, many === "+" ? "+" : many, 38)]),
    ],
  };
}

/** Its workers, what it adds to the attributes for the round, and which action it makes cheaper or better. */
export function paladin(guide: Guide, id: string): Glyph {
  const values = valuesOf(guide, id);
  const added = ATTRIBUTES.filter((attribute) => numberIn(values, attribute) > 0);
  const step = 43;
  return named(guide.text(id), "var(--pal-paladin)", 1.4, [
    ...gains(wordsIn(values, "workers"), 50, 42, 28, 70),
    ...added.flatMap((attribute, index) => {
      const x = 50 + (index - (added.length - 1) / 2) * step;
      return [printed(attribute, x - 10, 73, 22), text(x + 11, 78, `+${numberIn(values, attribute)}`, 15, "title")];
    }),
    rect(8, 90, 84, 42, SOFT),
    ...ability(guide, values),
  ]);
}

/** The edge of a card that lies under others: its name, if it is known. */
export function strip(name: string): Glyph {
  const face = name ? [text(50, 17.5, name, 16, "pal-light", "middle", 84)] : [icon("paladin", 50, 12, 18, "#fff")];
  return { shape: "card", fill: "var(--pal-paladin)", aspect: 0.24, face };
}

function ability(guide: Guide, values: Values): Decor[] {
  const free = wordIn(values, "free");
  const cheaper = partOf(values, "cheaper");
  const bonus = partOf(values, "bonus");
  const action = free || wordIn(cheaper, "action") || wordIn(bonus, "action");
  const head = [text(50, 103, guide.text(action), 11.5, "pal-name", "middle", 80), icon(action, 26, 118, 22)];
  if (free !== "") {
    const paid = wordsOrNumbers(valuesOf(guide, action), "provisions") ? "provision" : "silver";
    return [...head, text(55, 124, "0 ×", 16, "title"), printed(paid, 78, 118, 20)];
  }
  if (wordIn(cheaper, "action") !== "") {
    return [...head, text(55, 124, `−${numberIn(cheaper, "silver")}`, 16, "title"), printed("silver", 78, 118, 20)];
  }
  return [...head, text(46, 124, "+", 16, "title"), ...gains(wordsIn(bonus, "gain"), 71, 118, 20, 42)];
}

function wordsOrNumbers(values: Values, key: string): boolean {
  return Array.isArray(values[key]);
}

/** Who uses it and what for; the round frame is where the worker stands. */
export function favour(guide: Guide, id: string): Glyph {
  const values = valuesOf(guide, id);
  const gain = wordsIn(values, "gain");
  const options = choicesIn(values, "choice");
  const price = [
    ...Array.from({ length: numberIn(values, "silver") }, () => "silver"),
    ...Array.from({ length: numberIn(values, "provision") }, () => "provision"),
  ];
  return {
    shape: "card",
    fill: CARD,
    aspect: 1.4,
    face: [
      rect(4, 4, 92, 12, "var(--pal-favour)", 6),
      ...(price.length > 0 ? gains(price, 82, 46, 24, 30) : []),
      rect(25, 24, 50, 50, "var(--slot)", 25),
      printed(wordIn(values, "worker"), 50, 49, 44),
      rect(8, 84, 84, 46, SOFT),
      ...(options.length > 0
        ? choices(gain.length > 0 ? [gain, ...options] : options, 50, 107, 27, 82)
        : gains(gain, 50, 107, 29, 80)),
    ],
  };
}

/** The action that is to be done often. */
export function order(guide: Guide, id: string): Glyph {
  const action = wordIn(valuesOf(guide, id), "action");
  return {
    shape: "card",
    fill: CARD,
    aspect: 1.4,
    face: [
      rect(4, 4, 92, 12, "var(--pal-order)", 6),
      icon(action, 50, 56, 52),
      text(50, 108, guide.text(action), 14, "pal-name", "middle", 68),
    ],
  };
}

export function tavern(guide: Guide, id: string): Glyph {
  const workers = wordsIn(valuesOf(guide, id), "workers");
  return {
    shape: "card",
    fill: CARD,
    aspect: 1.25,
    face: [
      rect(4, 4, 92, 14, "var(--pal-tavern)", 6),
      ...workers.map((worker, index) => printed(worker, 30 + (index % 2) * 40, 43 + Math.floor(index / 2) * 40, 36)),
    ],
  };
}

/** A wall in its row: what it is worth. */
export function wall(guide: Guide, id: string): Glyph {
  const values = valuesOf(guide, id);
  const points = numberIn(values, "points");
  const options = choicesIn(values, "choice");
  const gain = wordsIn(values, "gain");
  return {
    shape: "tile",
    fill: "var(--pal-wall)",
    face: [
      ...(options.length > 0
        ? [...gains(gain, 50, 28, 34, 84), ...choices(options, 50, 70, 32, 88)]
        : gains(gain, 50, 34, 42, 88)),
      ...(points > 0 ? [icon("points", 50, 76, 40), text(50, 86, String(points), 27, "pal-light title")] : []),
    ],
  };
}

/** How much silver it takes. */
export function suspicion(guide: Guide, id: string): Glyph {
  const tax = numberIn(valuesOf(guide, id), "tax");
  return {
    shape: "card",
    fill: CARD,
    aspect: 1.25,
    face: [
      rect(4, 4, 92, 14, "var(--pal-suspicion)", 6),
      icon("suspicion", 50, 46, 52),
      ...gains(
        Array.from({ length: tax }, () => "tax"),
        50,
        93,
        32,
        80,
      ),
      ...(tax === 0 ? [text(50, 102, "0", 28, "faint")] : []),
    ],
  };
}

/** What the opponent of one who plays alone tries. */
export function scheme(guide: Guide, id: string): Glyph {
  const what = id.replace(/^scheme_/, "");
  return {
    shape: "card",
    fill: CARD,
    aspect: 1.4,
    face: [
      rect(4, 4, 92, 12, "var(--pal-scheme)", 6),
      icon(what, 50, 58, 50),
      text(50, 108, guide.text(id).replace(/^.*: /, ""), 14, "pal-name", "middle", 70),
    ],
  };
}

export function debt(paid: boolean): Glyph {
  return { shape: "card", fill: CARD, aspect: 1.25, face: [icon(paid ? "pay_debt" : "debt", 50, 62, 70)] };
}

/** The back of a kind of card: its colour and its icon. */
export function back(kind: string, aspect: number): Glyph {
  const of = BACKS[kind] ?? kind;
  return {
    shape: "card",
    fill: `var(--pal-${kind})`,
    aspect,
    face: [
      { kind: "rect", x: 11, y: 11, w: 78, h: 100 * aspect - 22, r: 5, role: "pal-edge" },
      icon(of, 50, 50 * aspect, 46, "#fff"),
    ],
  };
}

const BACKS: Readonly<Record<string, string>> = { townsfolk: "recruit", outsider: "attack", wall: "fortify" };
