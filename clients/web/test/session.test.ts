// A game on the page, with a service that answers when it is told to.
import assert from "node:assert/strict";
import { test } from "node:test";
import { EffectSchema, type Event, EventSchema, GameSchema, GameStatus, type Update } from "@boardkeeper/client";
import { GetTitleResponseSchema } from "@boardkeeper/client/gen/boardkeeper/v1/catalog_pb";
import { GetTableResponseSchema } from "@boardkeeper/client/gen/boardkeeper/v1/games_pb";
import { TableSchema } from "@boardkeeper/client/gen/boardkeeper/v1/table_pb";
import { create } from "@bufbuild/protobuf";
import { type Source, TableSession } from "../src/table/session.svelte.ts";
import { en } from "../src/words/en.ts";
import { move } from "./tables.ts";

// What the compiler of Svelte and a browser make of these.
Object.assign(globalThis, {
  $state: Object.assign((value: unknown) => value, { raw: (value: unknown) => value }),
  matchMedia: () => ({ matches: true }),
  document: { hidden: false },
});

const settled = () => new Promise((resolve) => setImmediate(resolve));

/** A bag that nobody sees into until the fourth event; what is in it then, no event says. */
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

const opened = create(EffectSchema, {
  effect: { case: "reveal", value: { subject: "bag", before: "hidden", after: "public" } },
});

const event = (version: number): Event =>
  create(EventSchema, {
    version: BigInt(version),
    effects: [...(version === 4 ? [opened] : []), move("coin", "box", "bag")],
  });

/** Answers about tables of the past wait until they are let go. */
class Service implements Source {
  readonly asked: { version: number; answer: () => void }[] = [];
  tell: (event: Event) => void = () => {};
  private readonly newest = 3;

  async game() {
    return create(GameSchema, { gameId: "g", status: GameStatus.RUNNING, version: BigInt(this.newest) });
  }

  async title() {
    return create(GetTitleResponseSchema, {});
  }

  async table({ version }: { version?: number | bigint } = {}) {
    const at = Number(version ?? this.newest);
    if (version !== undefined) await new Promise<void>((answer) => this.asked.push({ version: at, answer }));
    const table = tableAt(at);
    return Object.assign(create(GetTableResponseSchema, { version: BigInt(at), table }), { table });
  }

  async *events({ after = 0, until = 0 }: { after?: number | bigint; until?: number | bigint } = {}) {
    for (let version = Number(after) + 1; version <= Number(until); version++) yield event(version);
  }

  async *watch(): AsyncGenerator<Update> {
    for (;;) {
      const told = await new Promise<Event>((resolve) => {
        this.tell = resolve;
      });
      yield { kind: "event", version: Number(told.version), event: told } as Update;
    }
  }
}

test("what events do not tell is asked for, also where the history comes in between", async () => {
  const service = new Service();
  const session = new TableSession(service, en);
  void session.open();
  await settled();
  const [history] = service.asked;
  assert.equal(history?.version, 1);
  assert.equal(session.isWhole, true);

  service.tell(event(4));
  await settled();
  assert.equal(session.shown, 4);
  assert.equal(session.isWhole, false);
  const rest = service.asked[1];
  assert.equal(rest?.version, 4);

  history?.answer();
  await settled();
  assert.equal(session.first, 1);
  rest?.answer(); // of a timeline that is no more
  await settled();
  service.asked[2]?.answer();
  await settled();
  assert.equal(session.isWhole, true);
  assert.deepEqual([...(session.table.zones.get("bag")?.contents ?? [])], [["coin", 4]]);
  session.close();
});
