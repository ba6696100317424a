/** Effects of places as short rows of signs, from catalogue values. */
import type { Values } from "../../table/guide";

/** A sign: the look of a component, or a few letters. */
export type Sign = { readonly glyph: string } | { readonly letters: string };

const glyph = (name: string): Sign => ({ glyph: name });
const letters = (text: string): Sign => ({ letters: text });

/** Return a row of signs: names of looks start with a lower-case letter, other texts are written. */
export function signsFor(...parts: readonly string[]): Sign[] {
  return parts.map((part) => (/^[a-z]/.test(part) ? glyph(part) : letters(part)));
}

/** Return the signs of a place's effect; empty if no value has a sign. */
export function effectsOf(values: Values): Sign[] {
  const signs: Sign[] = [];
  const number = (key: string) => (typeof values[key] === "number" ? values[key] : 0);
  for (const character of words(values.recruit)) signs.push(glyph(character));
  if (values.travel === "water") signs.push(glyph("shape.ship"));
  if (values.travel === "road") signs.push(glyph("shape.wagon"));
  if (values.collects) signs.push(glyph("shape.goods"));
  if (values.build_station) signs.push(glyph("shape.station"));
  if (typeof values.good === "string" && values.good) signs.push(glyph(values.good));
  for (const good of words(values.goods)) signs.push(glyph(good));
  if (number("coins")) signs.push(glyph(`coin.${number("coins")}`));
  if (number("coins_per_status"))
    signs.push(glyph(`coin.${number("coins_per_status")}`), letters("/"), glyph("shape.star"));
  if (number("coins_per_station"))
    signs.push(glyph(`coin.${number("coins_per_station")}`), letters("/"), glyph("shape.station"));
  if (number("development")) signs.push(...steps(number("development")));
  if (number("development_for_coins"))
    signs.push(letters(`${number("development_for_coins")}×`), glyph("coin.1"), letters("›"), glyph("development.1"));
  if (number("technology")) signs.push(glyph("technology"));
  if (number("send_to_deeds")) signs.push(glyph("shape.deeds"));
  if (number("bathhouse")) signs.push(letters(`${number("bathhouse")}`), glyph("shape.bag"));
  if (number("extra_draw")) signs.push(letters(`+${number("extra_draw")}`), glyph("shape.bag"));
  if (number("market_extension")) signs.push(letters(`+${number("market_extension")}`), glyph("shape.market"));
  if (number("market_spaces")) signs.push(letters(`+${number("market_spaces")}`), glyph("shape.market"));
  if (values.cancels_event) signs.push(glyph("shape.ward"));
  if (isRecord(values.stands_for)) {
    for (const [character, others] of Object.entries(values.stands_for)) {
      signs.push(glyph(character), letters("="));
      for (const other of words(others)) signs.push(glyph(other));
    }
  }
  return signs;
}

/** Return the sign for steps on the development track, with their number if there are several. */
export function steps(count: number): Sign[] {
  return [...(count > 1 ? [letters(String(count))] : []), glyph("development.1")];
}

/** Return a value if it is a list of words, otherwise an empty list. */
export function words(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((each): each is string => typeof each === "string") : [];
}

/** Return whether a value is an object. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
