/**
 * Asking again and again, without being a burden: one request at a time, none while nobody looks, and longer waits while there is
 * no answer.
 */
export type Line = "asking" | "live" | "lost";

const LONGEST_MS = 30_000;

export class Poller {
  /** How it stands with the connection. */
  line = $state<Line>("asking");
  /** Why it is lost. */
  error = $state.raw<unknown>();

  private misses = 0;
  private wake: (() => void) | undefined;
  private asking: AbortController | undefined;
  private readonly ended = new AbortController();

  /** `ask` gets the answer and takes it in; it has to give up when its signal says so. */
  constructor(
    private readonly ask: (signal: AbortSignal) => Promise<void>,
    private readonly everyMs = 4000,
  ) {}

  /** Begin; what is returned ends it. */
  start(): () => void {
    const again = () => this.wake?.();
    document.addEventListener("visibilitychange", again);
    addEventListener("online", again);
    void this.run();
    return () => {
      this.ended.abort();
      this.asking?.abort();
      this.wake?.();
      document.removeEventListener("visibilitychange", again);
      removeEventListener("online", again);
    };
  }

  /** Ask at once: what was asked for is not what is wanted any more. */
  now(): void {
    this.asking?.abort();
    this.wake?.();
  }

  private async run(): Promise<void> {
    while (!this.ended.signal.aborted) {
      if (document.hidden) {
        await this.pause();
        continue;
      }
      const asking = new AbortController();
      this.asking = asking;
      try {
        await this.ask(asking.signal);
        this.misses = 0;
        this.line = "live";
        this.error = undefined;
      } catch (error) {
        if (asking.signal.aborted) continue;
        this.misses++;
        this.line = "lost";
        this.error = error;
      }
      await this.pause(Math.min(this.everyMs * 2 ** Math.min(this.misses, 6), LONGEST_MS));
    }
  }

  /** Wait so long, or without a time until somebody looks again. */
  private pause(ms?: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = ms === undefined ? undefined : setTimeout(resolve, ms);
      this.wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
