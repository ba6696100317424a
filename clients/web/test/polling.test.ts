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

async function passes(ms: number): Promise<void> {
  mock.timers.tick(ms);
  await settled();
}

/** Return a poller with an interval of a second, and its pending requests, which the test answers. */
function polling() {
  const questions: { signal: AbortSignal; answer: () => void; fail: (error: unknown) => void }[] = [];
  const poller = new Poller(
    (signal) => new Promise((answer, fail) => questions.push({ signal, answer: () => answer(), fail })),
    1000,
  );
  return { poller, questions, end: poller.start() };
}

beforeEach(() => {
  page.hidden = false;
  mock.timers.enable({ apis: ["setTimeout"] });
});
afterEach(() => mock.timers.reset());

test("one question at a time, and the next one after a while", async () => {
  const { poller, questions, end } = polling();
  await passes(60_000);
  assert.equal(questions.length, 1);
  assert.equal(poller.connection, "asking");
  questions[0]?.answer();
  await settled();
  assert.equal(poller.connection, "live");
  await passes(999);
  assert.equal(questions.length, 1);
  await passes(1);
  assert.equal(questions.length, 2);
  end();
  assert.equal(questions[1]?.signal.aborted, true);
});

test("nothing is asked while nobody looks, and at once when somebody does again", async () => {
  const { questions, end } = polling();
  questions[0]?.answer();
  await settled();
  page.hidden = true;
  await passes(600_000);
  assert.equal(questions.length, 1);
  page.hidden = false;
  page.dispatchEvent(new Event("visibilitychange"));
  await settled();
  assert.equal(questions.length, 2);
  end();
});

test("without an answer the waits grow, it is said, and it goes on by itself", async () => {
  const { poller, questions, end } = polling();
  for (const wait of [2000, 4000, 8000]) {
    const asked = questions.length;
    questions.at(-1)?.fail(new Error("nobody there"));
    await settled();
    assert.equal(poller.connection, "lost");
    await passes(wait - 1);
    assert.equal(questions.length, asked);
    await passes(1);
    assert.equal(questions.length, asked + 1);
  }
  questions.at(-1)?.answer();
  await settled();
  assert.equal(poller.connection, "live");
  await passes(1000);
  assert.equal(questions.length, 5);
  end();
});

test("who wants something else does not wait, and what was asked before is given up without being lost", async () => {
  const { poller, questions, end } = polling();
  poller.pollNow();
  assert.equal(questions[0]?.signal.aborted, true);
  questions[0]?.fail(new Error("given up"));
  await settled();
  assert.equal(questions.length, 2);
  assert.equal(poller.connection, "asking");
  end();
});
