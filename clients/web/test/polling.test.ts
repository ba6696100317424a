import assert from "node:assert/strict";
import { afterEach, beforeEach, mock, test } from "node:test";
import { Poller } from "../src/lobby/polling.svelte.ts";

// Fakes of browser APIs, and of Svelte's `$state`, which here returns its argument.
const page = Object.assign(new EventTarget(), { hidden: false });
Object.assign(globalThis, {
  $state: Object.assign((value: unknown) => value, { raw: (value: unknown) => value }),
  document: page,
  addEventListener: () => {},
  removeEventListener: () => {},
});

/** Wait until pending promise callbacks have run. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

/** Advance the fake timers, and let their callbacks run. */
async function advance(ms: number): Promise<void> {
  mock.timers.tick(ms);
  await settle();
}

/** Start a poller with an interval of one second. The test answers its `requests`. */
function startPoller() {
  const requests: { signal: AbortSignal; answer: () => void; fail: (error: unknown) => void }[] = [];
  const poller = new Poller(
    (signal) => new Promise((answer, fail) => requests.push({ signal, answer: () => answer(), fail })),
    1000,
  );
  return { poller, requests, stop: poller.start() };
}

beforeEach(() => {
  page.hidden = false;
  mock.timers.enable({ apis: ["setTimeout"] });
});
afterEach(() => mock.timers.reset());

test("one request runs at a time, and the next one starts after the interval", async () => {
  const { poller, requests, stop } = startPoller();
  await advance(60_000);
  assert.equal(requests.length, 1);
  assert.equal(poller.connection, "asking");
  requests[0]?.answer();
  await settle();
  assert.equal(poller.connection, "live");
  await advance(999);
  assert.equal(requests.length, 1);
  await advance(1);
  assert.equal(requests.length, 2);
  stop();
  assert.equal(requests[1]?.signal.aborted, true);
});

test("a hidden page does not poll, and polls immediately when it becomes visible", async () => {
  const { requests, stop } = startPoller();
  requests[0]?.answer();
  await settle();
  page.hidden = true;
  await advance(600_000);
  assert.equal(requests.length, 1);
  page.hidden = false;
  page.dispatchEvent(new Event("visibilitychange"));
  await settle();
  assert.equal(requests.length, 2);
  stop();
});

test("failed requests are repeated with growing delays, and the connection is shown as lost", async () => {
  const { poller, requests, stop } = startPoller();
  for (const delay of [2000, 4000, 8000]) {
    const count = requests.length;
    requests.at(-1)?.fail(new Error("no server"));
    await settle();
    assert.equal(poller.connection, "lost");
    await advance(delay - 1);
    assert.equal(requests.length, count);
    await advance(1);
    assert.equal(requests.length, count + 1);
  }
  requests.at(-1)?.answer();
  await settle();
  assert.equal(poller.connection, "live");
  await advance(1000);
  assert.equal(requests.length, 5);
  stop();
});

test("pollNow aborts the running request, and the connection is not shown as lost", async () => {
  const { poller, requests, stop } = startPoller();
  poller.pollNow();
  assert.equal(requests[0]?.signal.aborted, true);
  requests[0]?.fail(new Error("aborted"));
  await settle();
  assert.equal(requests.length, 2);
  assert.equal(poller.connection, "asking");
  stop();
});
