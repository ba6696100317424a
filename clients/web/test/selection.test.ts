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

test("what is taken lights up first, and where it can go then", () => {
  const choosing = new Selection(options);
  assert.equal(choosing.lit.get(FARMER), 1);
  assert.equal(choosing.lit.get(VILLAGE), 2);
  const { next, act } = choosing.pick(FARMER);
  assert.equal(act, undefined);
  assert.deepEqual([...next.lit.keys()].sort(), [CASTLE, VILLAGE].sort());
});

test("the second click acts where it leaves no doubt", () => {
  const { act } = new Selection(options).pick(FARMER).next.pick(CASTLE);
  assert.equal(act?.command.sentence, "farmer to castle");
});

test("the target may be clicked first", () => {
  const narrowed = new Selection(options).pick(VILLAGE).next;
  assert.equal(narrowed.remaining.length, 2);
  assert.equal(narrowed.pick(MONK).act?.command.sentence, "monk to village");
});

test("one click never acts, a second one on the same thing does, if only one thing can be meant", () => {
  const key = subjectKey({ marker: "passed" });
  const once = new Selection(options).pick(key);
  assert.equal(once.act, undefined);
  assert.equal(once.next.pick(key).act?.command.sentence, "pass");
});

test("a second click where several things can be meant takes the first one back", () => {
  const { next, act } = new Selection(options).pick(FARMER).next.pick(FARMER);
  assert.equal(act, undefined);
  assert.equal(next.remaining.length, options.length);
});

test("a click on another piece begins anew with that one", () => {
  const { next } = new Selection(options).pick(FARMER).next.pick(MONK);
  assert.deepEqual(next.picks, [MONK]);
});

test("a click on what nothing can be done with changes nothing", () => {
  const choosing = new Selection(options).pick(FARMER).next;
  const { next, act } = choosing.pick(subjectKey({ zone: "elsewhere" }));
  assert.equal(act, undefined);
  assert.deepEqual(next.picks, choosing.picks);
});

test("keys are read back as they were written", () => {
  for (const subject of [
    { zone: "a.b" },
    { zone: "a", component: "monk.1" },
    { marker: "m" },
    { marker: "m", word: "w" },
  ]) {
    assert.deepEqual(subjectOf(subjectKey(subject)), subject);
  }
});

test("where a marker would stand is clicked to send it there", () => {
  const journeys = [
    command("to Blois", set("merchant", "orleans", "blois")),
    command("to Briare", set("merchant", "orleans", "briare")),
  ];
  const choosing = new Selection(optionsOf(journeys, (_, town) => ({ zone: `town.${town}` })));
  const merchant = choosing.pick(subjectKey({ marker: "merchant" })).next;
  assert.deepEqual([...merchant.lit.keys()].sort(), ["z|town.blois", "z|town.briare"]);
  assert.equal(merchant.pick("z|town.briare").act?.command.sentence, "to Briare");
});

test("a word that a marker would say is chosen where it is printed", () => {
  const actions = [
    command("develop", set("action", "", "develop"), set("workers", 0, 2)),
    command("trade", set("action", "", "trade"), set("workers", 0, 1)),
  ];
  const choosing = new Selection(optionsOf(actions));
  const develop = subjectKey({ marker: "action", word: "develop" });
  assert.equal(choosing.lit.get(develop), 1);
  assert.equal(choosing.pick(develop).next.pick(develop).act?.command.sentence, "develop");
});

test("a card that a marker would name is taken before the marker", () => {
  const favours = [command("favour", set("action", "", "favour_06"))];
  const card = { zone: "favour.1", component: "favour_06" };
  const choosing = new Selection(optionsOf(favours, () => card));
  assert.equal(choosing.lit.get(subjectKey(card)), 1);
});

test("where chance picks can be clicked, though what it will pick is not known", () => {
  const zone = "seat.1.bag";
  const [option] = optionsOf([command("draw", draw(zone))]);
  assert.deepEqual(option?.subjects, [subjectKey({ zone })]);
});
