/** Events of a page that end all waiting; Node has none of them. */

/**
 * Call back when the page becomes visible or the machine goes online; the returned function stops it. `network` is
 * whether it went online.
 */
export function onWakeUp(wake: (network: boolean) => void): () => void {
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
