import assert from "node:assert/strict";
import { test } from "node:test";
import { optionsOf, Selection, subjectKey, subjectOf } from "../src/table/selection.ts";
import { command, draw, move, set } from "./tables.ts";

const FARMER = subjectKey({ zone: "market", component: "farmer" });
const MONK = subjectKey({ zone: "market", component: "monk" });
const VILLAGE = subjectKey({ zone: "village" });
const CASTLE = subjectKey({ zone: "castle" });

const options = optionsOf([
  command("farmer to village", move("farmer", "market", "village")),
  command("farmer to castle", move("farmer", "market", "castle")),
  command("monk to village", move("monk", "market", "village")),
  command("pass", set("passed", 0, 1)),
]);

test("first the pieces are highlighted, then their targets", () => {
  const choosing = new Selection(options);
  assert.equal(choosing.lit.get(FARMER), 1);
  assert.equal(choosing.lit.get(VILLAGE), 2);
  const { next, act } = choosing.pick(FARMER);
  assert.equal(act, undefined);
  assert.deepEqual([...next.lit.keys()].sort(), [CASTLE, VILLAGE].sort());
});

test("the second click acts if it is unambiguous", () => {
  const { act } = new Selection(options).pick(FARMER).next.pick(CASTLE);
  assert.equal(act?.command.sentence, "farmer to castle");
});

test("the target can be clicked first", () => {
  const narrowed = new Selection(options).pick(VILLAGE).next;
  assert.equal(narrowed.remaining.length, 2);
  assert.equal(narrowed.pick(MONK).act?.command.sentence, "monk to village");
});

test("a second click on the same item acts if it is unambiguous, and one click never acts", () => {
  const key = subjectKey({ marker: "passed" });
  const once = new Selection(options).pick(key);
  assert.equal(once.act, undefined);
  assert.equal(once.next.pick(key).act?.command.sentence, "pass");
});

test("an ambiguous second click cancels the first one", () => {
  const { next, act } = new Selection(options).pick(FARMER).next.pick(FARMER);
  assert.equal(act, undefined);
  assert.equal(next.remaining.length, options.length);
});

test("a click on another piece restarts with that piece", () => {
  const { next } = new Selection(options).pick(FARMER).next.pick(MONK);
  assert.deepEqual(next.picks, [MONK]);
});

test("a click on an item without commands changes nothing", () => {
  const choosing = new Selection(options).pick(FARMER).next;
  const { next, act } = choosing.pick(subjectKey({ zone: "elsewhere" }));
  assert.equal(act, undefined);
  assert.deepEqual(next.picks, choosing.picks);
});

test("keys are parsed as they are written", () => {
  for (const subject of [
    { zone: "a.b" },
    { zone: "a", component: "monk.1" },
    { marker: "m" },
    { marker: "m", word: "w" },
  ]) {
    assert.deepEqual(subjectOf(subjectKey(subject)), subject);
  }
});

test("the new place of a marker can be clicked", () => {
  const journeys = [
    command("to Blois", set("merchant", "orleans", "blois")),
    command("to Briare", set("merchant", "orleans", "briare")),
  ];
  const choosing = new Selection(optionsOf(journeys, (_, town) => ({ zone: `town.${town}` })));
  const merchant = choosing.pick(subjectKey({ marker: "merchant" })).next;
  assert.deepEqual([...merchant.lit.keys()].sort(), ["z|town.blois", "z|town.briare"]);
  assert.equal(merchant.pick("z|town.briare").act?.command.sentence, "to Briare");
});

test("the new word of a marker can be clicked where it is printed", () => {
  const actions = [
    command("develop", set("action", "", "develop"), set("workers", 0, 2)),
    command("trade", set("action", "", "trade"), set("workers", 0, 1)),
  ];
  const choosing = new Selection(optionsOf(actions));
  const develop = subjectKey({ marker: "action", word: "develop" });
  assert.equal(choosing.lit.get(develop), 1);
  assert.equal(choosing.pick(develop).next.pick(develop).act?.command.sentence, "develop");
});

test("a card that a marker would name is preferred to the marker", () => {
  const favours = [command("favour", set("action", "", "favour_06"))];
  const card = { zone: "favour.1", component: "favour_06" };
  const choosing = new Selection(optionsOf(favours, () => card));
  assert.equal(choosing.lit.get(subjectKey(card)), 1);
});

test("the zone of a random draw can be clicked, although its result is unknown", () => {
  const zone = "seat.1.bag";
  const [option] = optionsOf([command("draw", draw(zone))]);
  assert.deepEqual(option?.subjects, [subjectKey({ zone })]);
});
