/**
 * What a table looks like: boards with places for zones and markers. A skin makes scenes; the stage draws them.
 *
 * Lengths are in units of the board that they are on; the stage scales boards to the page.
 */
import type { KnownTable } from "@boardkeeper/client";
import type { Guide } from "../table/guide";

/** The value of a marker. */
export type Scalar = number | string;

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** How what lies in a zone is laid out: every piece by itself; a heap for each kind, with how many; or one back with how many. */
export type Show = "each" | "kinds" | "count";

/** A place for what lies in a zone. */
export interface Spot {
  readonly zone: string;
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
  /** The side of a piece. */
  readonly size: number;
  readonly show: Show;
  /** Piece upon piece with a slight shift, as cards and tiles in a pile; else side by side. */
  readonly piled?: boolean;
  /** Where a row that does not fill it begins; in the middle if it is left out. */
  readonly align?: "start" | "end";
  /** What a component looks like there, as the name of another or of a shape: the back of a card in a deck. */
  readonly as?: (component: string) => string;
  /** Drawn around it. */
  readonly outline?: "box" | "slot" | "round" | "ring" | "hex" | "card" | "none";
  /** What is printed there, as the name of a component, to be drawn faintly while nothing lies on it. */
  readonly symbol?: string;
  /** A few words beside it. */
  readonly label?: string;
  /** Not drawn at all while nothing lies there and nothing can be done there. */
  readonly quiet?: boolean;
  /**
   * Where single pieces have places of their own: for the `nth` of its kind, which is the `index`th of all, from 0. Those for
   * which it says nothing are laid out as `show` says. Only where pieces are drawn one by one.
   */
  readonly at?: (component: string, nth: number, index: number) => Point | undefined;
}

/** Where a marker shows its value. */
export type Mark = TokenMark | ReadoutMark;

/** A token that stands where the value says. */
export interface TokenMark {
  readonly kind: "token";
  readonly marker: string;
  /** Whose it is, for its colour; 0: nobody's. */
  readonly seat: number;
  /** What it looks like: the name of a component, or of a shape of the skin. */
  readonly glyph: string;
  readonly size: number;
  /** Where it stands; nowhere if the value says nothing. */
  readonly at: (value: Scalar) => Point | undefined;
}

/** The value, written. */
export interface ReadoutMark {
  readonly kind: "readout";
  readonly marker: string;
  readonly x: number;
  readonly y: number;
  readonly size: number;
  readonly anchor?: "start" | "middle" | "end";
  /** What it looks like before the value: the name of a component or shape. */
  readonly glyph?: string;
  /** What is written; the value in words if it is left out. */
  readonly write?: (value: Scalar) => string;
}

/** Where a word is printed that a marker can say, such as the name of an action: it is chosen there. */
export interface Sign {
  readonly marker: string;
  readonly word: string;
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
}

/** Something that is printed on a board. `role` is a class of the style sheet, or of the skin's. */
export type Decor =
  | {
      readonly kind: "rect";
      readonly x: number;
      readonly y: number;
      readonly w: number;
      readonly h: number;
      readonly r?: number;
      readonly role: string;
      readonly fill?: string;
    }
  | {
      readonly kind: "circle";
      readonly x: number;
      readonly y: number;
      readonly r: number;
      readonly role: string;
      readonly fill?: string;
    }
  | { readonly kind: "path"; readonly d: string; readonly role: string; readonly fill?: string }
  | {
      readonly kind: "glyph";
      readonly x: number;
      readonly y: number;
      readonly size: number;
      /** A component or shape by name, or how it looks: on a face always the latter. */
      readonly glyph: string | Glyph;
      readonly seat?: number;
      /** Printed faintly, unless it says `clear`. */
      readonly role?: string;
    }
  | {
      readonly kind: "text";
      readonly x: number;
      readonly y: number;
      readonly size: number;
      readonly text: string;
      readonly anchor?: "start" | "middle" | "end";
      readonly role?: string;
      /** The room that it has: longer words are squeezed into it. */
      readonly width?: number;
      readonly isBold?: boolean;
    };

/** One board, mat or row of cards. */
export interface Board {
  readonly id: string;
  /** What it is called, for those who cannot see it too. */
  readonly name: string;
  /** Whose it is; 0: everybody's. */
  readonly seat: number;
  readonly w: number;
  readonly h: number;
  readonly decor: readonly Decor[];
  readonly spots: readonly Spot[];
  readonly marks: readonly Mark[];
  readonly signs?: readonly Sign[];
}

/** How a component is drawn. */
export interface Glyph {
  readonly shape: Shape;
  /** CSS colour of the body. */
  readonly fill: string;
  /** CSS colour of what is on it. */
  readonly ink?: string;
  /** A few letters on it. */
  readonly text?: string;
  /** CSS colour of a ring around it, for what is special among its like. */
  readonly rim?: string;
  /** What is drawn on it: a path in a square of 24 × 24. */
  readonly icon?: string;
  /** The side of that square by the side of the piece; 0.58 if left out. */
  readonly iconSize?: number;
  /** What a card says, in hundredths of its width from its top left corner; it takes the place of icon and letters. */
  readonly face?: readonly Decor[];
  /** Height by width; 1 if left out. */
  readonly aspect?: number;
}

export type Shape = "disc" | "tile" | "card" | "cube" | "house" | "pawn" | "hex" | "tower" | "coin" | "none";

/** The page that a scene is drawn on. */
export interface Page {
  /** Whether boards stand one below the other, as on phones: narrow ones can then be read, and touched. */
  readonly isNarrow: boolean;
}

/** The drawing of a title. */
export interface Skin {
  /** The title's id. */
  readonly title: string;
  /** The boards, in the order in which they are best looked at; those of `seat` (who looks on; 0: nobody) are laid nearest. */
  boards(guide: Guide, table: KnownTable, seat: number, page: Page): Board[];
  /** What the boards depend upon, besides guide and seat: they are made anew only when this changes. */
  depends?(table: KnownTable): string;
  /** How many pixels a unit needs for the smallest print to be read; wider pages show more side by side, others scroll. */
  readonly least?: number;
  /** How a component looks; `undefined`: as the stage draws what it does not know. */
  glyph(component: string, guide: Guide): Glyph | undefined;
}
