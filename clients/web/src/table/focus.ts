/**
 * Keyboard focus that does not get lost: when the focused element disappears or is disabled, focus moves to the next
 * element there, or to the list of moves until one exists.
 */
import type { Attachment } from "svelte/attachments";

/** Sections of the page, each with the selectors of its next focus. */
const NEXT = {
  ".stage": ".stage .begins",
  ".options": ".options ol button:enabled",
  ".history": ".history input[type=range]",
} as const;
type Part = keyof typeof NEXT;

/** Svelte attachment that keeps the focus inside an element. */
export const keepsFocus: Attachment<HTMLElement> = (root) => {
  let last: Element | undefined;
  let part: Part = ".options";
  let byKeys = false;
  /** Whether the current focus is a substitute until a better element appears. */
  let waits = false;
  const ended = new AbortController();
  const { signal } = ended;

  root.addEventListener("focusin", ({ target }) => {
    if (!(target instanceof Element) || target.id === "options") return;
    last = target;
    part = (Object.keys(NEXT) as Part[]).find((each) => target.closest(each)) ?? ".options";
  });
  const pressed = (event: KeyboardEvent) => {
    byKeys = true;
    if (event.key === "Tab") waits = false; // the player has moved on
  };
  addEventListener("keydown", pressed, { capture: true, signal });
  addEventListener("pointerdown", () => (byKeys = false), { capture: true, signal });

  const observer = new MutationObserver(() => {
    if (!byKeys || !last) return;
    const { activeElement } = document;
    const options = root.querySelector<HTMLElement>("#options");
    const isThere = activeElement !== document.body && activeElement !== last && !(waits && activeElement === options);
    if (isThere || (activeElement === last && !isLost(last))) return;
    const next = isLost(last) ? root.querySelector<HTMLElement | SVGElement>(NEXT[part]) : last;
    waits = next === null;
    ((next as HTMLElement | SVGElement | null) ?? options)?.focus();
  });
  observer.observe(root, { subtree: true, childList: true, attributeFilter: ["tabindex", "disabled"] });
  return () => {
    observer.disconnect();
    ended.abort();
  };
};

/** Return whether an element can no longer have the focus. */
function isLost(element: Element): boolean {
  return (
    !element.isConnected ||
    element.matches(":disabled") ||
    (element instanceof SVGElement && !element.hasAttribute("tabindex"))
  );
}
