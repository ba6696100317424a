/**
 * Draws the tables of setups from their catalogue entries, and prints problems, such as zones that no board shows.
 * `tests/client/test_skins.py` runs it with a file of entries.
 */
import { readFileSync } from "node:fs";
import type { GetTitleResponse, KnownTable } from "@boardkeeper/client";
import { skinOf } from "../src/skins/skins.ts";
import type { Board } from "../src/stage/scene.ts";
import { Guide } from "../src/table/guide.ts";
import { en } from "../src/words/en.ts";

/** Zones and markers that need no place on a board, by title, with the reason. */
const UNDRAWN: Readonly<Record<string, readonly (readonly [ids: RegExp, why: string])[]>> = {
  orleans: [
    [/\.placed$/, "how a follower was placed: only needed to take it back"],
    [/^(event|strength)$/, "printed large from the open tile"],
    [/\.(technology_placed|farmer_only_technology)$/, "counter of the current choice, shown in its sentences"],
    [/\.(given_up_draws|draws_made)$/, "counter of the current draw, shown in its sentences"],
    [/\.best_development$/, "only relevant after torture in one reading, shown on the score sheet"],
    [/\.screen$/, "visible because the components behind it are hidden"],
  ],
  stories: [
    [/\.placed$/, "when a follower was placed: only needed to take it back"],
    [/^event$/, "printed large from the open card"],
    [/\.(technology_placed|farmer_only_technology)$/, "part of the current choice, shown in its sentences"],
    [/\.(given_up_draws|draws_made)$/, "counter of the current draw, shown in its sentences"],
    [/\.screen$/, "visible because the components behind it are hidden"],
  ],
  paladins: [
    [/^(orders|favours)\.box$/, "cards in the box"],
    [/^starters$/, "the random start player has a star"],
    [/\.(moves|moved\.\w+)$/, "the order of the opponent's attribute markers, shown when one of them moves"],
  ],
};

type Piles = Record<string, readonly string[]>;

function tableOf(entry: GetTitleResponse, piles: Piles): KnownTable {
  return {
    decisions: [],
    zones: new Map(
      entry.zones.map(({ id, stack }) => {
        const order = piles[id] ?? [];
        const contents = new Map(order.map((component) => [component, 1]));
        return [id, { id, visibility: "public", stack, seen: true, count: order.length, contents, order }];
      }),
    ),
    markers: new Map(entry.markers.map(({ id }) => [id, { id, visibility: "public", value: 0 }])),
  } as unknown as KnownTable;
}

/** Return tables with place tiles in the supply, or on the mat of one seat. */
function tablesOf(entry: GetTitleResponse): Piles[] {
  const tiles = (zone: (category: string) => string): Piles => {
    const piles: Record<string, string[]> = {};
    for (const { id, kind, values } of entry.components) {
      if (kind !== "place_tile" && kind !== "place_card") continue;
      const pile = zone(String((values as Record<string, unknown>)?.category));
      piles[pile] = [...(piles[pile] ?? []), id];
    }
    return piles;
  };
  const pile = entry.zones.some(({ id }) => id === "cards.I") ? "cards" : "place_tiles";
  return [tiles((category) => `${pile}.${category}`), tiles(() => `seat.${entry.players}.place_tiles`)];
}

function* problemsOf(entry: GetTitleResponse, boards: readonly Board[]): Generator<string> {
  const title = entry.title?.id ?? "";
  const isUndrawn = (id: string) => UNDRAWN[title]?.some(([ids]) => ids.test(id)) ?? false;
  const spots = boards.flatMap((board) => board.spots.map((spot) => ({ board, spot })));
  const seen = new Set<string>();
  for (const { board, spot } of spots) {
    if (seen.has(spot.zone)) yield `${spot.zone} has two places`;
    seen.add(spot.zone);
    const { x, y, w, h, size } = spot;
    const inside = x >= -1 && y >= -1 && x + w <= board.w + 1 && y + h <= board.h + 1;
    if (!inside || !(size > 0)) yield `${spot.zone} is not on ${board.id}: ${[x, y, w, h, size]}`;
  }
  for (const { id } of entry.zones) if (!seen.has(id) && !isUndrawn(id)) yield `${id} has no place`;
  const marked = new Set(boards.flatMap(({ marks }) => marks.map(({ marker }) => marker)));
  for (const { id, kind } of entry.markers)
    if (!marked.has(id) && kind !== "internal" && !isUndrawn(id)) yield `${id} is not shown`;
  const drawn = JSON.stringify(boards.map(({ decor }) => decor));
  if (/NaN|undefined/.test(drawn)) yield `a drawing has an invalid place: ${/.{60}(NaN|undefined)/.exec(drawn)?.[0]}`;
}

for (const entry of JSON.parse(readFileSync(process.argv[2] ?? "", "utf-8")) as GetTitleResponse[]) {
  const seats = Array.from({ length: entry.players }, (_, index) => ({ seat: index + 1, displayName: "", bot: "" }));
  const guide = new Guide(entry, { seats } as never, en);
  for (const isNarrow of [false, true])
    for (const piles of tablesOf(entry)) {
      const boards = skinOf(guide.title).boards(guide, tableOf(entry, piles), 1, { isNarrow });
      for (const problem of problemsOf(entry, boards))
        console.log(`${entry.edition}, ${entry.players} players${isNarrow ? ", narrow" : ""}: ${problem}`);
    }
}
