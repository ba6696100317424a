/** Following a game: a stream of events that goes on where it broke. */
import type { Client as Stub } from "@connectrpc/connect";
import { type Asked, type Connection, mayComeBack, untilNext, waits } from "./connection.js";
import { BoardkeeperError, endedEarly, fromFailure, Unavailable } from "./errors.js";
import type { Event } from "./gen/boardkeeper/v1/event_pb.js";
import { type Clocks, GameStatus } from "./gen/boardkeeper/v1/game_pb.js";
import type { Games, WatchGameResponse } from "./gen/boardkeeper/v1/games_pb.js";
import { linked, pause } from "./signals.js";
import { onWakening } from "./wakening.js";

/** The last event of every game. */
export const ENDED = "GameEnded";

/** The service says every 15 seconds, unless it is set otherwise, that it is there. */
const SILENCE_MS = 40_000;
/** A page that waits for a service of a night asks less often than one whose connection has just been lost. */
const LONGEST_WAIT_MS = 10_000;

/** Something from a watched game: an event, or a sign that there is none and nothing is missing. */
export type Update =
  | { readonly kind: "event"; readonly version: number; readonly event: Event; readonly clocks?: Clocks | undefined }
  | { readonly kind: "heartbeat"; readonly version: number; readonly clocks?: Clocks | undefined };

/** Whether the service is heard: `waiting` comes with what went wrong. */
export type OnState = (state: "live" | "waiting", error?: BoardkeeperError) => void;

/** How to watch. */
export interface Watch extends Asked {
  /** Only events after that version; 0, the default: from the first one. */
  readonly after?: number | bigint;
  /** Told of each change: when the service is heard for the first time or again, and when it is not. */
  readonly onState?: OnState;
  /** How long to go on while there is no answer, in milliseconds; as long as it takes unless said. */
  readonly patienceMs?: number;
  /** After how much silence the connection is taken for dead, in milliseconds: well above the service's heartbeat. */
  readonly silenceMs?: number;
}

/** What watching needs to know of who watches. */
export interface Watcher {
  readonly gameId: string;
  readonly token: string;
}

/**
 * The events after a version, then live ones as they happen, each once and in order; ends after the game's last event.
 *
 * A connection that breaks, or says nothing for too long, is taken up again behind the last event, at once where the
 * page is told that it is in front or that there is a network again. Throws a {@link BoardkeeperError} for what does
 * not pass by itself, and the reason of a signal that was aborted.
 */
export async function* watch(
  connection: Connection,
  games: Stub<typeof Games>,
  { gameId, token }: Watcher,
  { after = 0, onState = () => {}, patienceMs = Infinity, silenceMs = SILENCE_MS, signal }: Watch,
): AsyncGenerator<Update, void, undefined> {
  const { controller, release } = linked(connection.closed, signal);
  let version = BigInt(after);
  let state = "";
  let until = waits(patienceMs, LONGEST_WAIT_MS);
  const live = () => {
    connection.answered();
    if (state !== "live") onState("live");
    state = "live";
  };
  /** Whether there is nothing more to come: a stream that begins behind the last event of a game ends at once. */
  const isOver = async () => {
    const options = { headers: connection.headers(token, gameId), signal: controller.signal };
    const { game } = await games.getGame({ gameId }, { ...options, timeoutMs: connection.manners.timeoutMs });
    return game?.status === GameStatus.ENDED && game.version <= version;
  };
  try {
    for (;;) {
      let error: BoardkeeperError;
      const stream = new Stream(controller.signal, silenceMs);
      try {
        const headers = connection.headers(token, gameId);
        const request = { gameId, afterVersion: version };
        const answers = games.watchGame(request, { headers, signal: stream.signal, timeoutMs: 0 });
        stream.probe(async (signal) => {
          await games.getGame({ gameId }, { headers, signal, timeoutMs: connection.manners.timeoutMs });
          live();
        });
        for await (const answer of answers) {
          stream.heard();
          until = waits(patienceMs, LONGEST_WAIT_MS);
          live();
          const update = taken(answer, gameId, version);
          if (update === undefined) continue;
          if (update.kind === "event") version = update.event.version;
          stream.rest(); // whoever reads may take his time
          yield update;
          stream.heard();
          if (update.kind === "event" && update.event.name === ENDED) return;
        }
        if (await isOver()) return;
        error = endedEarly();
      } catch (failure) {
        controller.signal.throwIfAborted();
        error = stream.dead ?? fromFailure(failure);
      } finally {
        stream.end();
      }
      controller.signal.throwIfAborted();
      const wait = mayComeBack(error) ? untilNext(until, error, patienceMs) : undefined;
      if (wait === undefined) throw error;
      if (error instanceof Unavailable) connection.missed(error);
      if (state !== "waiting") onState("waiting", error);
      state = "waiting";
      await pause(wait, controller.signal, error.retryAfterMs > 0 ? undefined : onWakening);
    }
  } finally {
    release();
  }
}

/** The update of an answer, or nothing if its event came before. Throws if an event is missing before it. */
function taken({ update, clocks }: WatchGameResponse, gameId: string, version: bigint): Update | undefined {
  if (update.case === "heartbeat") return { kind: "heartbeat", version: Number(version), clocks };
  if (update.case !== "event" || update.value.version <= version) return undefined;
  if (update.value.version !== version + 1n) {
    throw new BoardkeeperError(`event ${version + 1n} of game ${gameId} is missing in the stream`);
  }
  return { kind: "event", version: Number(update.value.version), event: update.value, clocks };
}

/** One attempt at a stream, which is given up after too much silence. */
class Stream {
  /** Why it was given up. */
  dead: BoardkeeperError | undefined;
  private readonly link;
  private readonly unlisten;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private last = Date.now();

  constructor(
    outer: AbortSignal,
    private readonly silenceMs: number,
  ) {
    this.link = linked(outer);
    // Timers stand still while a page sleeps, and connections die meanwhile; who is back on a network has another one.
    this.unlisten = onWakening((network) => {
      if (network || Date.now() - this.last > silenceMs / 2)
        this.give("the connection was lost while the page was inactive");
    });
    this.heard();
  }

  get signal(): AbortSignal {
    return this.link.controller.signal;
  }

  /** Something came. */
  heard(): void {
    this.rest();
    this.last = Date.now();
    this.timer = setTimeout(() => this.give("the service has said nothing for too long"), this.silenceMs);
  }

  /** Nothing is expected for now. */
  rest(): void {
    clearTimeout(this.timer);
  }

  /** Ask something that is answered at once, for in a quiet game a stream says nothing for a while. */
  probe(ask: (signal: AbortSignal) => Promise<void>): void {
    ask(this.signal).catch(() => {}); // the stream will tell
  }

  end(): void {
    this.rest();
    this.unlisten();
    this.link.release();
    this.link.controller.abort();
  }

  private give(why: string): void {
    this.dead = new Unavailable(why, { status: "UNAVAILABLE" });
    this.link.controller.abort(this.dead);
  }
}
