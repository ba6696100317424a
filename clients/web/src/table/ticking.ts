/** Telling again and again that time goes by, while somebody looks. */

/** Short enough that no second is skipped on the screen. */
const EVERY_MS = 250;

/** Call that now and then, with `performance.now()`, as long as the page can be seen; what is returned ends it. */
export function ticking(tell: (now: number) => void): () => void {
  let timer: ReturnType<typeof setInterval> | undefined;
  const look = () => {
    clearInterval(timer);
    timer = undefined;
    if (document.hidden) return;
    const say = () => tell(performance.now());
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
