/** The lines of a record after the check of their limits (docs/record.md, 2). */

/** An effect in the form of a record. */
export type WrittenEffect =
  | ["m", component: string, count: number, source: string, target: string]
  | ["s", marker: string, before: number | string, after: number | string]
  | ["a", seat: number, before: string, after: string]
  | ["d", zone: string, counter: number, drawn: string[]]
  | ["r", zone: string, counter: number, before: string[], after: string[]]
  | ["v", subject: string, before: string, after: string];

/** A viewer's form of an event. */
export interface Form {
  readonly topic: string;
  readonly detail: { readonly [name: string]: unknown } | null;
  readonly effects: readonly WrittenEffect[];
}

/** The line of an event. */
export interface EventLine {
  readonly version: number;
  readonly seat: number;
  readonly command_id: string;
  readonly time: number;
  readonly event: Form;
  readonly salt: string;
  readonly given: string | null | { commands: [string, unknown][]; salt: string; seat: number };
  readonly parts: readonly (string | null)[];
  readonly link: string;
}

/** The last line. */
export interface Seal {
  readonly events: number;
  readonly head: string;
  readonly key: string;
  readonly key_id: string;
  readonly signature: string;
}

/** The initial table. */
export interface Layout {
  readonly zones: readonly [
    id: string,
    visibility: string,
    contents: Record<string, number>,
    stack: boolean,
    counter: number,
    order: string[],
  ][];
  readonly markers: readonly [id: string, value: number | string, visibility: string][];
  readonly decisions: readonly string[];
  readonly seats: number;
}

/** The settings of the game, from its first event. */
export interface Created {
  readonly layout: Layout;
  readonly seats: readonly string[];
  readonly commitment: string;
  readonly server_key?: string;
}
