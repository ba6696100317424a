/** Visibilities, in the terms of `Reveal` (docs/record.md, 2.3). */

/** The name of a component that the viewer may not know. */
export const HIDDEN = "?";

/** Prefix of a visibility that is that of a marker. */
export const SAME_AS = "as:";

/** The view of a viewer (`spectator`, `seat.N` or `whole`). */
export class Sight {
  private readonly all: boolean;
  private readonly words: ReadonlySet<string>;
  private readonly seatPart: string;

  constructor(readonly viewer: string) {
    this.all = viewer === "whole";
    const seat = /^seat\.(\d+)$/.exec(viewer)?.[1];
    this.words = new Set(seat === undefined ? ["public"] : ["public", `seat.${seat}`, `secret.${seat}`]);
    this.seatPart = `.${seat}.`;
  }

  /** Return whether the viewer knows the contents of a zone, or the value of a marker, with a visibility. */
  sees(word: string): boolean {
    return this.all || this.words.has(word) || (word.startsWith("seats.") && `${word}.`.includes(this.seatPart));
  }

  /** Return whether the viewer knows the number of components in a zone with a visibility. */
  counts(word: string): boolean {
    return this.sees(word) || (word !== "nobody" && !word.startsWith("secret."));
  }
}
