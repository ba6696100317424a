/** Regular updates of clocks on the page. */

/** Milliseconds; short enough that no second is skipped. */
const EVERY_MS = 250;

/** Call `onTick` regularly with `performance.now()` while the page is visible; the returned function stops it. */
export function startTicker(onTick: (now: number) => void): () => void {
  let timer: ReturnType<typeof setInterval> | undefined;
  const restart = () => {
    clearInterval(timer);
    timer = undefined;
    if (document.hidden) return;
    const tick = () => onTick(performance.now());
    tick();
    timer = setInterval(tick, EVERY_MS);
  };
  document.addEventListener("visibilitychange", restart);
  restart();
  return () => {
    clearInterval(timer);
    document.removeEventListener("visibilitychange", restart);
  };
}
