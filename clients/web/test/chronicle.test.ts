import assert from "node:assert/strict";
import { test } from "node:test";
import { type Effect, type Event, EventSchema } from "@boardkeeper/client";
import { create } from "@bufbuild/protobuf";
import { changedSubjects, hasCommandInForce, roundsOf, valuesOverTime } from "../src/table/chronicle.ts";
import { move, set } from "./tables.ts";

const event = (version: number, ...effects: Effect[]): Event =>
  create(EventSchema, { version: BigInt(version), effects });

const EVENTS = [
  event(5, set("round", 1, 2), set("coins", 3, 4)),
  event(6, set("coins", 4, 1), set("coins", 1, 6)),
  event(7, set("round", 2, 3), set("phase", "action", "event")),
  event(8, set("round", 3, 2)), // undone
  event(9, set("round", 2, 3)),
];

test("a round begins when it is first counted", () => {
  assert.deepEqual(roundsOf(EVENTS, "round"), [
    { round: 2, version: 5 },
    { round: 3, version: 7 },
  ]);
  assert.deepEqual(roundsOf(EVENTS, undefined), []);
});

test("the values of a marker, with the first one", () => {
  assert.deepEqual(valuesOverTime(EVENTS, 4, "coins"), [
    [4, 3],
    [5, 4],
    [6, 1],
    [6, 6],
  ]);
  assert.deepEqual(valuesOverTime(EVENTS, 4, "phase"), []);
});

test("an event changes the target zones, the moved pieces and the markers", () => {
  const changed = changedSubjects(event(9, move("farmer", "bag", "market"), set("coins", 1, 2)));
  assert.deepEqual([...changed], ["z|market", "p|market|farmer", "m|coins"]);
});

test("a seat can undo its commands that are not undone yet", () => {
  const own = (version: number, seat: number, more: object = {}) =>
    create(EventSchema, { version: BigInt(version), seat, commandId: `c${version}`, ...more });
  const undone = (version: number, firstVersion: number) =>
    own(version, 1, {
      name: "Undone",
      detail: { detail: { case: "undone", value: { firstVersion: BigInt(firstVersion) } } },
    });
  const handed = own(9, 1, { name: "SeatHandedToBot", detail: { detail: { case: "seatHandedToBot", value: {} } } });
  const setup = create(EventSchema, { version: 2n, seat: 1, name: "HandDealt" });
  assert.equal(hasCommandInForce([setup], 1), false);
  assert.equal(hasCommandInForce([setup, own(3, 2)], 1), false);
  assert.equal(hasCommandInForce([setup, own(3, 1)], 1), true);
  assert.equal(hasCommandInForce([setup, own(3, 1), own(4, 2), undone(5, 3)], 1), false);
  assert.equal(hasCommandInForce([setup, own(3, 1), own(4, 1), undone(5, 4)], 1), true);
  assert.equal(hasCommandInForce([setup, handed], 1), true);
});
