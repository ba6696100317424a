/** Browser events after which waiting requests are repeated at once. Node has no such events. */

/**
 * Call `wake` when the page becomes visible, or with `true` when the machine goes online. The returned function stops
 * the calls.
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
