/** Requirements of the drawing of Paladins beyond completeness, checked on layouts of golden games. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { paladins } from "../src/skins/paladins/paladins.ts";
import { glyphsOf } from "../src/stage/glyphs.ts";
import type { Board } from "../src/stage/scene.ts";
import type { Guide } from "../src/table/guide.ts";
import { tableOf } from "./tables.ts";

type Layout = { zones: [string, string, Record<string, number>, boolean][]; markers: [string, ...unknown[]][] };

/** Return the layout in the first event of a golden game. Node cannot decompress xz, Python can. */
function layoutOf(game: string): Layout {
  const file = new URL(`../../../tests/golden/paladins/${game}.jsonl.xz`, import.meta.url);
  const program = "import lzma, sys; sys.stdout.write(lzma.open(sys.argv[1], 'rt', encoding='utf-8').readline())";
  return JSON.parse(execFileSync("python3", ["-c", program, fileURLToPath(file)], { encoding: "utf-8" }))[5].layout;
}

/** Return a guide with spaces only, each in the region that its id names. */
function guideOf(zones: readonly string[]): Guide {
  const spaces = zones.filter((id) => id.startsWith("space.")).map((id) => id.slice(6));
  const entry = (id: string) => [id, { id, kind: "space", text: id, values: { region: Number(id[1]) } }] as const;
  return {
    components: new Map(spaces.map(entry)),
    text: (component: string) => component,
    nameOf: (seat: number) => `seat ${seat}`,
  } as unknown as Guide;
}

async function draw(game: string, seat: number): Promise<{ boards: Board[]; guide: Guide }> {
  const { zones, markers } = layoutOf(game);
  const guide = guideOf(zones.map(([id]) => id));
  const table = tableOf(Object.fromEntries(zones.map(([id, , contents]) => [id, contents])));
  for (const [id] of markers) table.markers.set(id, { id, visibility: "public", value: 1 });
  return { boards: paladins.boards(guide, table, seat, { isNarrow: false }), guide };
}

test("places are large enough for a finger", async () => {
  const { boards } = await draw("sensible-4p", 2);
  const places = boards.flatMap(({ spots }) => spots).filter(({ quiet, zone }) => !quiet && !zone.includes(".jar."));
  assert.ok(places.length > 250);
  for (const { zone, w, h } of places) assert.ok(w >= 23 && h >= 23, `${zone} is ${w} × ${h}`);
});

test("the first mat is that of the viewer", async () => {
  for (const seat of [1, 3]) {
    const { boards } = await draw("sensible-4p", seat);
    assert.deepEqual(boards.map((board) => board.seat).filter(Boolean)[0], seat);
  }
});

test("everything that can be due has icons", async () => {
  const { boards, guide } = await draw("sensible-1p", 1);
  const glyphs = glyphsOf(paladins, guide);
  const due = boards
    .flatMap(({ marks }) => marks)
    .filter(({ marker, kind }) => kind === "token" && /\bdue\./.test(marker));
  assert.ok(due.length > 30);
  for (const { marker, glyph } of due) assert.ok((glyphs(glyph ?? "").face ?? []).length > 0, marker);
});

test("no marker has two marks of the same kind, because the stage identifies marks by both", async () => {
  for (const players of [1, 2, 3, 4]) {
    const { boards } = await draw(`sensible-${players}p`, 1);
    const marks = boards.flatMap((board) => board.marks.map(({ kind, marker }) => `${kind} ${marker}`));
    assert.deepEqual(
      marks.filter((mark, at) => marks.indexOf(mark) !== at),
      [],
    );
  }
});

test("inactive states are not written", async () => {
  const { boards } = await draw("sensible-2p", 1);
  const marks = boards.flatMap((board) => board.marks);
  for (const [marker, nothing] of [
    ["action", ""],
    ["inquisition", ""],
    ["action_workers", 0],
  ] as const) {
    const mark = marks.find((each) => each.marker === marker);
    assert.ok(mark?.kind === "readout");
    assert.equal(mark.write?.(nothing), "", marker);
  }
});
