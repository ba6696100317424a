// A watched game: no event is missed or repeated after any failure of the connection.
import assert from "node:assert/strict";
import { test } from "node:test";
import { BoardkeeperError, GameStatus, Unauthenticated, Unavailable } from "@boardkeeper/client";
import { Code, ConnectError } from "@connectrpc/connect";
import { all, event, failure, GAME, heartbeat, served } from "./fakes.ts";

const getGame = () => ({ game: { gameId: GAME } });
const gone = () => new ConnectError("gone", Code.Unavailable);

/** Return handlers whose streams follow the scripts one after another, and the `after` version of each request. */
function streams(...scripts: ((after: number) => Generator<ReturnType<typeof event | typeof heartbeat>>)[]) {
  const requests: number[] = [];
  const watchGame = async function* ({ afterVersion }: { afterVersion: bigint }) {
    const script = scripts[requests.length];
    requests.push(Number(afterVersion));
    assert.ok(script, "too many requests");
    yield* script(Number(afterVersion));
  };
  return { requests, games: { watchGame, getGame } };
}

test("a broken stream continues after the last event", async () => {
  const states: string[] = [];
  const { requests, games } = streams(
    function* () { yield event(1); yield event(2); throw gone(); },
    function* () { throw gone(); },
    function* () { yield event(3); }, // the server ends the stream before the end of the game
    function* () { yield heartbeat(3); yield event(4); yield event(5, "GameEnded"); },
  ); // biome-ignore format: a line each
  const updates = await all(
    served(games)
      .viewer(GAME)
      .watch({ onState: (state) => states.push(state) }),
  );
  assert.deepEqual(requests, [0, 2, 2, 3]);
  assert.deepEqual(
    updates.filter((it) => it.kind === "event").map((it) => it.version),
    [1, 2, 3, 4, 5],
  );
  assert.equal(updates.filter((it) => it.kind === "heartbeat").length, 1);
  assert.equal(states[0], "live");
  assert.equal(states.at(-1), "live");
  assert.ok(
    states.every((it, at) => it !== states[at - 1]),
    "only changes are reported",
  );
  assert.ok(states.includes("waiting"));
});

test("a repeated event is yielded once, and a missing event is an error", async () => {
  const twice = streams(function* () {
    yield event(1);
    yield event(1);
    yield event(2, "GameEnded");
  });
  assert.deepEqual(
    (await all(served(twice.games).viewer(GAME).watch())).map((it) => it.version),
    [1, 2],
  );
  const gap = streams(function* () {
    yield event(1);
    yield event(3);
  });
  await assert.rejects(all(served(gap.games).viewer(GAME).watch()), (error: BoardkeeperError) => {
    assert.ok(error instanceof BoardkeeperError);
    assert.match(error.message, /event 2 .* missing/);
    return true;
  });
});

test("watching after the last event ends immediately", async () => {
  const requests: bigint[] = [];
  const client = served({
    getGame: () => ({ game: { gameId: GAME, status: GameStatus.ENDED, version: 7n } }),
    async *watchGame({ afterVersion }) {
      requests.push(afterVersion);
    },
  });
  assert.deepEqual(await all(client.viewer(GAME).watch({ after: 7 })), []);
  assert.deepEqual(requests, [7n]);
});

test("a permanent error is thrown", async () => {
  const { requests, games } = streams(function* () {
    yield event(1);
    throw failure(Code.Unauthenticated, "TOKEN_EXPIRED");
  });
  await assert.rejects(all(served(games).viewer(GAME, "old").watch()), Unauthenticated);
  assert.deepEqual(requests, [0]);
});

test("a slow reader continues after its last event", async () => {
  const { requests, games } = streams(
    function* () { yield event(1); throw failure(Code.ResourceExhausted, "TOO_SLOW", { values: { version: "1" } }); },
    function* () { yield event(2, "GameEnded"); },
  ); // biome-ignore format: a line each
  assert.equal((await all(served(games).viewer(GAME).watch())).length, 2);
  assert.deepEqual(requests, [0, 1]);
});

test("a silent connection is replaced", async () => {
  const requests: bigint[] = [];
  let waiting: BoardkeeperError | undefined;
  const client = served({
    getGame,
    async *watchGame({ afterVersion }, { signal }) {
      requests.push(afterVersion);
      if (requests.length > 1) return yield event(2, "GameEnded");
      yield event(1);
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
    },
  });
  const onState = (_: string, error?: BoardkeeperError) => {
    waiting ??= error;
  };
  assert.equal((await all(client.viewer(GAME).watch({ silenceMs: 50, onState }))).length, 2);
  assert.deepEqual(requests, [0n, 1n]);
  assert.ok(waiting instanceof Unavailable);
});

test("a slow reader does not count as a silent connection", async () => {
  const { requests, games } = streams(function* () {
    yield event(1);
    yield event(2, "GameEnded");
  });
  const seen: number[] = [];
  for await (const { version } of served(games).viewer(GAME).watch({ silenceMs: 30 })) {
    seen.push(version);
    await new Promise((resolve) => setTimeout(resolve, 60));
  }
  assert.deepEqual([seen, requests], [[1, 2], [0]]);
});

test("reconnection ends after the retry timeout, also with its deprecated name", async () => {
  for (const options of [{ retryTimeoutMs: 150 }, { patienceMs: 150 }]) {
    const client = served({
      async *watchGame() {
        throw gone();
      },
    });
    await assert.rejects(all(client.viewer(GAME).watch(options)), Unavailable);
  }
});

test("watching ends with its signal, its client and its reader", async () => {
  const ended: string[] = [];
  const client = served({
    getGame,
    async *watchGame(_, { signal }) {
      yield event(1);
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
      ended.push("stream");
    },
  });
  const viewer = client.viewer(GAME);
  const aborter = new AbortController();
  await assert.rejects(async () => {
    for await (const _ of viewer.watch({ signal: aborter.signal })) aborter.abort(new Error("enough"));
  }, /enough/);
  for await (const _ of viewer.watch()) break;
  await assert.rejects(
    async () => {
      for await (const _ of viewer.watch()) client.close();
    },
    { name: "AbortError" },
  );
});

test("a page reconnects immediately when the network returns", async () => {
  const world = new EventTarget();
  const names = ["addEventListener", "removeEventListener"] as const;
  for (const name of names) Object.assign(globalThis, { [name]: world[name].bind(world) });
  try {
    let attempts = 0;
    const client = served({
      getGame,
      async *watchGame() {
        if (++attempts > 12) return yield event(1, "GameEnded");
        throw gone();
      },
    });
    // Without wake-up events the eleventh attempt alone would take seconds: twelve take at least 50 ms × (1 + 2 + 4 +
    // …).
    const start = performance.now();
    const beat = setInterval(() => world.dispatchEvent(new Event("online")), 5);
    await all(client.viewer(GAME).watch());
    clearInterval(beat);
    assert.equal(attempts, 13);
    assert.ok(performance.now() - start < 10_000);
  } finally {
    for (const name of names) Reflect.deleteProperty(globalThis, name);
  }
});
