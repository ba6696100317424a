/** How wide printed words are. */

let context: CanvasRenderingContext2D | null | undefined;
const known = new Map<string, number>();
let measure: (text: string, isBold: boolean) => number | undefined = measured;

/** Have words measured another way: in a size of 1. For whoever draws without a page. */
export function measureWith(another: (text: string, isBold: boolean) => number): void {
  measure = another;
  known.clear();
}

/** The width of words, in the units of their size: measured where there is a page, else estimated. */
export function textWidth(text: string, size: number, isBold = false): number {
  const key = `${isBold ? "b" : ""}${text}`;
  let wide = known.get(key);
  if (wide === undefined) {
    wide = measure(text, isBold) ?? text.length * (isBold ? 0.6 : 0.54);
    known.set(key, wide);
  }
  return wide * size;
}

/** The width of words in a size of 1, as the page would write them; nothing without a page. */
function measured(text: string, isBold: boolean): number | undefined {
  if (typeof document === "undefined") return undefined;
  context ??= document.createElement("canvas").getContext("2d");
  if (!context) return undefined;
  const family = getComputedStyle(document.documentElement).fontFamily;
  context.font = `${isBold ? "700" : "400"} 100px ${family}`;
  return context.measureText(text).width / 100;
}
