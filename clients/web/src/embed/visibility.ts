/** Visibility of an element, and streams that are open only while it is visible. */
import type { Event, Update, Watch } from "@boardkeeper/client";

/** The visibility of an element on the screen. */
export class Visibility {
  private visible = false;
  private readonly changed = new EventTarget();

  get isVisible(): boolean {
    return this.visible;
  }

  set(visible: boolean): void {
    if (visible === this.visible) return;
    this.visible = visible;
    this.changed.dispatchEvent(new Event_(visible ? "shown" : "hidden"));
  }

  /** Resolve when the element is visible or the signal is aborted. */
  shown(signal: AbortSignal): Promise<void> {
    if (this.visible || signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const done = () => resolve();
      this.changed.addEventListener("shown", done, { once: true, signal });
      signal.addEventListener("abort", done, { once: true });
    });
  }

  /** Return a signal that is aborted when the element is hidden or `signal` is aborted. */
  until(signal: AbortSignal): AbortSignal {
    const hidden = new AbortController();
    this.changed.addEventListener("hidden", () => hidden.abort(), { once: true, signal });
    if (!this.visible) hidden.abort();
    return AbortSignal.any([hidden.signal, signal]);
  }
}

const Event_ = globalThis.Event;

/** A limit of open streams: browsers allow six connections to an origin, and calls need some of them. */
export class Slots {
  private used = 0;

  constructor(private readonly max: number) {}

  /** Take a slot and return the function that releases it; `undefined` if none is free. */
  take(): (() => void) | undefined {
    if (this.used >= this.max) return undefined;
    this.used++;
    return () => this.used--;
  }
}

/** The methods of a viewer that {@link whileVisible} needs. */
export interface Watched {
  watch(how: Watch): AsyncIterable<Update>;
  events(span: { after: number; signal: AbortSignal }): AsyncIterable<Event>;
}

/** The name of a game's last event. */
const ENDED = "GameEnded";

/**
 * Follow a game while the element is visible. The stream closes when it is hidden and resumes without gaps. If no slot
 * is free, it tries again every few seconds.
 */
export async function* whileVisible(
  viewer: Watched,
  visibility: Visibility,
  slots: Slots,
  { signal = new AbortController().signal, after = 0, ...how }: Watch,
  everyMs = 3000,
): AsyncGenerator<Update, void, undefined> {
  let last = Number(after);
  while (true) {
    await visibility.shown(signal);
    signal.throwIfAborted();
    const seen = visibility.until(signal);
    const release = slots.take();
    try {
      if (release) {
        for await (const update of viewer.watch({ ...how, after: last, signal: seen })) {
          if (update.kind === "event") last = Number(update.event.version);
          yield update;
        }
        return; // the game is over
      }
      for await (const event of viewer.events({ after: last, signal: seen })) {
        last = Number(event.version);
        yield { kind: "event", version: last, event };
        if (event.name === ENDED) return;
      }
      await pause(everyMs, seen);
    } catch (error) {
      if (signal.aborted || !seen.aborted) throw error;
    } finally {
      release?.();
    }
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
