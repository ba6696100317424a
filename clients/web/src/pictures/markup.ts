/** Parser for the markup of the stage's components, for environments without a DOM. */

/** An element, or a text: an element without a name. */
export interface Element {
  readonly tag: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly classes: ReadonlySet<string>;
  readonly children: readonly Element[];
  /** The text; empty for elements. */
  readonly text: string;
}

const PART = /<!--[\s\S]*?-->|<(\/?)([a-z][\w-]*)((?:\s+[\w:-]+(?:="[^"]*")?)*)\s*(\/?)>|[^<]+/gi;
const ATTRIBUTE = /([\w:-]+)(?:="([^"]*)")?/g;

/** Parse markup; throws an `Error` for syntax that our components do not write. */
export function parse(markup: string): Element[] {
  const top: Element[] = [];
  const open: { tag: string; children: Element[] }[] = [{ tag: "", children: top }];
  let end = 0;
  for (const part of markup.matchAll(PART)) {
    if (part.index !== end) break;
    end += part[0].length;
    if (part[0].startsWith("<!--")) continue;
    const [whole, closes, tag, attributes = "", isEmpty] = part;
    const inside = open.at(-1);
    if (!tag) inside?.children.push(words(decodeEntities(whole)));
    else if (closes) {
      if (inside?.tag !== tag) break;
      open.pop();
    } else {
      const children: Element[] = [];
      inside?.children.push(element(tag, attributes, children));
      if (!isEmpty) open.push({ tag, children });
    }
  }
  if (end !== markup.length || open.length !== 1) throw new Error(`unexpected markup: ${markup.slice(end, end + 80)}`);
  return top;
}

function element(tag: string, written: string, children: readonly Element[]): Element {
  const attributes = new Map<string, string>();
  for (const [, name = "", value = ""] of written.matchAll(ATTRIBUTE)) attributes.set(name, decodeEntities(value));
  const classes = new Set((attributes.get("class") ?? "").split(/\s+/).filter(Boolean));
  return { tag, attributes, classes, children, text: "" };
}

const NONE = { tag: "", attributes: new Map<string, string>(), classes: new Set<string>(), children: [] };
const words = (text: string): Element => ({ ...NONE, text });

const NAMED: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: "\u00a0" };

function decodeEntities(text: string): string {
  if (!text.includes("&")) return text;
  return text.replace(/&(?:#(\d+)|#x([\da-f]+)|(\w+));/gi, (whole, decimal, hexadecimal, name) => {
    if (name) return NAMED[name] ?? whole;
    return String.fromCodePoint(decimal ? Number(decimal) : Number.parseInt(hexadecimal, 16));
  });
}

/** Escape text for XML, including attributes. Characters that XML cannot represent are removed. */
export function escapeXml(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these characters are intended
  const sayable = text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Cs}/gu, "");
  return sayable.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;").replace(/"/g, "&quot;");
}
