/** Looks and faces from data, and the data files of the skins. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Looks, type LooksData, type Part } from "../src/skins/faces.ts";
import { ICONS } from "../src/skins/followers/icons.ts";
import paladins from "../src/skins/paladins/paladins.json" with { type: "json" };
import stories from "../src/skins/stories/stories.json" with { type: "json" };
import type { Glyph } from "../src/stage/scene.ts";
import type { Guide } from "../src/table/guide.ts";

const FILES: readonly (readonly [string, LooksData])[] = [
  ["paladins", paladins as LooksData],
  ["stories", { ...stories, icons: { ...ICONS, ...stories.icons } } as LooksData],
];

/** Return a guide with components of the kind `card` and these values. */
function guideOf(components: Record<string, Record<string, unknown>>): Guide {
  const entries = Object.entries(components).map(([id, values]) => [id, { id, kind: "card", text: id, values }]);
  return { components: new Map(entries as never), text: (id: string) => `the ${id}` } as unknown as Guide;
}

/** Return the face of a card with these parts and values. */
function faceOf(face: readonly Part[], values: Record<string, unknown>, more: Partial<LooksData> = {}) {
  const looks = new Looks({
    icons: { coin: "M0 0", sword: "M1 1" },
    kinds: { card: { shape: "card", face } },
    ...more,
  });
  return looks.glyph("x", guideOf({ x: values }))?.face ?? [];
}

test("texts are filled with facts of the component", () => {
  const [one, other] = faceOf([{ text: "{name}: {points}", at: [1, 2] }, { text: "{absent}" }], { points: 3 });
  assert.ok(one?.kind === "text" && other?.kind === "text");
  assert.deepEqual([one.text, one.x, one.y, other.text], ["the x: 3", 1, 2, ""]);
});

test("parts with conditions are drawn only if the fact is given, or not given", () => {
  const face: Part[] = [
    { text: "if", if: "fact" },
    { text: "unless", unless: "fact" },
  ];
  const drawn = (fact: unknown) => faceOf(face, { fact }).map((it) => it.kind === "text" && it.text);
  for (const given of [1, "word", ["word"]]) assert.deepEqual(drawn(given), ["if"]);
  for (const absent of [0, "", [], undefined]) assert.deepEqual(drawn(absent), ["unless"]);
});

test("items stand in a row around a point, or in columns", () => {
  const places = (part: Part) =>
    faceOf([{ each: "items", step: 10, token: "{it}", at: [50, 5], ...part }], { items: ["a", "b", "c"] }).map((it) =>
      it.kind === "glyph" ? [it.x, it.y] : [],
    );
  assert.deepEqual(places({}), [
    [40, 5],
    [50, 5],
    [60, 5],
  ]);
  assert.deepEqual(places({ columns: 2 }), [
    [50, 5],
    [60, 5],
    [50, 15],
  ]);
});

test("shared parts move to the point, and numbers become tokens", () => {
  const parts = { price: [{ rect: [0, 0, 10, 10] }, { repeat: ["coin", "sword"], at: [5, 5], size: 4 }] };
  const drawn = faceOf([{ parts: "price", at: [20, 30] }], { coin: 2, sword: 1 }, { parts });
  assert.deepEqual(
    drawn.map((it) => [it.kind, "y" in it && it.y]),
    [["rect", 30], ...Array(3).fill(["glyph", 35])],
  );
});

test("a look is found by id, by prefix, and by kind, in this order", () => {
  const looks = new Looks({
    icons: {},
    components: { "back.a": { fill: "by id" } },
    prefixes: { back: { fill: "by prefix {id}" } },
    kinds: { card: { fill: "by kind" } },
  });
  const fills = ["back.a", "back.b", "c", "d"].map((id) => looks.glyph(id, guideOf({ c: {} }))?.fill);
  assert.deepEqual(fills, ["by id", "by prefix b", "by kind", undefined]);
});

const KEYS = new Set(
  (
    "rect text lines icon token gains repeat choices parts each step columns if unless at size room width r fill ink " +
    "role bold"
  ).split(" "),
);

test("data files have no unknown keys, and name icons and parts that exist", () => {
  for (const [title, data] of FILES) {
    const looks = [data.components, data.prefixes, data.kinds].flatMap((each) => Object.values(each ?? {}));
    const parts = [...looks.flatMap(({ face }) => face ?? []), ...Object.values(data.parts ?? {}).flat()];
    assert.ok(looks.length > 10 && parts.length > 4);
    for (const part of parts) for (const key of Object.keys(part)) assert.ok(KEYS.has(key), `${title}: ${key}`);
    for (const name of parts.flatMap((part) => part.parts ?? [])) assert.ok(data.parts?.[name], `${title}: ${name}`);
    const icons = [...looks, ...parts].flatMap((it: { icon?: string | undefined }) => it.icon ?? []);
    for (const icon of icons) assert.ok(icon.includes("{") || data.icons[icon], `${title}: ${icon}`);
  }
});

test("components without a face keep what their look says", () => {
  const looks = new Looks({
    icons: { tower: "M2 2" },
    components: { keep: { shape: "tile", icon: "tower", text: "{id}" } },
  });
  const glyph: Glyph = { shape: "tile", fill: "none", icon: "M2 2", text: "keep" };
  assert.deepEqual(looks.glyph("keep", guideOf({})), glyph);
});
