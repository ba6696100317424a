import assert from "node:assert/strict";
import { test } from "node:test";
import { endsByResigning, leavesBotsAlone, type SeatState } from "../src/table/leaving.ts";

const person = { bot: "", handedOver: false, resigned: false };
const bot = { ...person, bot: "sensible" };
const away = { ...bot, handedOver: true };
const gone = { ...bot, resigned: true };
const rules = { ...person, bot: "automa" };
const table = (...seats: Omit<SeatState, "seat">[]): SeatState[] =>
  seats.map((each, at) => ({ ...each, seat: at + 1 }));

test("after a resignation the game continues if two seats are left and one of them is a person", () => {
  assert.equal(endsByResigning(table(person, person, person), 1, true), false);
  assert.equal(endsByResigning(table(person, person, bot), 1, true), false);
  assert.equal(endsByResigning(table(person, away, bot), 1, true), false); // can come back
  assert.equal(endsByResigning(table(away, person, bot), 1, true), false);
});

test("otherwise the game ends, also if no bot can take over", () => {
  assert.equal(endsByResigning(table(person, person), 1, true), true);
  assert.equal(endsByResigning(table(person, bot, bot), 1, true), true);
  assert.equal(endsByResigning(table(person, gone, person), 1, true), true);
  assert.equal(endsByResigning(table(person, gone, bot, bot), 1, true), true);
  assert.equal(endsByResigning(table(person, rules), 1, true), true);
  assert.equal(endsByResigning(table(person, person, person), 1, false), true);
});

test("a game without other persons continues with only bots", () => {
  assert.equal(leavesBotsAlone(table(person, bot), 1), true);
  assert.equal(leavesBotsAlone(table(person, away, gone), 1), true);
  assert.equal(leavesBotsAlone(table(bot, person, person), 3), false);
});
