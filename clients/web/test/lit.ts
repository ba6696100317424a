/**
 * Prints commands that cannot be clicked on a board, because nothing that they change is drawn. `tests/client/test_lit.py`
 * runs it with a file of catalogue entries, each with positions of games.
 */
import { readFileSync } from "node:fs";
import { EffectSchema, type GetTitleResponse, KnownTable, LegalCommandSchema } from "@boardkeeper/client";
import { TableSchema } from "@boardkeeper/client/gen/boardkeeper/v1/table_pb";
import { create, fromJson, type JsonValue } from "@bufbuild/protobuf";
import { skinOf } from "../src/skins/skins.ts";
import type { Board, Mark } from "../src/stage/scene.ts";
import { Guide } from "../src/table/guide.ts";
import { markerSubjects } from "../src/table/markerSubjects.ts";
import { optionsOf, subjectKey, subjectOf } from "../src/table/selection.ts";
import { en } from "../src/words/en.ts";

interface Position {
  readonly seat: number;
  readonly table: JsonValue;
  /** Commands with their effects. */
  readonly commands: readonly (readonly [name: string, effects: readonly JsonValue[]])[];
}
interface Entry {
  readonly entry: GetTitleResponse;
  readonly positions: readonly Position[];
}

/** Return the keys of all zones, markers and words that boards show. */
function drawnOn(boards: readonly Board[], table: KnownTable, guide: Guide): Set<string> {
  const drawn = new Set<string>();
  for (const { spots, marks, signs = [] } of boards) {
    for (const { zone } of spots) drawn.add(subjectKey({ zone }));
    for (const mark of marks) if (isSeen(mark, table, guide)) drawn.add(subjectKey({ marker: mark.marker }));
    for (const { marker, word } of signs) drawn.add(subjectKey({ marker, word }));
  }
  return drawn;
}

/** Return whether a marker is clickable: it has a token, a written value or a glyph. */
function isSeen(mark: Mark, table: KnownTable, guide: Guide): boolean {
  const value = table.markers.get(mark.marker)?.value;
  if (value === undefined) return false;
  if (mark.kind === "token") return mark.at(value) !== undefined;
  return Boolean(mark.glyph || (mark.write ? mark.write(value) : guide.value(mark.marker, value)));
}

for (const { entry, positions } of JSON.parse(readFileSync(process.argv[2] ?? "", "utf-8")) as Entry[]) {
  const seats = Array.from({ length: entry.players }, (_, index) => ({ seat: index + 1, displayName: "", bot: "" }));
  const guide = new Guide(entry, { seats } as never, en);
  for (const { seat, table: seen, commands } of positions) {
    const table = KnownTable.of(fromJson(TableSchema, seen));
    const drawn = drawnOn(skinOf(guide.title).boards(guide, table, seat, { isNarrow: false }), table, guide);
    const legal = commands.map(([sentence, effects]) =>
      create(LegalCommandSchema, { sentence, effects: effects.map((effect) => fromJson(EffectSchema, effect)) }),
    );
    for (const { command, subjects } of optionsOf(legal, markerSubjects(table, guide))) {
      const places = subjects.map(subjectOf).map((it) => subjectKey("zone" in it ? { zone: it.zone } : it));
      if (!places.some((place) => drawn.has(place)))
        console.log(`${entry.edition}, seat ${seat}: ${command.sentence} changes ${subjects.join(", ")}`);
    }
  }
}
