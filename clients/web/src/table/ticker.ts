/** Regular updates of clocks on the page. */

/** Milliseconds; short enough that no second is skipped. */
const EVERY_MS = 250;

/** Call `onTick` regularly with `performance.now()` while the page is visible; the returned function stops it. */
export function startTicker(onTick: (now: number) => void): () => void {
  let timer: ReturnType<typeof setInterval> | undefined;
  const look = () => {
    clearInterval(timer);
    timer = undefined;
    if (document.hidden) return;
    const say = () => onTick(performance.now());
    say();
    timer = setInterval(say, EVERY_MS);
  };
  document.addEventListener("visibilitychange", look);
  look();
  return () => {
    clearInterval(timer);
    document.removeEventListener("visibilitychange", look);
  };
}
