/**
 * Draws the tables of setups from their catalogue entries, and tells what no board shows. `tests/client/test_skins.py` runs it
 * with a file of entries; every line that it prints is something that is wrong.
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
    [/\.placed$/, "how a follower came to its space: for taking it back, and seen by nobody"],
    [/^(event|strength)$/, "printed large from the tile that lies open"],
    [
      /\.(technology_placed|farmer_only_technology)$/,
      "counts within a choice that is being made, told in its sentences",
    ],
    [/\.(given_up_draws|draws_made)$/, "counts within the draw that is being made, told in its sentences"],
    [/\.best_development$/, "matters after torture in one reading only, told on the score sheet"],
    [/\.screen$/, "seen by what lies behind it being hidden"],
  ],
  stories: [
    [/\.placed$/, "when a follower came to its space: for taking it back, and seen by nobody"],
    [/^event$/, "printed large from the card that lies open"],
    [/\.(technology_placed|farmer_only_technology)$/, "within a choice that is being made, told in its sentences"],
    [/\.(given_up_draws|draws_made)$/, "counts within the draw that is being made, told in its sentences"],
    [/\.screen$/, "seen by what lies behind it being hidden"],
  ],
  paladins: [
    [/^(orders|favours)\.box$/, "what stays in the box of what lies open on the board"],
    [/^starters$/, "chance names one of them, and the star at a seat shows which"],
    [/\.(moves|moved\.\w+)$/, "how the opponent's attribute markers lie on one another, told when one of them moves"],
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
    if (!inside || !(size > 0)) yield `${spot.zone} does not lie on ${board.id}: ${[x, y, w, h, size]}`;
  }
  for (const { id } of entry.zones) if (!seen.has(id) && !isUndrawn(id)) yield `${id} has no place`;
  const marked = new Set(boards.flatMap(({ marks }) => marks.map(({ marker }) => marker)));
  for (const { id, kind } of entry.markers)
    if (!marked.has(id) && kind !== "internal" && !isUndrawn(id)) yield `${id} is not shown`;
  const drawn = JSON.stringify(boards.map(({ decor }) => decor));
  if (/NaN|undefined/.test(drawn)) yield `something is drawn nowhere: ${/.{60}(NaN|undefined)/.exec(drawn)?.[0]}`;
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
