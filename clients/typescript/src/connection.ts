/** One way to a service: metadata, deadlines, and calls that are sent again when no answer came. */
import type { CallOptions } from "@connectrpc/connect";
import { type BoardkeeperError, fromFailure, Overloaded, Unavailable } from "./errors.js";
import { linked, pause } from "./signals.js";

const FIRST_WAIT_MS = 50;
const LONGEST_WAIT_MS = 2000;
/** How many times longer than others those calls may take that carry a whole game. */
const LONG_CALLS = 6;
const MOST_GAMES = 1000;

const KEY = /^[!-~]{0,256}$/;
const GAME = /^[0-9A-Za-z-]{1,64}$/;

/** How a client speaks. Every call of Boardkeeper may be sent twice: it carries an id by which the service knows it. */
export interface Manners {
  /** The language of sentences. */
  readonly language: "en" | "de";
  /** The deadline of one attempt, in milliseconds. */
  readonly timeoutMs: number;
  /** How long a call is sent again while there is no answer, in milliseconds. */
  readonly patienceMs: number;
  /** The key of a platform; empty: none. */
  readonly key: string;
}

/** Who is told when no answer comes and a call is sent again, once, and without an error when there are answers again. */
export type OnConnection = (error?: BoardkeeperError) => void;

/** What a call may be given. */
export interface Asked {
  /** Breaks the call off. A command under way may or may not have been carried out. */
  readonly signal?: AbortSignal | undefined;
}

/** How long to wait before each further attempt, in milliseconds; ends when patience does. */
export function* waits(patienceMs: number, longest = LONGEST_WAIT_MS): Generator<number, undefined> {
  const end = performance.now() + patienceMs;
  let wait = FIRST_WAIT_MS;
  while (performance.now() + wait < end) {
    yield wait * (0.5 + Math.random() / 2); // many clients must not come back in step
    wait = Math.min(wait * 2, longest);
  }
  return undefined;
}

/** How long to wait before another attempt, at least as the service asked; `undefined` if patience is shorter. */
export function untilNext(waits: Iterator<number>, error: BoardkeeperError, patienceMs: number): number | undefined {
  const wait = waits.next().value as number | undefined;
  if (wait === undefined || error.retryAfterMs > patienceMs) return undefined;
  return Math.max(wait, error.retryAfterMs);
}

/** Whether the same may go through a little later. */
export const mayComeBack = (error: BoardkeeperError): boolean =>
  error instanceof Unavailable || error instanceof Overloaded;

/** What all calls of a client share. */
export class Connection {
  /** The version of each game after our own last write: reads ask for no older state. */
  private readonly written = new Map<string, bigint>();
  private readonly closing = new AbortController();
  private lost = false;

  /** Throws a `TypeError` for a key that is none, without saying it. */
  constructor(
    readonly manners: Manners,
    private readonly tell: OnConnection = () => {},
  ) {
    if (!KEY.test(manners.key)) throw new TypeError("the key of a platform has characters that no key has");
  }

  /** Aborted when the client is closed. */
  get closed(): AbortSignal {
    return this.closing.signal;
  }

  /** Break off whatever is under way; every later call throws an `AbortError`. */
  close(): void {
    this.closing.abort(new DOMException("this client is closed; make another one", "AbortError"));
  }

  /** What goes beside a request: the language, the game, the seat's token, the platform's key. */
  headers(token: string, gameId: string): Record<string, string> {
    const { key, language } = this.manners;
    return {
      "accept-language": language,
      ...(GAME.test(gameId) && { "x-game-id": gameId }),
      ...((token || key) && { authorization: `Bearer ${token || key}` }),
      ...(token && key && { "x-boardkeeper-key": key }),
    };
  }

  /** Remember our own last write of a game. */
  wrote(gameId: string, version: bigint): void {
    if (this.written.size >= MOST_GAMES && !this.written.has(gameId)) this.written.clear();
    if (version > (this.written.get(gameId) ?? 0n)) this.written.set(gameId, version);
  }

  /** The version that a read has to have seen, unless it says so itself. */
  atLeast(gameId: string, minVersion: number | bigint | undefined): bigint | undefined {
    return minVersion === undefined ? this.written.get(gameId) : BigInt(minVersion);
  }

  /**
   * Make a call and return its answer. An attempt that got no answer is repeated, waiting a little longer each time,
   * until patience ends. Throws a {@link BoardkeeperError}, or the reason of a signal that was aborted.
   */
  async call<Answer>(
    attempt: (options: CallOptions) => Promise<Answer>,
    { token = "", gameId = "", signal, long = false }: Asked & { token?: string; gameId?: string; long?: boolean } = {},
  ): Promise<Answer> {
    const { controller, release } = linked(this.closed, signal);
    const { patienceMs, timeoutMs } = this.manners;
    const options: CallOptions = {
      headers: this.headers(token, gameId),
      signal: controller.signal,
      timeoutMs: long ? LONG_CALLS * timeoutMs : timeoutMs,
    };
    try {
      const until = waits(patienceMs);
      for (;;) {
        try {
          controller.signal.throwIfAborted();
          const answer = await attempt(options);
          this.answered();
          return answer;
        } catch (failure) {
          controller.signal.throwIfAborted();
          const error = fromFailure(failure);
          const wait = mayComeBack(error) ? untilNext(until, error, patienceMs) : undefined;
          if (wait === undefined) throw error;
          if (error instanceof Unavailable) this.missed(error);
          await pause(wait, controller.signal);
        }
      }
    } finally {
      release();
    }
  }

  /** There was an answer. */
  answered(): void {
    if (!this.lost) return;
    this.lost = false;
    this.tell();
  }

  /** No answer came, and the call is sent again. */
  missed(error: BoardkeeperError): void {
    if (this.lost) return;
    this.lost = true;
    this.tell(error);
  }
}
