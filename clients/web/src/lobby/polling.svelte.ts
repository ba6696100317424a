/** Polling with one request at a time. It pauses while the page is hidden and backs off after errors. */
export type Line = "asking" | "live" | "lost";

const LONGEST_MS = 30_000;

export class Poller {
  /** The state of the connection. */
  line = $state<Line>("asking");
  /** The last error, while the connection is lost. */
  error = $state.raw<unknown>();

  private misses = 0;
  private wake: (() => void) | undefined;
  private asking: AbortController | undefined;
  private readonly ended = new AbortController();

  /** `ask` makes the request and stores its answer; it must stop when the signal is aborted. */
  constructor(
    private readonly ask: (signal: AbortSignal) => Promise<void>,
    private readonly everyMs = 4000,
  ) {}

  /** Start to poll; the returned function stops it. */
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

  /** Poll immediately. A running request is aborted. */
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

  /** Wait for a time, or without one until the page becomes visible. */
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
