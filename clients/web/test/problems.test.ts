// A German page has a German text for every message of the verifier; the messages are read from its sources.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { problemInGerman } from "../src/words/problems.ts";

const VERIFIER = new URL("../../typescript/src/verifier/", import.meta.url);
const sources = readdirSync(VERIFIER).map((name) => readFileSync(new URL(name, VERIFIER), "utf-8"));

/** Return the last text of each `throw` and `expect`, and the problems of headers. */
function messages(): string[] {
  const thrown = /(?:expect\((?:[^;]*?),|new Wrong\()\s*(?:`([^`]*)`|"([^"]*)"),?\s*\);/g;
  const headers = /whyNoRecord = [\s\S]*?;\n};/;
  const found: string[] = [];
  for (const source of sources) {
    for (const [, template, text] of source.matchAll(thrown)) found.push(template ?? text ?? "");
    const headerProblems = headers.exec(source)?.[0] ?? "";
    for (const [, text, template] of headerProblems.matchAll(/[?:] (?:"([^"]{9,})"|`([^`]{9,})`)/g))
      found.push(text ?? template ?? "");
  }
  return found.map((text) => text.replace(/\$\{[^}]*\}/g, "7"));
}

test("every message has a German text", () => {
  const all = messages();
  assert.ok(all.length >= 20, `${all.length}: ${all.join("; ")}`);
  const english = all.filter((message) => {
    const german = problemInGerman(message);
    return german.replace(/^Zeile \d+: /, "") === message.replace(/^line \d+: /, "");
  });
  assert.deepEqual(english, []);
});

test("values in messages are kept", () => {
  assert.equal(problemInGerman("line 12: the dice give farmer,monk"), "Zeile 12: Die Würfel ergeben farmer,monk");
  assert.equal(problemInGerman("line 3: seat.1.bag does not hold monk"), "Zeile 3: In seat.1.bag liegt kein monk");
  assert.equal(problemInGerman("something new"), "something new");
});
