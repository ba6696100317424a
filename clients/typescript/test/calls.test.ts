// Behaviour of a client when calls fail, as the README describes it.
import assert from "node:assert/strict";
import { test } from "node:test";
import { bot, newId, openSeat, person, Rejected, Unavailable, VersionConflict } from "@boardkeeper/client";
import { Code, ConnectError, type Transport } from "@connectrpc/connect";
import { all, failure, GAME, served } from "./fakes.ts";

test("a call without an answer is retried with the same id", async () => {
  const ids: string[] = [];
  const reports: unknown[] = [];
  const client = served(
    {
      submitCommands({ commandId }) {
        ids.push(commandId);
        if (ids.length < 3) throw new ConnectError("gone", Code.Unavailable);
        return { version: 7n };
      },
    },
    { onConnection: (error) => reports.push(error) },
  );
  const answer = await client.seat(GAME, 1, "token").submit([]);
  assert.equal(answer.version, 7n);
  assert.equal(ids.length, 3);
  assert.equal(new Set(ids).size, 1);
  assert.match(ids[0]!, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  assert.equal(reports.length, 2, "once lost, once restored");
  assert.ok(reports[0] instanceof Unavailable);
  assert.equal(reports[1], undefined);
});

test("each submission has a new id, unless the caller sets it", async () => {
  const ids: string[] = [];
  const client = served({
    submitCommands({ commandId }) {
      ids.push(commandId);
      return { version: 1n };
    },
  });
  const seat = client.seat(GAME, 1, "token");
  await seat.submit([]);
  await seat.submit([]);
  await seat.submit([], { commandId: "mine" });
  assert.equal(new Set(ids).size, 3);
  assert.equal(ids[2], "mine");
});

test("the retry delay of the server is respected", async () => {
  const at: number[] = [];
  const client = served({
    getGame() {
      at.push(performance.now());
      if (at.length === 1) throw failure(Code.ResourceExhausted, "TOO_MANY_REQUESTS", { retryMs: 120 });
      return { game: { gameId: GAME } };
    },
  });
  assert.equal((await client.game(GAME)).gameId, GAME);
  assert.ok(at[1]! - at[0]! >= 119, `${at[1]! - at[0]!} ms`);
});

test("a retry delay above the retry timeout is an error", async () => {
  let attempts = 0;
  const client = served(
    {
      getGame() {
        attempts++;
        throw failure(Code.Unavailable, "SHUTTING_DOWN", { retryMs: 60_000 });
      },
    },
    { retryTimeoutMs: 1000 },
  );
  await assert.rejects(client.game(GAME), (error) => {
    assert.ok(error instanceof Unavailable);
    assert.equal(error.reason, "SHUTTING_DOWN");
    assert.equal(error.retryAfterMs, 60_000);
    return true;
  });
  assert.equal(attempts, 1);
});

test("retries end after the retry timeout, also with its deprecated name", async () => {
  for (const options of [{ retryTimeoutMs: 200 }, { patienceMs: 200 }]) {
    const client = served(
      {
        getGame() {
          throw new ConnectError("gone", Code.Unavailable);
        },
      },
      options,
    );
    await assert.rejects(client.game(GAME), Unavailable);
  }
});

test("a rejection is thrown without a retry, with its fields", async () => {
  let attempts = 0;
  const values = { rule: "orleans.plan.space", reference: "p. 5", index: "1", space: "farmer" };
  const client = served({
    submitCommands() {
      attempts++;
      throw failure(Code.FailedPrecondition, "SPACE_TAKEN", { values, text: "A farmer is there already." });
    },
  });
  await assert.rejects(client.seat(GAME, 1, "token").submit([]), (error) => {
    assert.ok(error instanceof Rejected);
    const { code, reason, rule, reference, index, sentence, message, status } = error;
    assert.deepEqual(
      { code, reason, rule, reference, index, sentence, message, status, space: error.values.get("space") },
      {
        code: "SPACE_TAKEN",
        reason: "SPACE_TAKEN",
        rule: "orleans.plan.space",
        reference: "p. 5",
        index: 1,
        sentence: "A farmer is there already.",
        message: "A farmer is there already.",
        status: "FAILED_PRECONDITION",
        space: "farmer",
      },
    );
    return true;
  });
  assert.equal(attempts, 1);
});

test("a check returns the rejection", async () => {
  const client = served({
    checkCommand({ commands }) {
      if (commands.length === 0) throw failure(Code.FailedPrecondition, "NOT_YOUR_TURN");
      return { version: 3n };
    },
  });
  const seat = client.seat(GAME, 1, "token");
  assert.equal((await seat.check([]))?.code, "NOT_YOUR_TURN");
});

test("a version conflict has the current version", async () => {
  const client = served({
    submitCommands({ expectedVersion }) {
      throw failure(Code.Aborted, "VERSION_CONFLICT", { values: { version: `${expectedVersion! + 4n}` } });
    },
  });
  await assert.rejects(client.seat(GAME, 1, "token").submit([], { expectedVersion: 5 }), (error) => {
    assert.ok(error instanceof VersionConflict);
    assert.equal(error.version, 9);
    return true;
  });
});

test("reads include the client's last write to the same game", async () => {
  const versions: (bigint | undefined)[] = [];
  const client = served({
    submitCommands: () => ({ version: 12n }),
    getBoard({ minVersion }) {
      versions.push(minVersion);
      return {};
    },
    listLegalCommands({ minVersion, version }) {
      versions.push(minVersion, version);
      return {};
    },
  });
  const seat = client.seat(GAME, 1, "token");
  await seat.board();
  await seat.submit([]);
  await seat.board();
  await client.viewer(GAME).board();
  await client.viewer("another").board();
  await seat.legalCommands({ version: 4 });
  await seat.board({ minVersion: 20 });
  assert.deepEqual(versions, [undefined, 12n, 12n, undefined, undefined, 4n, 20n]);
});

test("the headers contain token, key, language and game", async () => {
  const seen: (string | null)[][] = [];
  const names = ["authorization", "x-boardkeeper-key", "accept-language", "x-game-id"];
  const games = {
    getBoard(_: unknown, { requestHeader }: { requestHeader: Headers }) {
      seen.push(names.map((it) => requestHeader.get(it)));
      return {};
    },
  };
  await served(games).viewer(GAME).board();
  await served(games, { language: "de" }).viewer(GAME, "tt").board();
  await served(games, { key: "bk_x" }).viewer(GAME).board();
  await served(games, { key: "bk_x" }).viewer(GAME, "tt").board();
  assert.deepEqual(seen, [
    [null, null, "en", GAME],
    ["Bearer tt", null, "de", GAME],
    ["Bearer bk_x", null, "en", GAME],
    ["Bearer tt", "bk_x", "en", GAME],
  ]);
  assert.throws(
    () => served({}, { key: "a secret\n" }),
    (error: Error) => !error.message.includes("secret"),
  );
});

test("a retried request creates one game, with entropy for persons only", async () => {
  const requests: { requestId: string; seats: { entropy: Uint8Array }[] }[] = [];
  const client = served({
    createGame(request) {
      requests.push(request);
      if (requests.length === 1) throw new ConnectError("gone", Code.Unavailable);
      return { game: { gameId: GAME }, seatTokens: [{ seat: 1, token: "one" }] };
    },
  });
  const created = await client.createGame({ title: "orleans", seats: [person("Anna"), bot(), openSeat()] });
  assert.equal(created.gameId, GAME);
  assert.deepEqual(
    created.seats.map((it) => [it.number, it.token]),
    [[1, "one"]],
  );
  assert.equal(requests[0]!.requestId, requests[1]!.requestId);
  assert.deepEqual(
    requests[1]!.seats.map((it) => it.entropy.length),
    [32, 0, 0],
  );
  assert.deepEqual(requests[0]!.seats[0]!.entropy, requests[1]!.seats[0]!.entropy);
});

test("lists are requested page by page", async () => {
  const events = (from: number, to: number) =>
    Array.from({ length: to - from + 1 }, (_, at) => ({ gameId: GAME, version: BigInt(from + at) }));
  const client = served(
    { listGames: ({ pageToken }) => ({ games: [{ gameId: pageToken }], nextPageToken: pageToken ? "" : "more" }) },
    {},
    {
      history: {
        listEvents({ afterVersion, pageToken }) {
          assert.equal(afterVersion, 1n);
          return pageToken ? { events: events(5, 9) } : { events: events(2, 4), nextPageToken: "more" };
        },
      },
    },
  );
  assert.deepEqual(
    (await all(client.games({ title: "orleans" }))).map((it) => it.gameId),
    ["", "more"],
  );
  const viewer = client.viewer(GAME);
  assert.deepEqual(
    (await all(viewer.events({ after: 1 }))).map((it) => it.version),
    [2n, 3n, 4n, 5n, 6n, 7n, 8n, 9n],
  );
  assert.deepEqual(
    (await all(viewer.events({ after: 1, until: 6 }))).map((it) => it.version),
    [2n, 3n, 4n, 5n, 6n],
  );
});

test("one page of games is requested with its filter", async () => {
  const requests: { title: string; status: number; pageSize: number; pageToken: string; after: bigint | undefined }[] =
    [];
  const client = served({
    listGames({ title, status, pageSize, pageToken, createdAfter }) {
      requests.push({ title, status, pageSize, pageToken, after: createdAfter?.seconds });
      return { games: [{ gameId: GAME }], nextPageToken: "more" };
    },
  });
  const createdAfter = new Date(1_700_000_000_000);
  const page = await client.gamesPage({ title: "orleans", status: 2, createdAfter, pageSize: 20, pageToken: "here" });
  assert.deepEqual(
    page.games.map((it) => it.gameId),
    [GAME],
  );
  assert.equal(page.nextPageToken, "more");
  assert.deepEqual(requests, [{ title: "orleans", status: 2, pageSize: 20, pageToken: "here", after: 1_700_000_000n }]);
});

test("a record is complete, also if its stream breaks or ends early", async () => {
  const [event, seal] = ['{"format":2}\n', '{"events":0,"head":"ab"}\n'].map((it) => new TextEncoder().encode(it));
  let attempts = 0;
  const client = served(
    {},
    {},
    {
      history: {
        async *getRecord() {
          if (++attempts === 1) return;
          yield { data: event! };
          if (attempts === 2) throw new ConnectError("gone", Code.Unavailable);
          if (attempts > 3) yield { data: attempts === 4 ? seal!.subarray(0, -1) : seal! };
        },
      },
    },
  );
  assert.deepEqual([...(await client.viewer(GAME).record())], [...event!, ...seal!]);
  assert.equal(attempts, 5);
});

test("a call ends with its signal and with its client", async () => {
  let arrived = () => {};
  const games = {
    async getGame(_: unknown, { signal }: { signal: AbortSignal }) {
      arrived();
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
      return {};
    },
  };
  const arrives = () =>
    new Promise<void>((resolve) => {
      arrived = resolve;
    });
  const aborter = new AbortController();
  const client = served(games);
  let there = arrives();
  const first = client.game(GAME, { signal: aborter.signal });
  await there;
  aborter.abort(new Error("enough"));
  await assert.rejects(first, /enough/);
  there = arrives();
  const second = client.game(GAME);
  await there;
  client.close();
  await assert.rejects(second, { name: "AbortError" });
  await assert.rejects(client.game(GAME), { name: "AbortError" });
});

test("ids are created without randomUUID, too", () => {
  const own = Object.getOwnPropertyDescriptor(crypto, "randomUUID");
  Object.defineProperty(crypto, "randomUUID", { value: undefined, configurable: true });
  try {
    const ids = new Set(Array.from({ length: 50 }, newId));
    assert.equal(ids.size, 50);
    for (const id of ids) assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  } finally {
    if (own) Object.defineProperty(crypto, "randomUUID", own);
    else Reflect.deleteProperty(crypto, "randomUUID");
  }
});

test("a call to a missing server is unavailable", async () => {
  const { connect } = await import("@boardkeeper/client");
  const client = connect({
    baseUrl: "http://127.0.0.1:9",
    retryTimeoutMs: 100,
    fetch: () => Promise.reject(new TypeError("fetch failed")),
  });
  await assert.rejects(client.titles(), Unavailable);
});

test("a reset connection, which Node reports as aborted, is unavailable", async () => {
  const { connect } = await import("@boardkeeper/client");
  const reset = () => Promise.reject(new ConnectError("read ECONNRESET", Code.Aborted));
  const client = connect({ transport: { unary: reset, stream: reset } as Transport, retryTimeoutMs: 100 });
  await assert.rejects(client.titles(), Unavailable);
});
