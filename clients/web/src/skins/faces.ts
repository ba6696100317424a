/**
 * Looks of components from data: shapes, colours, icons, and faces of cards. Each title has one JSON file of them. In
 * texts and names of the data, `{key}` stands for a fact of the component: a catalogue value, its `id` or `name`, or a
 * fact derived by the title's code.
 */
import type { Decor, Glyph, Shape } from "../stage/scene";
import type { Guide, Values } from "../table/guide";
import { choicesIn, numberIn, valuesOf, wordsIn } from "./facts";
import { wrapped } from "./kit";

/** An element of a face. Lengths are hundredths of the card's width. Exactly one of the first nine keys is set. */
export interface Part {
  /** x, y, width, height; `r` is the corner radius. */
  readonly rect?: readonly number[] | undefined;
  readonly text?: string | undefined;
  /** A text in up to three lines of `width`; `at` is its left end, vertically centred. */
  readonly lines?: string | undefined;
  /** An icon, in its default colour or in `ink`. */
  readonly icon?: string | undefined;
  /** A word drawn as a token. */
  readonly token?: string | undefined;
  /** A fact with a list of words: tokens side by side, centred at `at`, at most `room` wide. */
  readonly gains?: string | undefined;
  /** Facts with numbers: each token is repeated that many times, side by side, centred at `at`. */
  readonly repeat?: readonly string[] | undefined;
  /** A fact with alternative lists of words. */
  readonly choices?: string | undefined;
  /** The name of shared parts; `at` is their offset. */
  readonly parts?: string | undefined;

  /**
   * A fact with a list: the part is drawn for each item (`{it}`, or its facts), at intervals of `step`, in a row around
   * `at` or in `columns`.
   */
  readonly each?: string | undefined;
  readonly step?: number | undefined;
  readonly columns?: number | undefined;
  /** Draw it only if this fact is present and neither empty nor 0. */
  readonly if?: string | undefined;
  /** Draw it only if this fact is missing, empty or 0. */
  readonly unless?: string | undefined;

  readonly at?: readonly number[] | undefined;
  readonly size?: number | undefined;
  readonly room?: number | undefined;
  readonly width?: number | undefined;
  readonly r?: number | undefined;
  readonly fill?: string | undefined;
  readonly ink?: string | undefined;
  readonly role?: string | undefined;
  /** Whether lines are bold; other texts are bold if their role is a title or name. */
  readonly bold?: boolean | undefined;
}

/** The look of a component: a `token` or `plain` icon by name, or a shape with its contents. */
export interface Look {
  readonly token?: string;
  readonly plain?: string;
  readonly shape?: Shape;
  readonly fill?: string;
  readonly ink?: string;
  readonly icon?: string;
  readonly iconSize?: number;
  readonly text?: string;
  readonly rim?: string;
  readonly aspect?: number;
  /** Additional facts for its face. */
  readonly with?: Readonly<Record<string, string>>;
  readonly face?: readonly Part[];
}

type Named<T> = Readonly<Record<string, T>>;

/** The drawing data of a title. */
export interface LooksData {
  /** Paths in a square of 24 × 24. */
  readonly icons: Named<string>;
  /** Colours of plain icons by name; the default is the text colour. */
  readonly inks?: Named<string>;
  /** Words with a look other than a plain icon, where they are printed as tokens. */
  readonly tokens?: readonly (Look & { readonly of: readonly string[] })[];
  /** Looks by component id or shape name. */
  readonly components?: Named<Look>;
  /** Looks by the part of the id before the first `:` or `.`. */
  readonly prefixes?: Named<Look>;
  /** Looks by the catalogue's kind. */
  readonly kinds?: Named<Look>;
  /** The default role of rectangles on faces. */
  readonly rects?: string;
  /** Parts that several faces share. */
  readonly parts?: Named<readonly Part[]>;
}

/** Functions that add facts to a component's values, by the key of the look that needs them. */
export type Derived = Named<(values: Values, guide: Guide, id: string) => Values>;

/** Draws looks and faces from the data of a title. */
export class Looks {
  constructor(
    private readonly data: LooksData,
    private readonly derived: Derived = {},
  ) {}

  /** Return the look of a component; `undefined` if the data has none. */
  glyph(component: string, guide: Guide): Glyph | undefined {
    const { components, prefixes, kinds } = this.data;
    const [, prefix = "", rest = ""] = /^([^.:]+)[.:](.+)$/.exec(component) ?? [];
    const kind = guide.components.get(component)?.kind ?? "";
    for (const [looks, key, id] of [
      [components, component, component],
      [prefixes, prefix, rest],
      [kinds, kind, component],
    ] as const) {
      const look = looks?.[key];
      if (!look) continue;
      const values = valuesOf(guide, id);
      return this.glyphOf(look, { ...values, id, name: guide.text(id), ...this.derived[key]?.(values, guide, id) });
    }
    return undefined;
  }

  /** Return a word's token: its look in `tokens`, or a plain icon. */
  token(word: string): Glyph {
    const look = this.data.tokens?.find(({ of }) => of.includes(word));
    return look ? this.glyphOf(look, { id: word }) : this.plain(word);
  }

  /** Return an icon without a body. */
  plain(name: string, ink = this.data.inks?.[name] ?? "var(--ink)"): Glyph {
    return { shape: "none", fill: "none", ink, icon: this.data.icons[name] ?? "", iconSize: 1 };
  }

  /** Return the print of a token. */
  printed(word: string, x: number, y: number, size: number): Decor {
    return { kind: "glyph", x, y, size, glyph: this.token(word), role: "clear" };
  }

  /** Return the print of an icon. */
  icon(name: string, x: number, y: number, size: number, ink?: string): Decor {
    return { kind: "glyph", x, y, size, glyph: this.plain(name, ink), role: "clear" };
  }

  /** Return tokens side by side, centred at x, closer if room is short. */
  gains(words: readonly string[], x: number, y: number, size: number, room: number): Decor[] {
    const step = words.length > 1 ? Math.min(size * 1.04, (room - size) / (words.length - 1)) : 0;
    const first = x - (step * (words.length - 1)) / 2;
    return words.map((word, index) => this.printed(word, first + index * step, y, size));
  }

  /** Return alternative groups of tokens, separated by strokes. */
  choices(lists: readonly (readonly string[])[], x: number, y: number, size: number, room: number): Decor[] {
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
        all.push(this.printed(word, left + step / 2, y, Math.min(size, step)));
        left += step;
      }
    });
    return all;
  }

  private glyphOf(look: Look, facts: Values): Glyph {
    if (look.token) return this.token(filled(look.token, facts));
    if (look.plain) return this.plain(filled(look.plain, facts));
    const { shape = "none", fill = "none", icon, face, iconSize, aspect } = look;
    const more = Object.entries(look.with ?? {}).map(([key, template]) => [key, filled(template, facts)]);
    const all = { ...facts, ...Object.fromEntries(more) };
    const own = (key: "ink" | "text" | "rim") => (look[key] === undefined ? {} : { [key]: filled(look[key], all) });
    return {
      shape,
      fill: filled(fill, all),
      ...own("ink"),
      ...own("text"),
      ...own("rim"),
      ...(icon === undefined ? {} : { icon: this.data.icons[filled(icon, all)] ?? "" }),
      ...(iconSize === undefined ? {} : { iconSize }),
      ...(aspect === undefined ? {} : { aspect }),
      ...(face ? { face: face.flatMap((part) => this.partOf(part, all)) } : {}),
    };
  }

  private partOf(part: Part, facts: Values): Decor[] {
    if ((part.if && !hasContent(facts[part.if])) || (part.unless && hasContent(facts[part.unless]))) return [];
    const [x = 0, y = 0] = part.at ?? [];
    if (part.each) {
      const { each, step = 0, columns, ...thing } = part;
      const items = Array.isArray(facts[each]) ? (facts[each] as readonly unknown[]) : [];
      return items.flatMap((it, index) => {
        const along = columns ? index % columns : index - (items.length - 1) / 2;
        const at = [x + along * step, y + (columns ? Math.floor(index / columns) * step : 0)];
        return this.partOf({ ...thing, at }, { ...facts, it, ...(typeof it === "object" ? it : {}) });
      });
    }
    const { size = 12, room = 100, role = "", width } = part;
    const word = (template: string) => filled(template, facts);
    if (part.rect) return [rect(part.rect, word(part.fill ?? ""), part.r, part.role ?? this.data.rects)];
    if (part.text !== undefined) return [text(x, y, word(part.text), size, role, "middle", width)];
    if (part.lines !== undefined) return lines(word(part.lines), x, y, width ?? 100, size, role, part.bold ?? false);
    if (part.icon !== undefined) {
      const glyph = this.plain(word(part.icon), part.ink);
      return [{ kind: "glyph", x, y, size, glyph, role: part.role ?? "clear" }];
    }
    if (part.token !== undefined) return [this.printed(word(part.token), x, y, size)];
    if (part.gains !== undefined) return this.gains(wordsIn(facts, part.gains), x, y, size, room);
    if (part.choices !== undefined) return this.choices(choicesIn(facts, part.choices), x, y, size, room);
    if (part.repeat) {
      const words = part.repeat.flatMap((key) => Array.from({ length: numberIn(facts, key) }, () => key));
      return this.gains(words, x, y, size, room);
    }
    const shared = this.data.parts?.[part.parts ?? ""] ?? [];
    return shared.flatMap((each) => this.partOf(moved(each, x, y), facts));
  }
}

/** Return a text on a card, centred at x unless `anchor` is set. Titles and names are bold. */
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

function rect([x = 0, y = 0, w = 0, h = 0]: readonly number[], fill: string, r = 4, role = ""): Decor {
  return { kind: "rect", x, y, w, h, r, role, ...(fill ? { fill } : {}) };
}

function lines(
  words: string,
  x: number,
  y: number,
  width: number,
  size: number,
  role: string,
  isBold: boolean,
): Decor[] {
  const broken = wrapped(words, width, size, isBold).slice(0, 3);
  const first = y - ((broken.length - 1) * size * 1.08) / 2 + size * 0.36;
  return broken.map((text, at) => ({ kind: "text", x, y: first + at * size * 1.08, size, text, role, width, isBold }));
}

function moved(part: Part, x: number, y: number): Part {
  const [left = 0, top = 0, ...rest] = part.rect ?? [];
  const [across = 0, down = 0] = part.at ?? [];
  return { ...part, at: [across + x, down + y], rect: part.rect && [left + x, top + y, ...rest] };
}

function filled(template: string, facts: Values): string {
  return template.replace(/\{(\w+)\}/g, (_, key) => String(facts[key] ?? ""));
}

function hasContent(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : Boolean(value);
}
