/** Small tables, commands and effects for tests. */

import { type Effect, EffectSchema, type KnownTable, type LegalCommand, LegalCommandSchema } from "@boardkeeper/client";
import { create } from "@bufbuild/protobuf";

export function move(component: string, source: string, target: string, count = 1): Effect {
  return create(EffectSchema, { effect: { case: "move", value: { component, count, source, target } } });
}

export function set(marker: string, before: number | string, after: number | string): Effect {
  const scalar = (value: number | string) => ({
    value:
      typeof value === "string" ? { case: "word" as const, value } : { case: "number" as const, value: BigInt(value) },
  });
  return create(EffectSchema, {
    effect: { case: "set", value: { marker, before: scalar(before), after: scalar(after) } },
  });
}

/** Return a draw whose result is hidden. */
export function draw(zone: string): Effect {
  return create(EffectSchema, { effect: { case: "draw", value: { zone, drawn: ["?"] } } });
}

export function command(sentence: string, ...effects: Effect[]): LegalCommand {
  return create(LegalCommandSchema, { sentence, effects });
}

/** Return a table of piles, each with contents or a number of components. */
export function tableOf(zones: Record<string, Record<string, number> | number>): KnownTable {
  return {
    markers: new Map(),
    decisions: [],
    zones: new Map(
      Object.entries(zones).map(([id, held]) => {
        const seen = typeof held === "object";
        const contents = new Map(seen ? Object.entries(held) : []);
        const count = seen ? [...contents.values()].reduce((sum, each) => sum + each, 0) : held;
        return [id, { id, visibility: "public", stack: false, seen, count, contents, order: [], draws: 0 }];
      }),
    ),
  } as unknown as KnownTable;
}
