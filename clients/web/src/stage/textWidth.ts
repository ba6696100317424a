/** Widths of printed words. */

let context: CanvasRenderingContext2D | null | undefined;
const known = new Map<string, number>();
let measure: (text: string, isBold: boolean) => number | undefined = measureOnPage;

/** Replace the measurement of words at size 1, for drawing without a page. */
export function measureWith(another: (text: string, isBold: boolean) => number): void {
  measure = another;
  known.clear();
}

/** Return the width of words, in the units of `size`; an estimate if no page can measure them. */
export function textWidth(text: string, size: number, isBold = false): number {
  const key = `${isBold ? "b" : ""}${text}`;
  let wide = known.get(key);
  if (wide === undefined) {
    wide = measure(text, isBold) ?? text.length * (isBold ? 0.6 : 0.54);
    known.set(key, wide);
  }
  return wide * size;
}

/** Return the width of words at size 1 on the page; undefined without a page. */
function measureOnPage(text: string, isBold: boolean): number | undefined {
  if (typeof document === "undefined") return undefined;
  context ??= document.createElement("canvas").getContext("2d");
  if (!context) return undefined;
  const family = getComputedStyle(document.documentElement).fontFamily;
  context.font = `${isBold ? "700" : "400"} 100px ${family}`;
  return context.measureText(text).width / 100;
}
