/** A connection: metadata, deadlines and retries. */
import type { CallOptions } from "@connectrpc/connect";
import { type BoardkeeperError, fromFailure, Overloaded, Unavailable } from "./errors.js";
import { linkSignals, pause } from "./signals.js";

const FIRST_WAIT_MS = 50;
const MAX_WAIT_MS = 2000;
/** Factor for the deadline of calls that transfer a whole game. */
const LONG_CALL_FACTOR = 6;
const MAX_GAMES = 1000;

const KEY = /^[!-~]{0,256}$/;
const GAME = /^[0-9A-Za-z-]{1,64}$/;

/** Settings of a connection. Every call may be retried: its id lets the server recognise a repetition. */
export interface ConnectionSettings {
  /** The language of sentences. */
  readonly language: "en" | "de";
  /** The deadline of one attempt, in milliseconds. */
  readonly timeoutMs: number;
  /** How long an unanswered call is retried, in milliseconds. */
  readonly retryTimeoutMs: number;
  /** An API key of a platform, or empty. */
  readonly key: string;
}

/**
 * Called with the error when a call is retried, once per outage, and without an error when the server answers again.
 */
export type OnConnection = (error?: BoardkeeperError) => void;

/** Options of every call. */
export interface RequestOptions {
  /** Aborts the call. A command may or may not have been carried out. */
  readonly signal?: AbortSignal | undefined;
}

/** The former name of {@link RequestOptions}. @deprecated */
export type Asked = RequestOptions;

/** Yield the delays before retries, in milliseconds, until the retry time is used up. */
export function* retryDelays(retryTimeoutMs: number, maxWaitMs = MAX_WAIT_MS): Generator<number, undefined> {
  const end = performance.now() + retryTimeoutMs;
  let wait = FIRST_WAIT_MS;
  while (performance.now() + wait < end) {
    yield wait * (0.5 + Math.random() / 2); // jitter, so that many clients do not retry in step
    wait = Math.min(wait * 2, maxWaitMs);
  }
  return undefined;
}

/**
 * Return the delay before the next attempt, at least the server's `retryAfterMs`; `undefined` if it exceeds the retry
 * time.
 */
export function nextDelay(
  delays: Iterator<number>,
  error: BoardkeeperError,
  retryTimeoutMs: number,
): number | undefined {
  const wait = delays.next().value as number | undefined;
  if (wait === undefined || error.retryAfterMs > retryTimeoutMs) return undefined;
  return Math.max(wait, error.retryAfterMs);
}

/** Return whether an error may be temporary. */
export const isTemporary = (error: BoardkeeperError): boolean =>
  error instanceof Unavailable || error instanceof Overloaded;

/** The calls of a client: their settings, retries and deadlines. */
export class Connection {
  /** Version of each game after the client's last write; reads request at least this version. */
  private readonly written = new Map<string, bigint>();
  private readonly closing = new AbortController();
  private isLost = false;

  /** Throws a `TypeError` for a malformed key; the message does not contain the key. */
  constructor(
    readonly settings: ConnectionSettings,
    private readonly onConnection: OnConnection = () => {},
  ) {
    if (!KEY.test(settings.key)) throw new TypeError("the key of a platform has characters that no key has");
  }

  /** Aborted when the client is closed. */
  get closed(): AbortSignal {
    return this.closing.signal;
  }

  /** Abort all running calls; later calls throw an `AbortError`. */
  close(): void {
    this.closing.abort(new DOMException("this client is closed; make another one", "AbortError"));
  }

  /** Return the metadata of a request: language, game, seat token, API key. */
  headers(token: string, gameId: string): Record<string, string> {
    const { key, language } = this.settings;
    return {
      "accept-language": language,
      ...(GAME.test(gameId) && { "x-game-id": gameId }),
      ...((token || key) && { authorization: `Bearer ${token || key}` }),
      ...(token && key && { "x-boardkeeper-key": key }),
    };
  }

  /** Store the version of a game after a write. */
  recordWrite(gameId: string, version: bigint): void {
    if (this.written.size >= MAX_GAMES && !this.written.has(gameId)) this.written.clear();
    if (version > (this.written.get(gameId) ?? 0n)) this.written.set(gameId, version);
  }

  /** Return the version that a read must reflect: `minVersion`, or that of the last write. */
  atLeast(gameId: string, minVersion: number | bigint | undefined): bigint | undefined {
    return minVersion === undefined ? this.written.get(gameId) : BigInt(minVersion);
  }

  /**
   * Make a call and return its answer. Unanswered attempts are repeated with growing delays until the retry time is
   * used up. Throws a {@link BoardkeeperError}, or the reason of an aborted signal.
   */
  async call<Answer>(
    attempt: (options: CallOptions) => Promise<Answer>,
    {
      token = "",
      gameId = "",
      signal,
      long = false,
    }: RequestOptions & { token?: string; gameId?: string; long?: boolean } = {},
  ): Promise<Answer> {
    const { controller, release } = linkSignals(this.closed, signal);
    const { retryTimeoutMs, timeoutMs } = this.settings;
    const options: CallOptions = {
      headers: this.headers(token, gameId),
      signal: controller.signal,
      timeoutMs: long ? LONG_CALL_FACTOR * timeoutMs : timeoutMs,
    };
    try {
      const until = retryDelays(retryTimeoutMs);
      for (;;) {
        try {
          controller.signal.throwIfAborted();
          const answer = await attempt(options);
          this.reportAnswer();
          return answer;
        } catch (failure) {
          controller.signal.throwIfAborted();
          const error = fromFailure(failure);
          const wait = isTemporary(error) ? nextDelay(until, error, retryTimeoutMs) : undefined;
          if (wait === undefined) throw error;
          if (error instanceof Unavailable) this.reportFailure(error);
          await pause(wait, controller.signal);
        }
      }
    } finally {
      release();
    }
  }

  /** Call `onConnection` if this is the first answer after an outage. */
  reportAnswer(): void {
    if (!this.isLost) return;
    this.isLost = false;
    this.onConnection();
  }

  /** Call `onConnection` if this is the first unanswered attempt of an outage. */
  reportFailure(error: BoardkeeperError): void {
    if (this.isLost) return;
    this.isLost = true;
    this.onConnection(error);
  }
}
