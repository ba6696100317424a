/**
 * A subset of CSS for pictures: properties of elements selected by tags and classes. States, media queries and all
 * other rules are ignored.
 */
import type { Element } from "./markup";

/** An element of a selector: an optional tag, and classes. */
interface Compound {
  readonly tag: string;
  readonly classes: readonly string[];
  /** Whether it must be the parent of the next one instead of any ancestor. */
  readonly isParent: boolean;
}

interface Rule {
  readonly selector: readonly Compound[];
  readonly weight: number;
  /** Index of the rule in the sheet. */
  readonly place: number;
  readonly set: readonly (readonly [name: string, value: string])[];
}

const COMPOUND = /^([a-z]*)((?:\.[\w-]+)*)$/;

export class Sheet {
  /** By the first class, or the tag, of the last element of their selectors. */
  private readonly rules = new Map<string, Rule[]>();
  /** Properties of `:root`. */
  readonly root: ReadonlyMap<string, string>;

  constructor(text: string) {
    const root = new Map<string, string>();
    const all: Rule[] = [];
    for (const [, selectors = "", body = ""] of withoutConditions(text).matchAll(/([^{}]+)\{([^{}]*)\}/g)) {
      const set = body
        .split(/;(?![^(]*\))/)
        .map((line) =>
          line
            .split(/:(.*)/s)
            .slice(0, 2)
            .map((part) => part.trim()),
        )
        .filter((pair): pair is [string, string] => Boolean(pair[0] && pair[1]));
      for (const selector of selectors.split(",").map((each) => each.trim())) {
        if (selector === ":root") for (const [name, value] of set) root.set(name, value);
        const compounds = compoundsOf(selector);
        if (!compounds) continue;
        const weight = compounds.reduce((sum, { tag, classes }) => sum + classes.length * 100 + (tag ? 1 : 0), 0);
        all.push({ selector: compounds, weight, place: all.length, set });
      }
    }
    this.root = root;
    for (const rule of all) {
      const last = rule.selector.at(-1);
      const key = last?.classes[0] ?? last?.tag ?? "";
      this.rules.set(key, [...(this.rules.get(key) ?? []), rule]);
    }
  }

  /** Cached results by tags and classes of the element and its ancestors, which often repeat. */
  private readonly known = new Map<string, ReadonlyMap<string, string>>();

  /**
   * Return the properties of an element; `around` are its ancestors, outermost first. Later rules of equal weight win.
   */
  of(element: Element, around: readonly Element[]): ReadonlyMap<string, string> {
    const path = [...around, element].map(({ tag, attributes }) => `${tag}.${attributes.get("class") ?? ""}`).join(">");
    const known = this.known.get(path) ?? this.find(element, around);
    this.known.set(path, known);
    return known;
  }

  private find(element: Element, around: readonly Element[]): ReadonlyMap<string, string> {
    const found: Rule[] = [];
    for (const key of [...element.classes, element.tag])
      for (const rule of this.rules.get(key) ?? []) if (matches(rule.selector, element, around)) found.push(rule);
    const set = new Map<string, string>();
    found.sort((one, other) => one.weight - other.weight || one.place - other.place);
    for (const rule of found) for (const [name, value] of rule.set) set.set(name, value);
    return set;
  }
}

/** Remove comments and conditional rules from a sheet. */
function withoutConditions(text: string): string {
  let left = text.replace(/\/\*[\s\S]*?\*\//g, "");
  for (let at = left.search(/@[a-z-]+[^{};]*\{/); at >= 0; at = left.search(/@[a-z-]+[^{};]*\{/)) {
    let depth = 0;
    let end = left.indexOf("{", at);
    do {
      if (left[end] === "{") depth++;
      else if (left[end] === "}") depth--;
      end++;
    } while (depth > 0 && end < left.length);
    left = left.slice(0, at) + left.slice(end);
  }
  return left;
}

/** Parse a selector; `undefined` if it has more than tags and classes. */
function compoundsOf(selector: string): Compound[] | undefined {
  const found: Compound[] = [];
  for (const [index, part] of selector
    .replace(/\s*>\s*/g, " > ")
    .split(/\s+/)
    .entries()) {
    const last = found.at(-1);
    if (part === ">" && last) {
      found[found.length - 1] = { ...last, isParent: true };
      continue;
    }
    const compound = COMPOUND.exec(part);
    if (!compound || (index === 0 && part !== ".stage")) return undefined;
    const [, tag = "", classes = ""] = compound;
    found.push({ tag, classes: classes.split(".").filter(Boolean), isParent: false });
  }
  return found;
}

function matches(selector: readonly Compound[], element: Element, around: readonly Element[]): boolean {
  const last = selector.at(-1);
  return last !== undefined && matchesCompound(last, element) && isWithin(selector.slice(0, -1), around);
}

function isWithin(selector: readonly Compound[], around: readonly Element[]): boolean {
  const last = selector.at(-1);
  if (!last) return true;
  for (let at = around.length - 1; at >= 0; at--) {
    const element = around[at];
    if (element && matchesCompound(last, element) && isWithin(selector.slice(0, -1), around.slice(0, at))) return true;
    if (last.isParent) return false;
  }
  return false;
}

function matchesCompound({ tag, classes }: Compound, element: Element): boolean {
  return (!tag || tag === element.tag) && classes.every((name) => element.classes.has(name));
}
