/** What the catalogue's components of Paladins say, read as what it is. */
import type { Guide, Values } from "../../table/guide";

/** What a component says; nothing of one that the catalogue does not have. */
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

/** What may be chosen from: lists of words. */
export function choicesIn(values: Values, key: string): string[][] {
  const value = values[key];
  return Array.isArray(value) ? value.map((each) => (Array.isArray(each) ? each.map(String) : [])) : [];
}

/** An object within. */
export function partOf(values: Values, key: string): Values {
  const value = values[key];
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Values) : {};
}
