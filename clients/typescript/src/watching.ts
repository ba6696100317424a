/** Following a game: a stream of events that resumes after interruptions. */
import type { Client as Stub } from "@connectrpc/connect";
import { type Connection, isTemporary, nextDelay, type RequestOptions, retryDelays } from "./connection.js";
import { BoardkeeperError, endedEarly, fromFailure, Unavailable } from "./errors.js";
import type { Event } from "./gen/boardkeeper/v1/event_pb.js";
import { type Clocks, GameStatus } from "./gen/boardkeeper/v1/game_pb.js";
import type { Games, WatchGameResponse } from "./gen/boardkeeper/v1/games_pb.js";
import { linkSignals, pause } from "./signals.js";
import { onWakeUp } from "./wakeUp.js";

/** The last event of every game. */
export const ENDED = "GameEnded";

/** By default the server sends a heartbeat every 15 seconds. */
const SILENCE_MS = 40_000;
/** Longest delay between reconnections, for pages that wait for hours. */
const MAX_WAIT_MS = 10_000;

/** An update of a watched game: an event, or a heartbeat that confirms that none is missing. */
export type Update =
  | { readonly kind: "event"; readonly version: number; readonly event: Event; readonly clocks?: Clocks | undefined }
  | { readonly kind: "heartbeat"; readonly version: number; readonly clocks?: Clocks | undefined };

/** Called with the connection's state; `waiting` comes with the error. */
export type OnState = (state: "live" | "waiting", error?: BoardkeeperError) => void;

/** Options for watching. */
export interface Watch extends RequestOptions {
  /** Only events after this version; default: 0. */
  readonly after?: number | bigint;
  /** Called when the connection is established, lost or restored. */
  readonly onState?: OnState;
  /** How long to reconnect without an answer, in milliseconds; default: unlimited. */
  readonly retryTimeoutMs?: number;
  /** @deprecated Use `retryTimeoutMs`. */
  readonly patienceMs?: number;
  /** The silence in milliseconds after which the connection counts as lost; it must exceed the server's heartbeat. */
  readonly silenceMs?: number;
}

/** The properties of a viewer that watching needs. */
export interface Watcher {
  readonly gameId: string;
  readonly token: string;
}

/**
 * Yield the events after a version and then live ones, each once and in order, until the game's last event. A broken or
 * silent connection is resumed after the last event, immediately when the page becomes visible or the machine goes
 * online. Throws a {@link BoardkeeperError} for permanent errors, and the reason of an aborted signal.
 */
export async function* watch(
  connection: Connection,
  games: Stub<typeof Games>,
  { gameId, token }: Watcher,
  { after = 0, onState = () => {}, silenceMs = SILENCE_MS, signal, ...limits }: Watch,
): AsyncGenerator<Update, void, undefined> {
  const { patienceMs = Infinity, retryTimeoutMs = patienceMs } = limits;
  const { controller, release } = linkSignals(connection.closed, signal);
  let version = BigInt(after);
  let state = "";
  let until = retryDelays(retryTimeoutMs, MAX_WAIT_MS);
  const live = () => {
    connection.reportAnswer();
    if (state !== "live") onState("live");
    state = "live";
  };
  /** Return whether the game is over: a stream after the last event ends immediately. */
  const isOver = async () => {
    const options = { headers: connection.headers(token, gameId), signal: controller.signal };
    const { game } = await games.getGame({ gameId }, { ...options, timeoutMs: connection.settings.timeoutMs });
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
          await games.getGame({ gameId }, { headers, signal, timeoutMs: connection.settings.timeoutMs });
          live();
        });
        for await (const answer of answers) {
          stream.restartTimer();
          until = retryDelays(retryTimeoutMs, MAX_WAIT_MS);
          live();
          const update = toUpdate(answer, gameId, version);
          if (update === undefined) continue;
          if (update.kind === "event") version = update.event.version;
          stream.stopTimer(); // the caller may process the update slowly
          yield update;
          stream.restartTimer();
          if (update.kind === "event" && update.event.name === ENDED) return;
        }
        if (await isOver()) return;
        error = endedEarly();
      } catch (failure) {
        controller.signal.throwIfAborted();
        error = stream.failure ?? fromFailure(failure);
      } finally {
        stream.end();
      }
      controller.signal.throwIfAborted();
      const wait = isTemporary(error) ? nextDelay(until, error, retryTimeoutMs) : undefined;
      if (wait === undefined) throw error;
      if (error instanceof Unavailable) connection.reportFailure(error);
      if (state !== "waiting") onState("waiting", error);
      state = "waiting";
      await pause(wait, controller.signal, error.retryAfterMs > 0 ? undefined : onWakeUp);
    }
  } finally {
    release();
  }
}

/** Return the update of an answer, or undefined for a known event. Throws if an event is missing before it. */
function toUpdate({ update, clocks }: WatchGameResponse, gameId: string, version: bigint): Update | undefined {
  if (update.case === "heartbeat") return { kind: "heartbeat", version: Number(version), clocks };
  if (update.case !== "event" || update.value.version <= version) return undefined;
  if (update.value.version !== version + 1n) {
    throw new BoardkeeperError(`event ${version + 1n} of game ${gameId} is missing in the stream`);
  }
  return { kind: "event", version: Number(update.value.version), event: update.value, clocks };
}

/** One attempt at a stream; it fails if nothing arrives for `silenceMs`. */
class Stream {
  /** The reason why this class ended the stream. */
  failure: BoardkeeperError | undefined;
  private readonly link;
  private readonly unlisten;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private last = Date.now();

  constructor(
    outer: AbortSignal,
    private readonly silenceMs: number,
  ) {
    this.link = linkSignals(outer);
    // Connections break while a page sleeps or when the network changes, and timers do not run while it sleeps.
    this.unlisten = onWakeUp((network) => {
      if (network || Date.now() - this.last > silenceMs / 2)
        this.fail("the connection was lost while the page was inactive");
    });
    this.restartTimer();
  }

  get signal(): AbortSignal {
    return this.link.controller.signal;
  }

  /** Restart the silence timer after an answer. */
  restartTimer(): void {
    this.stopTimer();
    this.last = Date.now();
    this.timer = setTimeout(() => this.fail("the server has sent nothing for too long"), this.silenceMs);
  }

  /** Stop the silence timer. */
  stopTimer(): void {
    clearTimeout(this.timer);
  }

  /** Make a call that is answered immediately, to test the connection: a stream may be silent for a while. */
  probe(ask: (signal: AbortSignal) => Promise<void>): void {
    ask(this.signal).catch(() => {}); // the stream reports the error
  }

  end(): void {
    this.stopTimer();
    this.unlisten();
    this.link.release();
    this.link.controller.abort();
  }

  private fail(why: string): void {
    this.failure = new Unavailable(why, { status: "UNAVAILABLE" });
    this.link.controller.abort(this.failure);
  }
}
