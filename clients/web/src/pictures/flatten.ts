/**
 * Converts the markup of the stage to SVG that is complete without the page: style sheets, custom properties and themes
 * become plain attributes, and parts that only serve interaction are omitted.
 */
import { type Color, type Look, parseColor, resolveVariables } from "./colors";
import { type Element, escapeXml } from "./markup";
import type { Sheet } from "./sheets";

/** The values on which the colours of a picture depend: style sheet, theme and custom properties. */
export interface Appearance {
  readonly sheet: Sheet;
  readonly isDark: boolean;
  /** Custom properties that the page sets, in addition to those of the sheet. */
  readonly variables: ReadonlyMap<string, string>;
}

/** Attributes that the picture copies from the stage, mostly positions and sizes. */
const GEOMETRY = new Set(
  "x y width height rx ry r cx cy d transform font-size text-anchor textLength lengthAdjust data-subject data-heap".split(
    " ",
  ),
);
const COLORS = ["fill", "stroke"];
/** Style properties that become SVG attributes of the same name. */
const PAINT =
  "stroke-width stroke-linecap stroke-linejoin stroke-dasharray opacity paint-order font-weight font-style".split(" ");
const SHAPES = new Set(["rect", "circle", "ellipse", "path"]);
const SERIF = "DejaVu Serif, Georgia, serif";

/** Return the elements of the stage as SVG text, in the same order. */
export function flatten(elements: readonly Element[], appearance: Appearance): string {
  const look = withProperties(() => undefined, [...appearance.sheet.root, ...appearance.variables], appearance.isDark);
  const shared = new Shared();
  return shared.expand(elements.map((element) => renderElement(element, [], look, appearance, shared)).join(""));
}

/** Writes repeated content once, as a `<g>` that `<use>` elements refer to: boards have many equal parts. */
class Shared {
  private readonly known = new Map<string, { id: string; count: number }>();

  /** Return a placeholder for the content; short content, and content with placeholders, is returned unchanged. */
  put(content: string): string {
    if (content.length < 100 || content.includes(MARK)) return content;
    const found = this.known.get(content) ?? { id: `g${this.known.size + 1}`, count: 0 };
    found.count++;
    this.known.set(content, found);
    return `${MARK}${found.id}${MARK}`;
  }

  /** Replace the placeholders in a text, and put the definitions of the repeated content before it. */
  expand(whole: string): string {
    const contents = new Map([...this.known].map(([content, { id, count }]) => [id, { content, count }]));
    const many = [...contents].filter(([, { count }]) => count > 1);
    const defined = many.map(([id, { content }]) => `<g id="${id}">${content}</g>`).join("");
    const drawn = whole.replace(MARKED, (_, id) => {
      const { content = "", count = 0 } = contents.get(id) ?? {};
      return count > 1 ? `<use href="#${id}"/>` : content;
    });
    return defined ? `<defs>${defined}</defs>${drawn}` : drawn;
  }
}

/** The delimiter of placeholders: a character that XML text cannot contain. */
const MARK = "\u0001";
const MARKED = new RegExp(`${MARK}(\\w+)${MARK}`, "g");

/** Return the colour of a custom property such as `--paper`; white if it has none. */
export function pageColor(name: string, appearance: Appearance): string {
  const look = withProperties(() => undefined, [...appearance.sheet.root, ...appearance.variables], appearance.isDark);
  return parseColor(look(name) ?? "")?.hex ?? "#ffffff";
}

function renderElement(
  element: Element,
  around: readonly Element[],
  outer: Look,
  appearance: Appearance,
  shared: Shared,
): string {
  if (!element.tag) return escapeXml(element.text.replace(/\s+/g, " "));
  if (element.tag === "title" || element.classes.has("halo")) return "";
  const styles = stylesOf(element, around, appearance.sheet);
  const look = withProperties(outer, styles, appearance.isDark);
  const inside = element.children
    .map((child) => renderElement(child, [...around, element], look, appearance, shared))
    .join("");
  if (element.tag === "div" || element.tag === "svg") return inside;
  const own = attributesOf(element, styles, look, appearance.isDark);
  if (SHAPES.has(element.tag)) return isDrawn(element, own) ? `<${element.tag}${own.map(attribute).join("")}/>` : "";
  const content = element.tag === "text" ? inside.trim() : inside;
  if (!content) return "";
  if (element.tag === "g" && own.length === 0) return content;
  const isPlaced = element.tag === "g" && own.some(([name]) => name === "transform");
  return `<${element.tag}${own.map(attribute).join("")}>${isPlaced ? shared.put(content) : content}</${element.tag}>`;
}

type Attribute = readonly [name: string, value: string];

const attribute = ([name, value]: Attribute) => ` ${name}="${escapeXml(value)}"`;

/**
 * Return the style properties of an element. Rules of the sheet override its attributes; its `style` overrides both.
 */
function stylesOf(element: Element, around: readonly Element[], sheet: Sheet): Map<string, string> {
  const found = new Map<string, string>();
  for (const name of [...COLORS, ...PAINT]) {
    const value = element.attributes.get(name);
    if (value !== undefined) found.set(name, value);
  }
  for (const [name, value] of sheet.of(element, around)) found.set(name, value);
  for (const line of (element.attributes.get("style") ?? "").split(/;(?![^(]*\))/)) {
    const [name = "", value = ""] = line.split(/:(.*)/s).map((part) => part.trim());
    if (name && value) found.set(name, value);
  }
  return found;
}

/** Return the lookup of custom properties inside an element; `outer` is that of its parent. */
function withProperties(outer: Look, styles: Iterable<readonly [string, string]>, isDark: boolean): Look {
  const own = new Map([...styles].filter(([name]) => name.startsWith("--")));
  if (own.size === 0) return outer;
  const known = new Map<string, string | undefined>();
  const look: Look = (name) => {
    const value = own.get(name);
    if (value === undefined) return outer(name);
    if (known.has(name)) return known.get(name);
    known.set(name, outer(name)); // a property that refers to itself gets the value of the parent
    const found = resolveVariables(value, look, isDark);
    known.set(name, found);
    return found;
  };
  return look;
}

function attributesOf(element: Element, styles: ReadonlyMap<string, string>, look: Look, isDark: boolean): Attribute[] {
  const found: Attribute[] = [];
  for (const [name, value] of element.attributes) {
    if (!GEOMETRY.has(name) || (name === "text-anchor" && value === "start")) continue;
    if (name === "lengthAdjust" && !element.attributes.has("textLength")) continue;
    if (value !== "undefined" && value !== "")
      found.push([name, name.startsWith("data-") ? value : shortenNumbers(value)]);
  }
  const transform = styles.get("transform");
  if (transform) found.push(["transform", shortenNumbers(transform.replace(/px/g, "").replace(/,\s*/g, " "))]);
  for (const name of COLORS) {
    const value = styles.get(name);
    const color = value === undefined ? undefined : resolveVariables(value, look, isDark);
    if (color !== undefined) found.push(...paintAttributes(name, color));
  }
  for (const name of PAINT) {
    const value = styles.get(name);
    const resolved = value === undefined ? undefined : resolveVariables(value, look, isDark);
    if (resolved !== undefined && !(name === "opacity" && resolved === "1"))
      found.push([name, resolved.replace(/px/g, "")]);
  }
  if (/(^|[^-])serif/.test(styles.get("font-family")?.replace(/sans-serif/g, "") ?? ""))
    found.push(["font-family", SERIF]);
  return found;
}

function paintAttributes(name: string, value: string): Attribute[] {
  const color: Color | undefined = parseColor(value);
  if (color === undefined) return value === "none" ? [[name, "none"]] : [];
  if (color.opacity === 0) return [[name, "none"]];
  const short = color.hex.replace(/^#(.)\1(.)\2(.)\3$/, "#$1$2$3");
  return [[name, short], ...(color.opacity < 1 ? [[`${name}-opacity`, String(color.opacity)] as const] : [])];
}

/** Return whether to draw a shape. The stage shows shapes with classes but no colours only while they are clickable. */
function isDrawn(element: Element, attributes: readonly Attribute[]): boolean {
  const own = new Map(attributes);
  return own.get("fill") !== "none" || (own.get("stroke") ?? "none") !== "none" || element.classes.size === 0;
}

/** Round numbers to two decimals, or to three if they are below 2: finer differences are invisible. */
function shortenNumbers(value: string): string {
  return value.replace(/-?\d*\.\d{3,}(?:e-?\d+)?/g, (number) => {
    const fine = Math.abs(Number(number)) < 2 ? 1000 : 100;
    return String(Math.round(Number(number) * fine) / fine);
  });
}
