/** Waiting that can be broken off. */

/** A controller that is aborted with any of these signals; call `release` when it is needed no more. */
export function linked(...signals: (AbortSignal | undefined)[]): { controller: AbortController; release: () => void } {
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
 * Wait for so many milliseconds, or until `hurry` calls back, if that is sooner; throws the signal's reason if it is
 * aborted. `hurry` is given what to call and returns how to stop listening.
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
