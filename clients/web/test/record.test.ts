// Records in a page: the template language, partial reading of lines, and embedded records.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Verified } from "@boardkeeper/client/verifier";
import { catalogueOf } from "../src/record/library.ts";
import { NoRecord, type ReadRecord, readRecord } from "../src/record/readRecord.ts";
import { soundUntil } from "../src/record/recordSource.ts";
import { type ExportedWords, parse, Sentences } from "../src/record/sentences.ts";
import { decodeText } from "../src/viewer/embeddedRecord.ts";

const words = (events: Record<string, string>, parts: Record<string, string> = {}): ExportedWords => ({
  forms: { name: { monk: "Monk" }, a: { monk: "a monk" }, many: { monk: "monks" }, no: {} },
  numbers: { coins: { none: "no coins", one: "1 coin", many: "{} coins" } },
  fallbacks: { no: "no “{}”" },
  joints: { and: "and", nothing: "nothing", seat: "Seat {}" },
  templates: { events, parts },
  defaults: { Paid: { coins: 0 } },
});

function render(template: string, detail: Record<string, unknown>, names: string[] = []): string {
  return new Sentences(words({ Paid: template }, { piece: "{kind|a}", entry: "{key}: {value}" })).event(
    "Paid",
    2,
    detail,
    names,
  );
}

test("fields are rendered as names, numbers, seats and lists in their forms", () => {
  assert.equal(render("{seat} pays {coins|coins}", { coins: 2 }, ["Anna", "Björn"]), "Björn pays 2 coins");
  assert.equal(render("{seat} pays {coins|coins}", {}), "Seat 2 pays no coins");
  assert.equal(render("{of|a}", { of: ["monk", "monk", "town_hall"] }), "2 monks and town hall");
  assert.equal(render("{of|a}", { of: [] }), "nothing");
  assert.equal(render("{of|no}", { of: "town_hall" }), "no “town hall”");
  assert.equal(render("{to|seat}", { to: [1, 2] }, ["Anna"]), "Anna and Seat 2");
  assert.equal(render("{of|piece}", { of: [{ kind: "monk" }, { kind: "monk" }] }), "a monk and a monk");
  assert.equal(render("{of|entry}", { of: { b: 2, c: 3 } }), "b: 2 and c: 3");
  assert.equal(render("{of|entry}", { of: [7] }), "1: 7");
});

test("parts appear if their fields are set, or if their conditions hold", () => {
  const template = "Paid[ for {what}][{?late} too late][{!late} in time]< {a};, {b}>.";
  assert.equal(render(template, { what: "", late: true, a: 0, b: "" }), "Paid too late.");
  assert.equal(render(template, { what: "x", late: false, a: 1, b: "y" }), "Paid for x in time 1 and , y.");
  assert.throws(() => render("{missing}", {}), /missing/);
});

test("names of object properties are not templates", () => {
  assert.equal(render("{of|a}", { of: "constructor" }), "constructor");
  assert.equal(new Sentences(words({})).event("toString", 1, {}, []), "toString");
});

test("templates with unbalanced brackets are rejected", () => {
  for (const template of ["[a", "a]", "<a", "<a]", "[a>"]) assert.throws(() => parse(template), template);
});

test("files that are not records are rejected", () => {
  const bytes = (text: string) => new TextEncoder().encode(text);
  const header = '{"format":1,"game":"g","record":"boardkeeper-record","viewer":"whole"}';
  for (const text of ["", "null", "[]", "<html>", header, `${header}\n{}`, `${header}\n{"version":1,"event":null}`])
    assert.throws(() => readRecord(bytes(text)), NoRecord, text);
});

test("an embedded record is decoded without changes", () => {
  const guarded = (text: string) => text.replaceAll("<", "\\u003c");
  for (const text of ['{"a":"</script>"}', '{"a":"\\\\u003c<"}', '{"a":"\\\\\\\\<"}', '{"a":"\\"<"}'])
    assert.equal(decodeText(guarded(text)), text);
});

test("a record is shown up to the version before the first wrong line", () => {
  const until = (brokenAt: number, ...lines: number[]) =>
    soundUntil({ brokenAt } as ReadRecord, { problems: lines.map((line) => ({ line })) } as unknown as Verified);
  assert.equal(until(0), Number.POSITIVE_INFINITY);
  assert.equal(until(0, 0), Number.POSITIVE_INFINITY, "the signature belongs to no line");
  assert.equal(until(0, 102), 100); // line 2 is version 1
  assert.equal(until(60, 102), 58);
  assert.equal(soundUntil({ brokenAt: 5 } as ReadRecord, undefined), 3);
});

test("the catalogue is that of the setup, or has only ids for unknown titles", async () => {
  const zone = (id: string, text: string) => ({ id, text });
  const exported = {
    catalogue: { title: { id: "t", text: "T" }, edition: "e", zones: [zone("a", "A"), zone("b", "B")] },
    variants: [
      { of: { players: 2 }, zones: [zone("b", "B of two")] },
      { of: { options: { far: "yes" } }, zones: [zone("c", "C")], markers: [{ id: "m", text: "M", seat: 1 }] },
      { of: { readings: { open: "no" } }, zones: [zone("a", "never")] },
    ],
  };
  const library = { read: async (name: string) => (name === "t.e.en" ? exported : undefined) };
  const setup = { edition: "e", players: 2, options: { far: "yes" }, readings: { open: "yes" } };
  const found = await catalogueOf(library, "t", setup, "en");
  assert.deepEqual(
    found.zones.map(({ text }) => text),
    ["A", "B of two", "C"],
  );
  assert.deepEqual(
    found.markers.map(({ id, seat }) => [id, seat]),
    [["m", 1]],
  );
  const other = await catalogueOf(library, "x", setup, "en");
  assert.deepEqual([other.title?.text, other.zones.length], ["x", 0]);
});
