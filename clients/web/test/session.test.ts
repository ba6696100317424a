// A game on the page, with a server whose answers the test controls.
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  type Effect,
  EffectSchema,
  type Event,
  EventSchema,
  type Game,
  GameSchema,
  GameStatus,
  type GetScoresResponse,
  type GetTableResponse,
  type Table,
  type Update,
} from "@boardkeeper/client";
import { GetTitleResponseSchema } from "@boardkeeper/client/gen/boardkeeper/v1/catalog_pb";
import { GetScoresResponseSchema, GetTableResponseSchema } from "@boardkeeper/client/gen/boardkeeper/v1/games_pb";
import { TableSchema } from "@boardkeeper/client/gen/boardkeeper/v1/table_pb";
import { create } from "@bufbuild/protobuf";
import { type Source, TableSession } from "../src/table/session.svelte.ts";
import { en } from "../src/words/en.ts";
import { move, set } from "./tables.ts";

// Substitutes for Svelte's compiler and browser APIs.
Object.assign(globalThis, {
  $state: Object.assign((value: unknown) => value, { raw: (value: unknown) => value }),
  matchMedia: () => ({ matches: true }),
  document: { hidden: false },
});

const settled = () => new Promise((resolve) => setImmediate(resolve));

/** A table with a bag that is hidden until the fourth event; no event contains its contents. */
function tableAt(version: number) {
  const isOpen = version >= 4;
  return create(TableSchema, {
    viewer: "spectator",
    zones: [
      {
        id: "bag",
        visibility: isOpen ? "public" : "hidden",
        seen: isOpen,
        count: version,
        contents: isOpen ? [{ component: "coin", count: version }] : [],
      },
      { id: "box", visibility: "hidden", count: 10 - version },
    ],
  });
}

const revealBag = create(EffectSchema, {
  effect: { case: "reveal", value: { subject: "bag", before: "hidden", after: "public" } },
});

const event = (version: number): Event =>
  create(EventSchema, {
    version: BigInt(version),
    effects: [...(version === 4 ? [revealBag] : []), move("coin", "box", "bag")],
  });

/** A server whose answers about past tables wait for the test. */
class Service implements Source {
  readonly pending: { version: number; answer: () => void }[] = [];
  send: (event: Event) => void = () => {};
  private readonly newest = 3;

  async game() {
    return create(GameSchema, { gameId: "g", status: GameStatus.RUNNING, version: BigInt(this.newest) });
  }

  async title() {
    return create(GetTitleResponseSchema, {});
  }

  async scores() {
    return create(GetScoresResponseSchema, {});
  }

  async table({ version }: { version?: number | bigint } = {}) {
    const at = Number(version ?? this.newest);
    if (version !== undefined) await new Promise<void>((answer) => this.pending.push({ version: at, answer }));
    const table = tableAt(at);
    return Object.assign(create(GetTableResponseSchema, { version: BigInt(at), table }), { table });
  }

  async *events({ after = 0, until = 0 }: { after?: number | bigint; until?: number | bigint } = {}) {
    for (let version = Number(after) + 1; version <= Number(until); version++) yield event(version);
  }

  async *watch(): AsyncGenerator<Update> {
    for (;;) {
      const received = await new Promise<Event>((resolve) => {
        this.send = resolve;
      });
      yield { kind: "event", version: Number(received.version), event: received } as Update;
    }
  }
}

test("missing contents are requested, also if the history arrives in between", async () => {
  const service = new Service();
  const session = new TableSession(service, en);
  void session.open();
  await settled();
  const [history] = service.pending;
  assert.equal(history?.version, 1);
  assert.equal(session.isWhole, true);

  service.send(event(4));
  await settled();
  assert.equal(session.shown, 4);
  assert.equal(session.isWhole, false);
  const rest = service.pending[1];
  assert.equal(rest?.version, 4);

  history?.answer();
  await settled();
  assert.equal(session.first, 1);
  rest?.answer(); // for the replaced timeline
  await settled();
  service.pending[2]?.answer();
  await settled();
  assert.equal(session.isWhole, true);
  assert.deepEqual([...(session.table.zones.get("bag")?.contents ?? [])], [["coin", 4]]);
  session.close();
});

/** A game that waits for players and has a score from its start. */
class StartingService extends Service {
  status = GameStatus.OPEN;

  override async game() {
    return create(GameSchema, { gameId: "g", status: this.status, version: 3n });
  }

  override async scores() {
    const scoreSheet = this.status === GameStatus.OPEN ? undefined : { totals: [5], running: true };
    return create(GetScoresResponseSchema, { version: 4n, scoreSheet });
  }
}

test("a game that starts while its page is open gets its score", async () => {
  const service = new StartingService();
  const session = new TableSession(service, en);
  void session.open();
  await settled();
  assert.equal(session.hasScore, false);

  service.status = GameStatus.RUNNING;
  service.send(create(EventSchema, { version: 4n, name: "GameStarted" }));
  await settled();
  assert.equal(session.game?.status, GameStatus.RUNNING);
  assert.equal(session.hasScore, true);
  session.close();
});

const number = (value: number) => ({ value: { case: "number" as const, value: BigInt(value) } });

type TableAnswer = GetTableResponse & { table: Table };

/** A game that ends with its last event. Each answer is computed at the request, and sent when the test says so. */
class EndingService implements Source {
  newest = 3;
  readonly last: number = 5;
  readonly games: (() => void)[] = [];
  readonly counts: { version: number; send: () => void }[] = [];
  readonly tables: { version: number; send: () => void }[] = [];
  private readonly history: Event[] = [];
  private wake: () => void = () => {};

  /** Add the next event. */
  addEvent(name = "", ...effects: Effect[]): void {
    this.newest++;
    this.history.push(create(EventSchema, { version: BigInt(this.newest), name, effects }));
    this.wake();
  }

  sheet(at: number) {
    return { totals: [at], running: at < this.last };
  }

  game(): Promise<Game> {
    const status = this.newest >= this.last ? GameStatus.ENDED : GameStatus.RUNNING;
    const game = create(GameSchema, { gameId: "g", status, version: BigInt(this.newest) });
    return new Promise((resolve) => this.games.push(() => resolve(game)));
  }

  async title() {
    return create(GetTitleResponseSchema, {});
  }

  scores(): Promise<GetScoresResponse> {
    const at = this.newest;
    const answer = create(GetScoresResponseSchema, { version: BigInt(at), scoreSheet: this.sheet(at) });
    return new Promise((resolve) => this.counts.push({ version: at, send: () => resolve(answer) }));
  }

  table({ version }: { version?: number | bigint } = {}): Promise<TableAnswer> {
    const at = Number(version ?? this.newest);
    const table = create(TableSchema, { viewer: "spectator", markers: [{ id: "coins", value: number(0) }] });
    const scoreSheet = this.sheet(at);
    const answer = Object.assign(create(GetTableResponseSchema, { version: BigInt(at), scoreSheet }), { table });
    return new Promise((resolve) => this.tables.push({ version: at, send: () => resolve(answer) }));
  }

  async *events({ after = 0, until = 0 }: { after?: number | bigint; until?: number | bigint } = {}) {
    for (let version = Number(after) + 1; version <= Number(until); version++)
      yield create(EventSchema, { version: BigInt(version) });
  }

  async *watch({ after = 0 }: { after?: number | bigint } = {}): AsyncGenerator<Update> {
    for (let version = Number(after) + 1; version <= this.last; ) {
      const event = this.history.find((each) => Number(each.version) === version);
      if (event) {
        yield { kind: "event", version, event } as Update;
        version++;
      } else
        await new Promise<void>((resolve) => {
          this.wake = resolve;
        });
    }
  }

  /** Send pending answers, those about games first. */
  async sendPending(): Promise<void> {
    while (this.games.length + this.tables.length > 0) {
      for (const send of this.games.splice(0)) send();
      for (const { send } of this.tables.splice(0)) send();
      await settled();
    }
  }
}

test("the score of an older version does not replace the final one", async () => {
  const service = new EndingService();
  const session = new TableSession(service, en);
  void session.open();
  await settled();
  await service.sendPending();
  service.addEvent("", set("coins", 0, 1));
  await settled();
  const [late, ...others] = service.counts.splice(0);
  assert.equal(late?.version, 4);
  assert.deepEqual(others, []);

  service.addEvent("GameEnded");
  await settled();
  await service.sendPending();
  assert.equal(session.disclosed, true);
  late?.send();
  await settled();
  assert.deepEqual([session.scores?.totals, session.scores?.running], [[5], false]);
  session.close();
});

test("a game that ends while it is revealBag is shown as ended", async () => {
  const service = new EndingService();
  service.newest = 4;
  const session = new TableSession(service, en);
  void session.open();
  await settled();
  service.addEvent("GameEnded"); // after the answer about the game, before the one about the table
  await service.sendPending();
  assert.equal(session.connection, "ended");
  assert.equal(session.isOver, true);
  assert.equal(session.disclosed, true);
  session.close();
});

test("an answer from before the end does not replace the events that show everything", async () => {
  const service = new EndingService();
  const session = new TableSession(service, en);
  void session.open();
  await settled();
  for (const send of service.games.splice(0)) send();
  await settled();
  for (const { send } of service.tables.splice(0)) send();
  await settled();
  const [past] = service.tables.splice(0);
  assert.equal(past?.version, 1);

  service.addEvent();
  service.addEvent("GameEnded");
  await settled();
  for (const send of service.games.splice(0)) send();
  await settled();
  for (const { send } of service.tables.splice(0)) send();
  await settled();
  past?.send(); // while the whole history is loaded again
  await settled();
  await service.sendPending();
  assert.equal(session.failure, undefined);
  assert.deepEqual([session.first, session.head, session.events.length], [1, 5, 4]);
  session.close();
});

test("the end of a game does not leave a past version", async () => {
  const service = new EndingService();
  const session = new TableSession(service, en);
  void session.open();
  await settled();
  await service.sendPending();
  await session.goTo(2);
  service.addEvent();
  service.addEvent("GameEnded");
  await settled();
  await service.sendPending();
  assert.equal(session.disclosed, true);
  assert.deepEqual([session.shown, session.head, session.isPresent], [2, 5, false]);
  session.close();
});

/** A long game with secret points. */
class LongService extends EndingService {
  override readonly last = 100;

  override sheet(at: number) {
    return {
      lines: [
        { id: "coins", points: [at, 0, 0], unknownSeats: [3] },
        { id: "secret", points: [1, 0, 0], unknownSeats: [2, 3] },
      ],
      totals: [at + 1, 0, 0],
      running: true,
    };
  }
}

const askSeat = create(EffectSchema, { effect: { case: "ask", value: { seat: 1, before: "turn", after: "" } } });

test("the running score is requested only after changes of the table, one request at a time", async () => {
  const service = new LongService();
  const session = new TableSession(service, en);
  void session.open();
  await settled();
  await service.sendPending();
  assert.deepEqual(
    [1, 2, 3].map((seat) => session.total(seat)),
    ["4", "0 + ?", "?"],
  );
  service.addEvent();
  service.addEvent("", askSeat);
  await settled();
  assert.deepEqual([session.head, service.counts.length], [5, 0]);

  service.addEvent("", set("coins", 0, 1), askSeat);
  await settled();
  service.addEvent("", set("coins", 1, 2));
  service.addEvent("", set("coins", 2, 3));
  await settled();
  assert.deepEqual(
    service.counts.map(({ version }) => version),
    [6],
  );
  service.counts.pop()?.send();
  await settled();
  assert.equal(session.total(1), "7");
  assert.deepEqual(
    service.counts.map(({ version }) => version),
    [8],
  );
  service.counts.pop()?.send();
  await settled();
  assert.equal(session.total(1), "9");
  assert.deepEqual([service.counts.length, service.tables.length], [0, 0]);
  session.close();
});
