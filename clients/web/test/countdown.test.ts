import assert from "node:assert/strict";
import { afterEach, beforeEach, mock, test } from "node:test";
import { type ClockValues, Countdown, formatTime } from "../src/table/countdown.ts";
import { startTicker } from "../src/table/ticker.ts";

const page = Object.assign(new EventTarget(), { hidden: false });
Object.assign(globalThis, { document: page });

const stamp = (seconds: number) => ({ seconds: BigInt(Math.floor(seconds)), nanos: Math.round((seconds % 1) * 1e9) });

/** Seat 1's clock runs with 90 s left on the server's clock, which shows 1970; seat 2's is stopped at 25 s. */
const clocks = {
  readTime: stamp(1000.5),
  timeControl: { kind: "game", seconds: 600, increment: 5, onExpiry: "bot" },
  clocks: [
    { seat: 1, remaining: stamp(120), runningSince: stamp(970.5), expireTime: stamp(1090.5) },
    { seat: 2, remaining: stamp(25) },
  ],
} as unknown as ClockValues;

test("only running clocks count down, from their arrival", () => {
  const countdown = new Countdown(clocks, 5000);
  assert.equal(countdown.isRunning, true);
  assert.deepEqual(
    [1, 2, 3].map((seat) => countdown.runs(seat)),
    [true, false, false],
  );
  assert.deepEqual(
    [5000, 6250, 95_000, 200_000].map((now) => countdown.at(1, now)),
    [90_000, 88_750, 0, 0],
  );
  assert.deepEqual(
    [5000, 200_000].map((now) => countdown.at(2, now)),
    [25_000, 25_000],
  );
  assert.equal(countdown.at(3, 5000), undefined);
});

test("time is low below a tenth of the limit, on running clocks", () => {
  const countdown = new Countdown(clocks, 0);
  assert.equal(countdown.isLow(1, 29_999), false);
  assert.equal(countdown.isLow(1, 30_000), true);
  assert.equal(countdown.isLow(2, 30_000), false);
  assert.equal(countdown.isLow(3, 30_000), false);
  const quick = { ...clocks, timeControl: { ...clocks.timeControl, seconds: 20 } } as ClockValues;
  assert.equal(new Countdown(quick, 0).isLow(1, 79_999), false);
  assert.equal(new Countdown(quick, 0).isLow(1, 80_000), true);
});

test("a game without clocks has none", () => {
  const countdown = new Countdown({ clocks: [] } as unknown as ClockValues, 0);
  assert.equal(countdown.isRunning, false);
  assert.equal(countdown.at(1, 0), undefined);
});

test("time is shown in suitable units, and as zero only when it is up", () => {
  const days = (each: number, hours: number) => `${each} d ${hours} h`;
  const shown = (seconds: number) => formatTime(seconds * 1000, days);
  assert.equal(shown(0), "0:00");
  assert.equal(shown(0.001), "0:01");
  assert.equal(shown(9), "0:09");
  assert.equal(shown(59.2), "1:00");
  assert.equal(shown(3599.5), "1:00:00");
  assert.equal(shown(2 * 3600 + 3 * 60 + 4), "2:03:04");
  assert.equal(shown(86_400 + 3600 * 5 + 59), "1 d 5 h");
});

beforeEach(() => {
  page.hidden = false;
  mock.timers.enable({ apis: ["setInterval"] });
});
afterEach(() => mock.timers.reset());

test("the ticker pauses on hidden pages, and continues immediately when they become visible", () => {
  let times = 0;
  const setHidden = (hidden: boolean) => {
    page.hidden = hidden;
    page.dispatchEvent(new Event("visibilitychange"));
  };
  const stop = startTicker(() => times++);
  assert.equal(times, 1);
  mock.timers.tick(1000);
  assert.equal(times, 5);
  setHidden(true);
  mock.timers.tick(60_000);
  assert.equal(times, 5);
  setHidden(false);
  assert.equal(times, 6);
  setHidden(false); // phones fire the event twice
  mock.timers.tick(250);
  assert.equal(times, 8);
  stop();
  mock.timers.tick(1000);
  setHidden(true);
  setHidden(false);
  assert.equal(times, 8);
});
