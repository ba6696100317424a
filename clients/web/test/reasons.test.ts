import assert from "node:assert/strict";
import { test } from "node:test";
import { type Explanation, Rejected } from "@boardkeeper/client";
import { reasonsOf } from "../src/table/reasons.ts";

function rejected(sentence: string, why: string, page: string): Explanation {
  const values = new Map([
    ["rule", "t.planning"],
    ["reference", page],
  ]);
  return { command: undefined, sentence, legal: false, refusal: new Rejected(why, { reason: "NO_SPACE", values }) };
}

test("a reason that several commands share is listed once, with its page", () => {
  const legal: Explanation = { command: undefined, sentence: "Pass", legal: true, refusal: undefined };
  const found = reasonsOf([
    rejected("Place a farmer", "No space is free.", "p. 7"),
    legal,
    rejected("Place a knight", "No space is free.", "p. 7"),
    rejected("Place a knight", "No space is free.", "p. 7"),
    rejected("Place a monk", "No space is free.", "p. 9"),
    rejected("", "It is not your turn.", ""),
  ]);
  assert.deepEqual(
    found.map(({ legal, refusal, commands }) => [legal, refusal?.sentence, (refusal as Rejected)?.reference, commands]),
    [
      [false, "No space is free.", "p. 7", ["Place a farmer", "Place a knight"]],
      [true, undefined, undefined, ["Pass"]],
      [false, "No space is free.", "p. 9", ["Place a monk"]],
      [false, "It is not your turn.", "", []],
    ],
  );
});
