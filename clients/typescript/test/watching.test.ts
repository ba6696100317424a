// A watched game: no event is missed or repeated, whichever way the connection fails.
import assert from "node:assert/strict";
import { test } from "node:test";
import { BoardkeeperError, GameStatus, Unauthenticated, Unavailable } from "@boardkeeper/client";
import { Code, ConnectError } from "@connectrpc/connect";
import { all, event, failure, GAME, heartbeat, served } from "./fakes.ts";

const getGame = () => ({ game: { gameId: GAME } });
const gone = () => new ConnectError("gone", Code.Unavailable);

/** Streams that do one after the other what is said here, and after which version each was asked for. */
function streams(...scripts: ((after: number) => Generator<ReturnType<typeof event | typeof heartbeat>>)[]) {
  const asked: number[] = [];
  const watchGame = async function* ({ afterVersion }: { afterVersion: bigint }) {
    const script = scripts[asked.length];
    asked.push(Number(afterVersion));
    assert.ok(script, "asked once too often");
    yield* script(Number(afterVersion));
  };
  return { asked, games: { watchGame, getGame } };
}

test("a stream that is cut goes on behind the last event", async () => {
  const states: string[] = [];
  const { asked, games } = streams(
    function* () { yield event(1); yield event(2); throw gone(); },
    function* () { throw gone(); },
    function* () { yield event(3); }, // the service ends the stream before the game has ended
    function* () { yield heartbeat(3); yield event(4); yield event(5, "GameEnded"); },
  ); // biome-ignore format: a line each
  const updates = await all(
    served(games)
      .viewer(GAME)
      .watch({ onState: (state) => states.push(state) }),
  );
  assert.deepEqual(asked, [0, 2, 2, 3]);
  assert.deepEqual(
    updates.filter((it) => it.kind === "event").map((it) => it.version),
    [1, 2, 3, 4, 5],
  );
  assert.equal(updates.filter((it) => it.kind === "heartbeat").length, 1);
  assert.equal(states[0], "live");
  assert.equal(states.at(-1), "live");
  assert.ok(
    states.every((it, at) => it !== states[at - 1]),
    "only changes are told",
  );
  assert.ok(states.includes("waiting"));
});

test("what comes twice is told once, and what is missing is an error", async () => {
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

test("who begins behind the last event of a game is done at once", async () => {
  const asked: bigint[] = [];
  const client = served({
    getGame: () => ({ game: { gameId: GAME, status: GameStatus.ENDED, version: 7n } }),
    async *watchGame({ afterVersion }) {
      asked.push(afterVersion);
    },
  });
  assert.deepEqual(await all(client.viewer(GAME).watch({ after: 7 })), []);
  assert.deepEqual(asked, [7n]);
});

test("what does not pass by itself is thrown", async () => {
  const { asked, games } = streams(function* () {
    yield event(1);
    throw failure(Code.Unauthenticated, "TOKEN_EXPIRED");
  });
  await assert.rejects(all(served(games).viewer(GAME, "old").watch()), Unauthenticated);
  assert.deepEqual(asked, [0]);
});

test("a reader that was too slow goes on where it was", async () => {
  const { asked, games } = streams(
    function* () { yield event(1); throw failure(Code.ResourceExhausted, "TOO_SLOW", { values: { version: "1" } }); },
    function* () { yield event(2, "GameEnded"); },
  ); // biome-ignore format: a line each
  assert.equal((await all(served(games).viewer(GAME).watch())).length, 2);
  assert.deepEqual(asked, [0, 1]);
});

test("a connection that says nothing is given up", async () => {
  const asked: bigint[] = [];
  let waiting: BoardkeeperError | undefined;
  const client = served({
    getGame,
    async *watchGame({ afterVersion }, { signal }) {
      asked.push(afterVersion);
      if (asked.length > 1) return yield event(2, "GameEnded");
      yield event(1);
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
    },
  });
  const onState = (_: string, error?: BoardkeeperError) => {
    waiting ??= error;
  };
  assert.equal((await all(client.viewer(GAME).watch({ silenceMs: 50, onState }))).length, 2);
  assert.deepEqual(asked, [0n, 1n]);
  assert.ok(waiting instanceof Unavailable);
});

test("a reader that takes his time is not silence", async () => {
  const { asked, games } = streams(function* () {
    yield event(1);
    yield event(2, "GameEnded");
  });
  const seen: number[] = [];
  for await (const { version } of served(games).viewer(GAME).watch({ silenceMs: 30 })) {
    seen.push(version);
    await new Promise((resolve) => setTimeout(resolve, 60));
  }
  assert.deepEqual([seen, asked], [[1, 2], [0]]);
});

test("patience can be limited", async () => {
  const client = served({
    async *watchGame() {
      throw gone();
    },
  });
  await assert.rejects(all(client.viewer(GAME).watch({ patienceMs: 150 })), Unavailable);
});

test("watching ends with its signal, its client, and its reader", async () => {
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

test("a page that is back on a network does not wait", async () => {
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
    const begun = performance.now();
    const beat = setInterval(() => world.dispatchEvent(new Event("online")), 5);
    await all(client.viewer(GAME).watch());
    clearInterval(beat);
    assert.equal(attempts, 13);
    assert.ok(performance.now() - begun < 10_000);
  } finally {
    for (const name of names) Reflect.deleteProperty(globalThis, name);
  }
});
