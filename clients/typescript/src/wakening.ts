/** What a page hears of when the world is back: then nothing waits any longer. In Node there is none of it. */

/**
 * Call back when the page comes to the front or the machine to a network; returns how to stop listening. `offline` is
 * whether it was the network.
 */
export function onWakening(wake: (network: boolean) => void): () => void {
  if (typeof addEventListener !== "function" || typeof removeEventListener !== "function") return () => {};
  const online = () => wake(true);
  const shown = () => {
    if (document.visibilityState === "visible") wake(false);
  };
  addEventListener("online", online);
  const page = typeof document === "undefined" ? undefined : document;
  page?.addEventListener("visibilitychange", shown);
  return () => {
    removeEventListener("online", online);
    page?.removeEventListener("visibilitychange", shown);
  };
}
