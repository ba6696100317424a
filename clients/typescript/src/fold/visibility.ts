/** Who sees what, in the words of `Reveal` (docs/record.md, 2.3). */

/** Stands for a component that the viewer may not know. */
export const HIDDEN = "?";

/** What stands behind a marker is seen as that marker is. */
export const BEHIND = "as:";

/** A viewer, as a table names him: `spectator`, `seat.N`, or `whole` for who sees everything. */
export class Sight {
  private readonly all: boolean;
  private readonly words: ReadonlySet<string>;
  private readonly among: string;

  constructor(readonly viewer: string) {
    this.all = viewer === "whole";
    const seat = /^seat\.(\d+)$/.exec(viewer)?.[1];
    this.words = new Set(seat === undefined ? ["public"] : ["public", `seat.${seat}`, `secret.${seat}`]);
    this.among = `.${seat}.`;
  }

  /** Whether the viewer knows what lies in a zone, or the value of a marker, of that visibility. */
  sees(word: string): boolean {
    return this.all || this.words.has(word) || (word.startsWith("seats.") && `${word}.`.includes(this.among));
  }

  /** Whether the viewer knows how many components lie in a zone of that visibility. */
  counts(word: string): boolean {
    return this.sees(word) || (word !== "nobody" && !word.startsWith("secret."));
  }
}
