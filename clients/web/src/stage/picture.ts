/** Everything on a drawn table that changes from event to event, and where it is: in units of the whole drawing. */
import type { KnownTable } from "@boardkeeper/client";
import type { Guide } from "../table/guide";
import type { Arrangement } from "./arranging";
import type { Pieces } from "./pieces";
import { type Badge, type Placed, place } from "./placing";
import type { Glyph, Mark, Point } from "./scene";

/** A marker, and where and how it shows its value. */
export interface Token {
  readonly mark: Mark;
  readonly at: Point;
  /** Its value in words. */
  readonly value: string;
  readonly glyph: Glyph | undefined;
}

export interface Picture {
  /** Always in the same order, whatever moved: so nothing in the page changes but what moved. */
  readonly placed: readonly Placed[];
  readonly badges: readonly Badge[];
  readonly tokens: readonly Token[];
}

/** The picture of a table on boards that stand so. */
export function pictureOf(
  arrangement: Arrangement,
  table: KnownTable,
  pieces: Pieces,
  guide: Guide,
  glyphs: (component: string) => Glyph,
): Picture {
  const placed: Placed[] = [];
  const badges: Badge[] = [];
  const tokens: Token[] = [];
  const aspect = (component: string) => aspectOf(glyphs(component));
  for (const { board, x, y } of arrangement.standings) {
    for (const spot of board.spots) {
      const [some, few] = place(spot, pieces.in(spot.zone), aspect);
      for (const each of some) placed.push({ ...each, x: each.x + x, y: each.y + y });
      for (const each of few) badges.push({ ...each, x: each.x + x, y: each.y + y });
    }
    for (const mark of board.marks) {
      const token = tokenOf(mark, table, guide, glyphs);
      if (token) tokens.push({ ...token, at: { x: token.at.x + x, y: token.at.y + y } });
    }
  }
  placed.sort((one, other) => one.key - other.key);
  return { placed, badges, tokens: apart(tokens) };
}

/** Height by width of what looks so. */
export function aspectOf(glyph: Glyph): number {
  return glyph.aspect ?? (glyph.shape === "card" ? 1.4 : 1);
}

function tokenOf(mark: Mark, table: KnownTable, guide: Guide, glyphs: (component: string) => Glyph): Token | undefined {
  const value = table.markers.get(mark.marker)?.value;
  const glyph = mark.glyph ? glyphs(mark.glyph) : undefined;
  const words = guide.value(mark.marker, value);
  if (mark.kind === "readout") {
    const written = value !== undefined && mark.write ? mark.write(value) : words;
    return { mark, at: mark, value: written, glyph };
  }
  const at = value === undefined ? undefined : mark.at(value);
  return at && { mark, at, value: words, glyph };
}

/** Tokens on one point are set a little apart, so that each is seen. */
function apart(tokens: readonly Token[]): Token[] {
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
