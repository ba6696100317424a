/** The parts of a drawn table that change with events, with positions in units of the whole drawing. */
import type { KnownTable } from "@boardkeeper/client";
import type { Guide } from "../table/guide";
import { subjectKey } from "../table/selection";
import type { Arrangement } from "./arrange";
import { HIDDEN, type Piece, type Pieces } from "./pieces";
import { type Badge, type PlacedPiece, placePieces } from "./placePieces";
import { reuse } from "./reuse";
import type { Board, Glyph, Mark, Point, Sign, Spot } from "./scene";

/** Highlights, by keys of subjects. */
export interface Highlights {
  /** Clickable subjects: level 1 starts or continues a command, level 2 is an alternative. */
  readonly lit: ReadonlyMap<string, number>;
  readonly picked: ReadonlySet<string>;
  /** Subjects that the newest event changed. */
  readonly touched: ReadonlySet<string>;
  /** Whether "Why not?" is on. */
  readonly asking: boolean;
}

/** A clickable thing with the key of its subject, and its highlights. */
interface Clickable {
  readonly subject: string;
  readonly near?: number | undefined;
  readonly isPicked?: boolean;
  readonly isTouched?: boolean;
}

/** A part of a board that is clickable as a whole, with its name and text. */
export interface Area<Of extends Spot | Sign = Spot | Sign> extends Clickable {
  readonly of: Of;
  readonly name: string;
  readonly words: string;
}

/** An area for pieces; its texts name them. */
interface Place extends Area<Spot> {
  readonly isEmpty: boolean;
}

/** A piece at its position. */
export interface BoardPiece extends PlacedPiece, Clickable {}

/** A marker, and where and how it shows its value. */
export interface Token extends Clickable {
  readonly mark: Mark;
  readonly at: Point;
  /** Its value as text. */
  readonly value: string;
  readonly glyph: Glyph | undefined;
}

export interface Picture {
  /** The visible spots of each board, in its order. */
  readonly places: ReadonlyMap<Board, readonly Area<Spot>[]>;
  /** The signs of each board that are highlighted or clickable; other signs are only print. */
  readonly signs: ReadonlyMap<Board, readonly Area[]>;
  /** Always in the same order, so that the page changes only the pieces that moved. */
  readonly placed: readonly BoardPiece[];
  readonly badges: readonly Badge[];
  readonly tokens: readonly Token[];
}

/**
 * Draws tables. Unchanged things keep their object identity: an event changes few of hundreds of things, and components
 * update only those.
 */
export class Painter {
  /** By board and zone. */
  private readonly spots = new Map<string, Drawn>();
  private readonly tokens = new Map<string, Token>();
  private pieces: Pieces | undefined;

  constructor(
    private readonly guide: Guide,
    private readonly glyphs: (component: string) => Glyph,
  ) {}

  /** Return the picture of a table on arranged boards, with its pieces and highlights. */
  paint(arrangement: Arrangement, table: KnownTable, pieces: Pieces, light: Highlights): Picture {
    if (pieces !== this.pieces) this.spots.clear();
    this.pieces = pieces;
    const places = new Map<Board, Place[]>();
    const signs = new Map<Board, Area[]>();
    const placed: BoardPiece[] = [];
    const badges: Badge[] = [];
    const tokens: Token[] = [];
    for (const { board, x, y } of arrangement.standings) {
      const here: Place[] = [];
      for (const spot of board.spots) {
        const drawn = this.draw(`${board.id}|${spot.zone}`, spot, { x, y }, pieces);
        const at = withHighlights(drawn.place, light);
        if (!isLeftOut(at)) here.push(at);
        for (const piece of drawn.placed) placed.push(withHighlights(piece, light));
        badges.push(...drawn.badges);
      }
      places.set(board, here);
      const areas = (board.signs ?? []).map((sign) => areaOf(sign, this.guide));
      signs.set(
        board,
        areas
          .map((area) => withHighlights(area, light))
          .filter(({ near, isPicked }) => light.asking || near !== undefined || isPicked),
      );
      for (const mark of board.marks) {
        const token = tokenOf(mark, table, this.guide, this.glyphs);
        if (token) tokens.push({ ...token, at: { x: token.at.x + x, y: token.at.y + y } });
      }
    }
    placed.sort((one, other) => one.key - other.key);
    return {
      places,
      signs,
      placed,
      badges,
      tokens: separateTokens(tokens).map((token) => withHighlights(this.known(token), light)),
    };
  }

  /** `corner` is the top left corner of the board. */
  private draw(id: string, spot: Spot, corner: Point, pieces: Pieces): Drawn {
    const changes = pieces.changesOf(spot.zone);
    const before = this.spots.get(id);
    const { x, y } = corner;
    if (before?.changes === changes && before.spot === spot && before.x === x && before.y === y) return before;
    const inZone = pieces.in(spot.zone);
    const [placed, badges] = placePieces(spot, inZone, (component) => aspectOf(this.glyphs(component)));
    const there = <It extends Point>(it: It): It => ({ ...it, x: it.x + x, y: it.y + y });
    const were = new Map(before?.placed.map((piece) => [piece.key, piece]));
    const drawn = {
      changes,
      spot,
      x,
      y,
      place: reuse(before?.place, {
        of: spot,
        name: this.guide.zone(spot.zone).text,
        words: contentsText(spot.zone, inZone, this.guide),
        subject: subjectKey({ zone: spot.zone }),
        isEmpty: inZone.length === 0,
      }),
      placed: placed.map((piece) => reuse(were.get(piece.key), { ...there(piece), subject: subjectKey(piece) })),
      badges: badges.map((badge, index) => reuse(before?.badges[index], there(badge))),
    };
    this.spots.set(id, drawn);
    return drawn;
  }

  private known(token: Token): Token {
    const id = `${token.subject}|${token.mark.kind}`;
    const known = reuse(this.tokens.get(id), token);
    this.tokens.set(id, known);
    return known;
  }
}

function withHighlights<It extends Clickable>(it: It, { lit, picked, touched }: Highlights): It {
  const { subject } = it;
  const near = lit.get(subject);
  const [isPicked, isTouched] = [picked.has(subject), touched.has(subject)];
  return near !== undefined || isPicked || isTouched ? { ...it, near, isPicked, isTouched } : it;
}

function isLeftOut({ of, isEmpty, near }: Place): boolean {
  return Boolean(of.quiet) && isEmpty && near === undefined;
}

interface Drawn extends Point {
  readonly changes: number;
  readonly spot: Spot;
  readonly place: Place;
  readonly placed: readonly BoardPiece[];
  readonly badges: readonly Badge[];
}

/** Return the name of a piece. */
export function pieceName(component: string, guide: Guide): string {
  return component === HIDDEN ? guide.words.hidden : guide.text(component);
}

function areaOf(sign: Sign, guide: Guide): Area<Sign> {
  const { marker, word } = sign;
  const name = guide.value(marker, word);
  return { of: sign, name, words: `${guide.marker(marker).text}: ${name}`, subject: subjectKey({ marker, word }) };
}

function contentsText(zone: string, pieces: readonly Piece[], guide: Guide): string {
  const counts = new Map<string, number>();
  for (const { component } of pieces) counts.set(component, (counts.get(component) ?? 0) + 1);
  const what = [...counts].map(([component, count]) => `${count} × ${pieceName(component, guide)}`);
  return `${guide.zone(zone).text}: ${what.join(", ") || guide.words.empty}`;
}

/** Return height by width of a look. */
export function aspectOf(glyph: Glyph): number {
  return glyph.aspect ?? (glyph.shape === "card" ? 1.4 : 1);
}

function tokenOf(mark: Mark, table: KnownTable, guide: Guide, glyphs: (component: string) => Glyph): Token | undefined {
  const value = table.markers.get(mark.marker)?.value;
  const subject = subjectKey({ marker: mark.marker });
  const glyph = mark.glyph ? glyphs(mark.glyph) : undefined;
  const words = guide.value(mark.marker, value);
  if (mark.kind === "readout") {
    const written = value !== undefined && mark.write ? mark.write(value) : words;
    return { mark, subject, at: { x: mark.x, y: mark.y }, value: written, glyph };
  }
  const at = value === undefined ? undefined : mark.at(value);
  return at && { mark, subject, at: { x: at.x, y: at.y }, value: words, glyph };
}

/** Move tokens on the same point apart, so that each is visible. */
function separateTokens(tokens: readonly Token[]): Token[] {
  const here = new Map<string, Token[]>();
  const keyOf = ({ at }: Token) => `${Math.round(at.x)}:${Math.round(at.y)}`;
  for (const token of tokens) {
    if (token.mark.kind !== "token") continue;
    const group = here.get(keyOf(token));
    if (group) group.push(token);
    else here.set(keyOf(token), [token]);
  }
  return tokens.map((token) => {
    const group = token.mark.kind === "token" ? here.get(keyOf(token)) : undefined;
    if (!group || group.length < 2) return token;
    const angle = (group.indexOf(token) / group.length) * 2 * Math.PI - Math.PI / 2;
    const far = token.mark.size * 0.36;
    return { ...token, at: { x: token.at.x + Math.cos(angle) * far, y: token.at.y + Math.sin(angle) * far } };
  });
}
