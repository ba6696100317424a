/** Drawing tools for skins, independent of titles: frames, tracks, rows of spaces. */
import type { KnownTable } from "@boardkeeper/client";
import type { Board, Decor, Mark, Point, ReadoutMark, Scalar, Sign, Spot } from "../stage/scene";
import { textWidth } from "../stage/textWidth";
import type { ComponentEntry, Guide } from "../table/guide";

/** Roles of texts that are printed in bold. */
const BOLD = /\b(title|name|place-name|sign)\b/;

/** A board that is being drawn. */
export class Drawing {
  readonly decor: Decor[] = [];
  readonly spots: Spot[] = [];
  readonly marks: Mark[] = [];
  readonly signs: Sign[] = [];

  constructor(
    readonly id: string,
    readonly name: string,
    readonly seat: number,
    public w: number,
    public h: number,
  ) {}

  rect(x: number, y: number, w: number, h: number, role: string, r = 6): this {
    this.decor.push({ kind: "rect", x, y, w, h, r, role });
    return this;
  }

  circle(x: number, y: number, r: number, role: string): this {
    this.decor.push({ kind: "circle", x, y, r, role });
    return this;
  }

  path(d: string, role: string): this {
    this.decor.push({ kind: "path", d, role });
    return this;
  }

  /** Print a text; it is condensed to fit `width`. Titles and names are bold. */
  text(
    x: number,
    y: number,
    text: string,
    size = 12,
    role = "",
    anchor: "start" | "middle" | "end" = "start",
    width?: number,
  ): this {
    const isBold = BOLD.test(role);
    this.decor.push({ kind: "text", x, y, size, text, role, anchor, isBold, ...(width ? { width } : {}) });
    return this;
  }

  /** Print words in at most `most` lines of a width, `step` apart; return the number of lines. */
  lines(words: string, x: number, y: number, size: number, step: number, width: number, most = 99): number {
    const lines = wrapped(words, width, size).slice(0, most);
    for (const [at, line] of lines.entries()) this.text(x, y + at * step, line, size);
    return lines.length;
  }

  /** Print a component or shape faintly. */
  printed(x: number, y: number, size: number, glyph: string, role = ""): this {
    this.decor.push({ kind: "glyph", x, y, size, glyph, role });
    return this;
  }

  /** Add finished print. */
  print(...decor: Decor[]): this {
    this.decor.push(...decor);
    return this;
  }

  spot(spot: Spot): this {
    this.spots.push(spot);
    return this;
  }

  /** Add a spot for the pieces of a zone. It draws single pieces unless `more` overrides it. */
  place(zone: string, x: number, y: number, w: number, h: number, size: number, more: Partial<Spot> = {}): this {
    return this.spot({ zone, x, y, w, h, size, show: "each", ...more });
  }

  /** Add a spot for one open card. */
  card(zone: string, x: number, y: number, w: number, aspect = 1.4): this {
    return this.place(zone, x, y, w, w * aspect, w, { outline: "card" });
  }

  /** Add a pile of cards: its back, and their number. */
  pile(zone: string, back: string, x: number, y: number, w: number, aspect = 1.4): this {
    return this.place(zone, x, y, w, w * aspect, w, { show: "count", outline: "card", as: () => back });
  }

  mark(mark: Mark): this {
    this.marks.push(mark);
    return this;
  }

  /** Add a token whose place shows a marker's value. */
  token(marker: string, seat: number, glyph: string, size: number, at: (value: Scalar) => Point | undefined): this {
    return this.mark({ kind: "token", marker, seat, glyph, size, at });
  }

  /** Add a marker's value as text, formatted by `write`. */
  written(
    marker: string,
    x: number,
    y: number,
    size: number,
    write: (value: Scalar) => string,
    more: Partial<ReadoutMark> = {},
  ): this {
    return this.mark({ kind: "readout", marker, x, y, size, write, ...more });
  }

  /** Add a sign: a printed value of a marker that can be selected. */
  sign(marker: string, word: string, x: number, y: number, w: number, h: number): this {
    this.signs.push({ marker, word, x, y, w, h });
    return this;
  }

  /** Add a marker's value as text, optionally after a glyph. */
  readout(marker: string, x: number, y: number, size = 14, glyph?: string): this {
    this.marks.push({ kind: "readout", marker, x, y, size, ...(glyph ? { glyph } : {}) });
    return this;
  }

  done(): Board {
    const frame: Decor = { kind: "rect", x: 0, y: 0, w: this.w, h: this.h, r: 10, role: "board" };
    const { id, name, seat, w, h, spots, marks, signs } = this;
    return { id, name, seat, w, h, spots, marks, signs, decor: [frame, ...this.decor] };
  }
}

/** Cache of boards whose print never changes during a game: placing labels on a map is slow. */
export class Printed {
  private readonly known = new WeakMap<Guide, Map<string, Board>>();

  /** Return a board from the cache, or draw it. */
  board(guide: Guide, name: string, draw: () => Drawing): Board {
    const boards = this.known.get(guide) ?? new Map<string, Board>();
    this.known.set(guide, boards);
    const board = boards.get(name) ?? draw().done();
    boards.set(name, board);
    return board;
  }
}

/** Return points in a row. */
export function row(count: number, x: number, y: number, step: number): Point[] {
  return Array.from({ length: count }, (_, index) => ({ x: x + index * step, y }));
}

/** Return the first component of a zone that fulfils `test`; empty if there is none, or if it is hidden. */
export function firstIn(table: KnownTable, zone: string, test: (component: string) => boolean = () => true): string {
  return [...(table.zones.get(zone)?.contents.keys() ?? [])].find(test) ?? "";
}

/** Return the components of a kind, in catalogue order. */
export function ofKind(guide: Guide, kind: string): ComponentEntry[] {
  return [...guide.components.values()].filter((component) => component.kind === kind);
}

/** Return a function from an index to the top left corner of its cell in a grid. */
export function grid(columns: number, x: number, y: number, w: number, h: number): (index: number) => Point {
  return (index) => ({ x: x + (index % columns) * w, y: y + Math.floor(index / columns) * h });
}

/** Return a function from a track value to its point `points[value - first]`; undefined outside the track. */
export function along(points: readonly Point[], first = 0): (value: number | string) => Point | undefined {
  return (value) => (typeof value === "number" ? points[value - first] : undefined);
}

/** Return the seats, starting with the viewer's. */
export function seatsFrom(own: number, count: number): number[] {
  const all = Array.from({ length: count }, (_, index) => index + 1);
  return own > 0 ? [own, ...all.filter((seat) => seat !== own)] : all;
}

/** Split a printed text into lines of a width. */
export function wrapped(text: string, width: number, size: number, isBold = false): string[] {
  const lines: string[] = [];
  for (const word of text.split(/\s+/).filter(Boolean)) {
    const last = lines.at(-1);
    if (last !== undefined && textWidth(`${last} ${word}`, size, isBold) <= width)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

/** Draw markers of pending rewards as tokens `due:…` side by side, each only while it has a value. */
export function dues(drawing: Drawing, table: KnownTable, prefix: string, x: number, y: number, w: number): void {
  const all = [...table.markers.keys()].filter((id) => id.startsWith(prefix));
  const step = w / Math.max(all.length, 1);
  const isOver = (value: Scalar, least: number) => typeof value === "number" && value > least;
  all.forEach((marker, index) => {
    const at = { x: x + (index + 0.5) * step, y };
    const write = (value: Scalar) => (isOver(value, 1) ? String(value) : "");
    drawing.token(marker, 0, `due:${marker.slice(prefix.length)}`, 25, (value) => (isOver(value, 0) ? at : undefined));
    drawing.written(marker, at.x + 10, at.y + 11, 10, write, { anchor: "middle" });
  });
}
