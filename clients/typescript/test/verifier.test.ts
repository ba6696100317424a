// Results of the verifier: levels, problems, and the derivation of each draw.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { type Draw, picks, verifyRecord } from "@boardkeeper/client/verifier";

const example = (name: string): Buffer =>
  readFileSync(new URL(`../../../docs/record.example${name}.jsonl`, import.meta.url));

const statuses = (levels: readonly { level: string; status: string }[]) =>
  Object.fromEntries(levels.map((it) => [it.level, it.status]));

test("a whole record passes all checks without rules, and shows its draws", async () => {
  const found = await verifyRecord(example(""));
  assert.equal(found.holds, true);
  assert.deepEqual(found.problems, []);
  assert.deepEqual(statuses(found.levels), {
    "well-formed": "holds",
    chained: "holds",
    signed: "holds",
    conserved: "not checked",
    fair: "holds",
    decided: "not checked",
  });
  assert.ok(found.draws.length > 0);
  for (const draw of found.draws) {
    const steps = picks(draw, found.diceKey);
    assert.deepEqual(outcome(draw, steps), draw.outcome);
    for (const { attempts, candidates, limit, bound, index, counter } of steps) {
      const value = BigInt(`0x${attempts.at(-1)!.hmac.slice(0, 16)}`);
      assert.ok(value < BigInt(`0x${limit}`));
      assert.equal(Number(value % BigInt(bound)), index);
      assert.equal(attempts.at(-1)!.text, `${draw.zone}:${counter}:${attempts.length - 1}`);
      assert.ok(candidates.length >= bound);
    }
  }
});

/** Return the outcome of a draw's steps. */
function outcome(draw: Draw, steps: ReturnType<typeof picks>): string[] {
  if (draw.kind === "draw") return steps.map((it) => it.picked);
  const order = [...draw.before];
  for (const { index, swapped } of steps) [order[index], order[swapped]] = [order[swapped]!, order[index]!];
  return order;
}

test("the draws of a seat's record are not yet checked", async () => {
  const found = await verifyRecord(example(".seat-2"));
  assert.deepEqual([found.holds, found.viewer, found.waits], [true, "seat.2", "the whole record"]);
  assert.equal(statuses(found.levels).fair, "not yet");
  assert.deepEqual(found.draws, []);
});

test("a forged record is reported with level, line and problem", async () => {
  const text = example("").toString();
  for (const [forged, level, line] of [
    [text.replace('"coin",1', '"coin",2'), "chained", undefined],
    [text.replace(/("signature":")./, "$1f"), "signed", 0],
    [text.replace('"version":3', '"version":4'), "well-formed", 4],
    [text.slice(0, -1), "well-formed", 0],
  ] as const) {
    assert.notEqual(forged, text);
    const found = await verifyRecord(Buffer.from(forged));
    assert.equal(found.holds, false);
    assert.equal(found.problems.length, 1);
    assert.equal(found.problems[0]!.level, level);
    if (line !== undefined) assert.equal(found.problems[0]!.line, line);
    assert.equal(statuses(found.levels)[level], "fails");
    assert.equal(statuses(found.levels).fair, "not checked");
  }
});

test("bytes that are not a record have a message", async () => {
  for (const bytes of [
    Uint8Array.of(),
    Uint8Array.of(0xff, 0xfe, 0x0a),
    Buffer.from("{}\n"),
    Buffer.from("null\nnull\n"),
  ]) {
    const found = await verifyRecord(bytes);
    assert.equal(found.holds, false);
    assert.ok(found.problems[0]!.message);
  }
});

test("the verification can be aborted", async () => {
  const signal = AbortSignal.abort(new Error("enough"));
  const many = Buffer.from(`${example("").toString().split("\n")[0]}\n${'{"a":1}\n'.repeat(60_000)}`);
  let progress = 0;
  await assert.rejects(verifyRecord(many, { signal, onProgress: () => progress++ }), /enough/);
});
