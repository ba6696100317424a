import assert from "node:assert/strict";
import { afterEach, beforeEach, mock, test } from "node:test";
import { Poller } from "../src/lobby/polling.svelte.ts";

// Substitutes for browser APIs. Without Svelte's compiler, `$state` returns the value itself.
const page = Object.assign(new EventTarget(), { hidden: false });
Object.assign(globalThis, {
  $state: Object.assign((value: unknown) => value, { raw: (value: unknown) => value }),
  document: page,
  addEventListener: () => {},
  removeEventListener: () => {},
});

const settled = () => new Promise((resolve) => setImmediate(resolve));

async function advance(ms: number): Promise<void> {
  mock.timers.tick(ms);
  await settled();
}

/** Return a poller with an interval of a second, and its pending requests, which the test answers. */
function polling() {
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

test("one request at a time, and the next one after the interval", async () => {
  const { poller, requests, stop } = polling();
  await advance(60_000);
  assert.equal(requests.length, 1);
  assert.equal(poller.connection, "asking");
  requests[0]?.answer();
  await settled();
  assert.equal(poller.connection, "live");
  await advance(999);
  assert.equal(requests.length, 1);
  await advance(1);
  assert.equal(requests.length, 2);
  stop();
  assert.equal(requests[1]?.signal.aborted, true);
});

test("a hidden page does not poll, and polls immediately when it becomes visible", async () => {
  const { requests, stop } = polling();
  requests[0]?.answer();
  await settled();
  page.hidden = true;
  await advance(600_000);
  assert.equal(requests.length, 1);
  page.hidden = false;
  page.dispatchEvent(new Event("visibilitychange"));
  await settled();
  assert.equal(requests.length, 2);
  stop();
});

test("without an answer the delays grow, the connection is lost, and polling continues", async () => {
  const { poller, requests, stop } = polling();
  for (const wait of [2000, 4000, 8000]) {
    const count = requests.length;
    requests.at(-1)?.fail(new Error("no server"));
    await settled();
    assert.equal(poller.connection, "lost");
    await advance(wait - 1);
    assert.equal(requests.length, count);
    await advance(1);
    assert.equal(requests.length, count + 1);
  }
  requests.at(-1)?.answer();
  await settled();
  assert.equal(poller.connection, "live");
  await advance(1000);
  assert.equal(requests.length, 5);
  stop();
});

test("pollNow aborts the running request, without a lost connection", async () => {
  const { poller, requests, stop } = polling();
  poller.pollNow();
  assert.equal(requests[0]?.signal.aborted, true);
  requests[0]?.fail(new Error("aborted"));
  await settled();
  assert.equal(requests.length, 2);
  assert.equal(poller.connection, "asking");
  stop();
});
