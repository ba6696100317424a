// Embedded tables: streams are open only while they are visible, and their number is limited.
import assert from "node:assert/strict";
import { test } from "node:test";
import { type Event, EventSchema, type Update, type Watch } from "@boardkeeper/client";
import { create } from "@bufbuild/protobuf";
import { Slots, Visibility, type Watched, whileVisible } from "../src/embed/visibility.ts";

const event = (version: number, name = "FollowerPlaced"): Event =>
  create(EventSchema, { version: BigInt(version), name });

/** A game whose events the test triggers. */
class Game implements Watched {
  readonly events_: Event[] = [];
  open = 0;
  opened: number[] = [];
  polls = 0;
  private wake = () => {};

  add(...events: Event[]): void {
    this.events_.push(...events);
    this.wake();
  }

  async *watch({ after = 0, signal }: Watch): AsyncGenerator<Update> {
    this.open++;
    this.opened.push(Number(after));
    try {
      for (let last = Number(after); ; ) {
        const next = this.events_[last];
        if (next) {
          last = Number(next.version);
          yield { kind: "event", version: last, event: next };
          if (next.name === "GameEnded") return;
        } else {
          await new Promise<void>((resolve, reject) => {
            this.wake = resolve;
            signal?.addEventListener("abort", () => reject(signal.reason));
          });
        }
        signal?.throwIfAborted();
      }
    } finally {
      this.open--;
    }
  }

  async *events({ after }: { after: number }): AsyncGenerator<Event> {
    this.polls++;
    yield* this.events_.slice(after);
  }
}

const versions = async (updates: AsyncIterable<Update>, into: number[]): Promise<void> => {
  for await (const { version } of updates) into.push(version);
};
const until = async (holds: () => boolean): Promise<void> => {
  while (!holds()) await new Promise((resolve) => setImmediate(resolve));
};

test("a stream is opened when the table becomes visible, and yields each event once", async () => {
  const [game, visibility, received] = [new Game(), new Visibility(), [] as number[]];
  game.add(event(1), event(2));
  const done = versions(whileVisible(game, visibility, new Slots(1), { after: 1 }), received);
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(game.opened, []);
  visibility.set(true);
  await until(() => received.length === 1);
  visibility.set(false);
  await until(() => game.open === 0);
  game.add(event(3), event(4));
  visibility.set(true);
  await until(() => received.length === 3);
  game.add(event(5, "GameEnded"));
  await done;
  assert.deepEqual(received, [2, 3, 4, 5]);
  assert.deepEqual(game.opened, [1, 2]);
  assert.equal(game.open, 0);
});

test("without a free stream the table polls, and takes a stream when one is released", async () => {
  const [game, visibility, received] = [new Game(), new Visibility(), [] as number[]];
  const slots = new Slots(1);
  const release = slots.take();
  assert.equal(slots.take(), undefined);
  visibility.set(true);
  game.add(event(1));
  const done = versions(whileVisible(game, visibility, slots, {}, 1), received);
  await until(() => received.length === 1 && game.polls > 2);
  assert.deepEqual(game.opened, []);
  release?.();
  await until(() => game.opened.length === 1);
  game.add(event(2, "GameEnded"));
  await done;
  assert.deepEqual(received, [1, 2]);
  assert.ok(slots.take(), "the stream is released");
});

test("an aborted table gets no more events", async () => {
  const [game, visibility, aborter] = [new Game(), new Visibility(), new AbortController()];
  visibility.set(true);
  const done = versions(whileVisible(game, visibility, new Slots(1), { signal: aborter.signal }), []);
  await until(() => game.open === 1);
  aborter.abort();
  await assert.rejects(done);
  assert.equal(game.open, 0);
  const unseen = versions(whileVisible(game, new Visibility(), new Slots(1), { signal: aborter.signal }), []);
  await assert.rejects(unseen);
});

test("errors are thrown", async () => {
  const visibility = new Visibility();
  visibility.set(true);
  const broken: Watched = {
    async *watch() {
      throw new Error("no such game");
    },
    async *events() {},
  };
  await assert.rejects(versions(whileVisible(broken, visibility, new Slots(1), {}), []), /no such game/);
});
