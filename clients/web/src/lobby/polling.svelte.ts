/** Polling with one request at a time. It pauses while the page is hidden and backs off after errors. */
export type ConnectionState = "asking" | "live" | "lost";

const MAX_WAIT_MS = 30_000;

export class Poller {
  /** The state of the connection. */
  connection = $state<ConnectionState>("asking");
  /** The last error, while the connection is lost. */
  error = $state.raw<unknown>();

  private failures = 0;
  private wake: (() => void) | undefined;
  private asking: AbortController | undefined;
  private readonly ended = new AbortController();

  /** `poll` makes the request and stores its answer; it must stop when the signal is aborted. */
  constructor(
    private readonly poll: (signal: AbortSignal) => Promise<void>,
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
  pollNow(): void {
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
        await this.poll(asking.signal);
        this.failures = 0;
        this.connection = "live";
        this.error = undefined;
      } catch (error) {
        if (asking.signal.aborted) continue;
        this.failures++;
        this.connection = "lost";
        this.error = error;
      }
      await this.pause(Math.min(this.everyMs * 2 ** Math.min(this.failures, 6), MAX_WAIT_MS));
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
