/**
 * Whoever plays by the keyboard never loses the place: when what has the focus goes away or can be used no more, the focus goes to
 * what comes next there, and while there is nothing yet, to what can be done.
 */
import type { Attachment } from "svelte/attachments";

/** The parts of a table's page, each with what comes next in it. */
const NEXT = {
  ".stage": ".stage .begins",
  ".options": ".options ol button:enabled",
  ".history": ".history input[type=range]",
} as const;
type Part = keyof typeof NEXT;

/** Keeps the focus in what it is attached to. */
export const keepsFocus: Attachment<HTMLElement> = (root) => {
  let last: Element | undefined;
  let part: Part = ".options";
  let byKeys = false;
  /** Whether the focus was put where it is only until there is something better. */
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
    if (event.key === "Tab") waits = false; // who goes on is not called back
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

/** Whether something cannot have the focus any more. */
function isLost(element: Element): boolean {
  return (
    !element.isConnected ||
    element.matches(":disabled") ||
    (element instanceof SVGElement && !element.hasAttribute("tabindex"))
  );
}
