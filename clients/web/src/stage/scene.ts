/**
 * Types of a scene: boards with places for zones and markers. A skin makes scenes; the stage draws them. Lengths are in
 * units of the board, which the stage scales to the page.
 */
import type { KnownTable } from "@boardkeeper/client";
import type { Guide } from "../table/guide";

/** The value of a marker. */
export type Scalar = number | string;

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** The layout of a zone: single pieces; a heap with a number for each kind; or one back with a number. */
export type Show = "each" | "kinds" | "count";

/** A place for the pieces of a zone. */
export interface Spot {
  readonly zone: string;
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
  /** The side of a piece. */
  readonly size: number;
  readonly show: Show;
  /** Whether pieces overlap with a slight shift, as in a pile; otherwise they are side by side. */
  readonly piled?: boolean;
  /** The start of a row that is not full; centred by default. */
  readonly align?: "start" | "end";
  /** The look of a component at this place, as the name of another component or shape, such as the back of a card. */
  readonly as?: (component: string) => string;
  /** The outline of the spot. */
  readonly outline?: "box" | "slot" | "round" | "ring" | "hex" | "card" | "none";
  /** The component that is printed faintly while the spot is empty. */
  readonly symbol?: string;
  /** A short text beside it. */
  readonly label?: string;
  /** Whether the spot is hidden while it is empty and not clickable. */
  readonly quiet?: boolean;
  /**
   * Positions of single pieces: the `nth` of its kind, which has this `index` among all, from 0. Pieces without a point
   * are laid out as `show` says. Only for spots that draw single pieces.
   */
  readonly at?: (component: string, nth: number, index: number) => Point | undefined;
}

/** A place where a marker shows its value. */
export type Mark = TokenMark | ReadoutMark;

/** A token that is placed according to the value. */
export interface TokenMark {
  readonly kind: "token";
  readonly marker: string;
  /** The owner, for the colour; 0 is none. */
  readonly seat: number;
  /** The name of a component or of a shape of the skin. */
  readonly glyph: string;
  readonly size: number;
  /** Return the place of the token; undefined draws none. */
  readonly at: (value: Scalar) => Point | undefined;
}

/** The value as text. */
export interface ReadoutMark {
  readonly kind: "readout";
  readonly marker: string;
  readonly x: number;
  readonly y: number;
  readonly size: number;
  readonly anchor?: "start" | "middle" | "end";
  /** The component or shape in front of the value. */
  readonly glyph?: string;
  /** Return the text; by default the catalogue's text of the value. */
  readonly write?: (value: Scalar) => string;
}

/** A printed word that is a value of a marker, such as the name of an action; a click on it selects the value. */
export interface Sign {
  readonly marker: string;
  readonly word: string;
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
}

/** Print on a board. `role` is a class of the style sheet or of the skin's style sheet. */
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
      /** The name of a component or shape, or a look; faces of cards need looks. */
      readonly glyph: string | Glyph;
      readonly seat?: number;
      /** Printed faintly, unless it contains `clear`. */
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
      /** The available width; longer words are condensed. */
      readonly width?: number;
      readonly isBold?: boolean;
    };

/** A board, mat or row of cards. */
export interface Board {
  readonly id: string;
  /** The accessible name. */
  readonly name: string;
  /** The owner; 0 for shared boards. */
  readonly seat: number;
  readonly w: number;
  readonly h: number;
  readonly decor: readonly Decor[];
  readonly spots: readonly Spot[];
  readonly marks: readonly Mark[];
  readonly signs?: readonly Sign[];
}

/** The look of a component. */
export interface Glyph {
  readonly shape: Shape;
  /** CSS colour of the body. */
  readonly fill: string;
  /** CSS colour of the print. */
  readonly ink?: string;
  /** A few letters on it. */
  readonly text?: string;
  /** CSS colour of a ring that marks special components. */
  readonly rim?: string;
  /** An icon: a path in a square of 24 × 24. */
  readonly icon?: string;
  /** Side of the icon as a fraction of the piece; 0.58 by default. */
  readonly iconSize?: number;
  /** Print on a card, in hundredths of its width from the top left corner; it replaces icon and letters. */
  readonly face?: readonly Decor[];
  /** Height by width; 1 by default. */
  readonly aspect?: number;
}

export type Shape = "disc" | "tile" | "card" | "cube" | "house" | "pawn" | "hex" | "tower" | "coin" | "none";

/** The page that a scene is drawn on. */
export interface Page {
  /** Whether boards are stacked, as on phones, so that narrow ones remain legible. */
  readonly isNarrow: boolean;
}

/** The drawing of a title. */
export interface Skin {
  /** The title's id. */
  readonly title: string;
  /** Return the boards in reading order; those of `seat` (the viewer; 0 for spectators) are nearest. */
  boards(guide: Guide, table: KnownTable, seat: number, page: Page): Board[];
  /** Return a string of all that the boards depend on besides guide and seat; they are rebuilt when it changes. */
  depends?(table: KnownTable): string;
  /**
   * Pixels for a unit that the smallest print needs. Wider pages show more boards side by side; narrower ones scroll.
   */
  readonly least?: number;
  /** Return the look of a component; `undefined` selects the stage's default. */
  glyph(component: string, guide: Guide): Glyph | undefined;
}
