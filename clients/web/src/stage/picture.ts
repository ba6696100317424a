/** Everything on a drawn table that changes from event to event, and where it is: in units of the whole drawing. */
import type { KnownTable } from "@boardkeeper/client";
import type { Guide } from "../table/guide";
import type { Arrangement } from "./arranging";
import type { Pieces } from "./pieces";
import { type Badge, type Placed, place } from "./placing";
import type { Glyph, Mark, Point, Spot } from "./scene";

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

/** Draws tables on boards that stand so. What has not changed since the last table is the same object again. */
export class Painter {
  private readonly spots = new Map<Spot, Drawn>();
  private readonly tokens = new Map<Mark, Token>();
  private pieces: Pieces | undefined;

  constructor(
    private readonly arrangement: Arrangement,
    private readonly guide: Guide,
    private readonly glyphs: (component: string) => Glyph,
  ) {}

  /** The picture of a table, whose pieces these are. */
  paint(table: KnownTable, pieces: Pieces): Picture {
    if (pieces !== this.pieces) this.spots.clear();
    this.pieces = pieces;
    const placed: Placed[] = [];
    const badges: Badge[] = [];
    const tokens: Token[] = [];
    for (const { board, x, y } of this.arrangement.standings) {
      for (const spot of board.spots) {
        const drawn = this.draw(spot, x, y, pieces);
        placed.push(...drawn.placed);
        badges.push(...drawn.badges);
      }
      for (const mark of board.marks) {
        const token = tokenOf(mark, table, this.guide, this.glyphs);
        if (token) tokens.push({ ...token, at: { x: token.at.x + x, y: token.at.y + y } });
      }
    }
    placed.sort((one, other) => one.key - other.key);
    return { placed, badges, tokens: apart(tokens).map((token) => this.known(token)) };
  }

  private draw(spot: Spot, x: number, y: number, pieces: Pieces): Drawn {
    const changes = pieces.changesOf(spot.zone);
    const before = this.spots.get(spot);
    if (before?.changes === changes) return before;
    const [placed, badges] = place(spot, pieces.in(spot.zone), (component) => aspectOf(this.glyphs(component)));
    const there = <It extends Point>(it: It): It => ({ ...it, x: it.x + x, y: it.y + y });
    const drawn = { changes, placed: placed.map(there), badges: badges.map(there) };
    this.spots.set(spot, drawn);
    return drawn;
  }

  private known(token: Token): Token {
    const before = this.tokens.get(token.mark);
    const { at, value, glyph } = token;
    if (before && before.at.x === at.x && before.at.y === at.y && before.value === value && before.glyph === glyph)
      return before;
    this.tokens.set(token.mark, token);
    return token;
  }
}

interface Drawn {
  readonly changes: number;
  readonly placed: readonly Placed[];
  readonly badges: readonly Badge[];
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
