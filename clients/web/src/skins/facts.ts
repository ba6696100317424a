/** Values of components in the catalogue, converted to the type that the caller expects. */
import type { Guide, Values } from "../table/guide";

/** Return the values of a component; empty if the catalogue does not have it. */
export function valuesOf(guide: Guide, component: string): Values {
  return guide.components.get(component)?.values ?? {};
}

export function numberIn(values: Values, key: string, otherwise = 0): number {
  const value = values[key];
  return typeof value === "number" ? value : otherwise;
}

export function wordIn(values: Values, key: string): string {
  const value = values[key];
  return typeof value === "string" ? value : "";
}

export function wordsIn(values: Values, key: string): string[] {
  const value = values[key];
  return Array.isArray(value) ? value.filter((each) => typeof each === "string") : [];
}

export function numbersIn(values: Values, key: string): number[] {
  const value = values[key];
  return Array.isArray(value) ? value.filter((each) => typeof each === "number") : [];
}

/** Return alternative lists of words. */
export function choicesIn(values: Values, key: string): string[][] {
  const value = values[key];
  return Array.isArray(value) ? value.map((each) => (Array.isArray(each) ? each.map(String) : [])) : [];
}

/** Return a nested object; empty if it is missing. */
export function partOf(values: Values, key: string): Values {
  const value = values[key];
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Values) : {};
}
