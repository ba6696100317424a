/** Delays that signals can abort. */

/** Return a controller that is aborted with any of the signals; call `release` when it is no longer needed. */
export function linkSignals(...signals: (AbortSignal | undefined)[]): {
  controller: AbortController;
  release: () => void;
} {
  const controller = new AbortController();
  const undo: (() => void)[] = [];
  for (const signal of signals) {
    if (signal === undefined) continue;
    if (signal.aborted) {
      controller.abort(signal.reason);
      break;
    }
    const abort = () => controller.abort(signal.reason);
    signal.addEventListener("abort", abort, { once: true });
    undo.push(() => signal.removeEventListener("abort", abort));
  }
  const release = () => {
    for (const it of undo.splice(0)) it();
  };
  return { controller, release };
}

/**
 * Wait for some milliseconds, or until the callback passed to `hurry` is called; throws the signal's reason if it is
 * aborted. `hurry` returns a function that stops listening.
 */
export function pause(ms: number, signal?: AbortSignal, hurry?: (now: () => void) => () => void): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    let unlisten = () => {};
    const end = (finish: () => void) => () => {
      clearTimeout(timer);
      unlisten();
      signal?.removeEventListener("abort", abort);
      finish();
    };
    const abort = end(() => reject(signal?.reason));
    const done = end(resolve);
    const timer = setTimeout(done, ms);
    signal?.addEventListener("abort", abort, { once: true });
    if (hurry !== undefined) unlisten = hurry(done);
  });
}
