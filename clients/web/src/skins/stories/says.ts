/** What effects say: the facts of the catalogue put into the words of the page. */
import type { Guide, Values } from "../../table/guide";
import { effectsOf, isRecord, type Sign, words } from "../followers/effects";

const FILL = "{}";

/** What comes besides what effects of the whole family are drawn with. */
export function signsOf(values: Values): Sign[] {
  const glyph = (name: string): Sign => ({ glyph: name });
  const letters = (text: string): Sign => ({ letters: text });
  const number = (key: string) => (typeof values[key] === "number" ? values[key] : 0);
  const many = (count: number) => (count > 1 ? [letters(String(count))] : []);
  const signs = [...(typeof values.recruit === "string" ? [glyph(values.recruit)] : []), ...effectsOf(values)];
  const fame = number("fame");
  if (fame) signs.push(...many(fame), glyph("shape.fame"));
  if (number("coins_per_village"))
    signs.push(glyph(`coin.${number("coins_per_village")}`), letters("/"), glyph("shape.village"));
  if (number("coins_per_follower"))
    signs.push(glyph(`coin.${number("coins_per_follower")}`), letters("/"), glyph("any"));
  if (number("fame_from"))
    signs.push(letters(`${number("fame_from")}+ ›`), ...many(number("fame_bonus")), glyph("shape.fame"));
  if (number("convert_coins"))
    signs.push(letters(`${number("convert_coins")}×`), glyph("coin.1"), letters("›"), glyph("shape.fame"));
  if (number("exchange_most"))
    signs.push(
      letters(`${number("exchange_most")}×`),
      glyph(String(values.exchange_from)),
      letters("›"),
      glyph(String(values.exchange_to)),
    );
  if (values.produce === "areas") signs.push(glyph("shape.areas"), letters("›"), glyph("shape.goods"));
  if (values.produce === "one_landscape")
    signs.push(letters("1×"), glyph("shape.areas"), letters("›"), glyph("shape.goods"));
  if (values.trades) signs.push(glyph("shape.trade"), letters("/"), glyph("shape.village"));
  if (number("territory")) signs.push(...many(number("territory")), glyph("shape.settler"));
  if (number("conquest_strength")) signs.push(letters("›"), glyph("knight"));
  if (typeof values.build === "string") signs.push(glyph(`shape.${values.build}`));
  if (values.take_place_card) signs.push(glyph("shape.card"));
  if (number("green_spaces")) signs.push(letters(`+${number("green_spaces")}`), glyph("shape.market"));
  if (number("fame_on_build")) signs.push(letters(`+${number("fame_on_build")}`), glyph("shape.fame"));
  if (Array.isArray(values.choose)) {
    values.choose.filter(isRecord).forEach((choice, index) => {
      signs.push(...(index > 0 ? [letters("/")] : []), ...signsOf(choice));
    });
  }
  return signs;
}

/** The effect of a card or tile in words; empty if the catalogue tells of none. */
export function effectOf(values: Values, guide: Guide): string {
  return isRecord(values.effect) ? say(values.effect, guide) : "";
}

/** Words of an effect, in an order in which conditions stand before what follows from them. */
const FIRST: readonly string[] = ["from_players", "most_of", "may_pay", "only_if_controls"];

/** What cannot be said by itself. */
const LAST: readonly string[] = ["per_areas", "per_goods", "round", "most", "out_of_game"];

/** An effect in words: `pay 1 food, for every 2 areas`. */
export function say(effect: Values, guide: Guide): string {
  const rank = (key: string) => (FIRST.includes(key) ? 0 : LAST.includes(key) ? 2 : 1);
  return Object.keys(effect)
    .sort((one, other) => rank(one) - rank(other) || LAST.indexOf(one) - LAST.indexOf(other))
    .map((key) => sayOne(key, effect[key], guide))
    .filter(Boolean)
    .join(", ")
    .replaceAll(":, ", ": ");
}

/** What one word of an effect says; as it stands if there are no words for it. */
function sayOne(key: string, value: unknown, guide: Guide): string {
  if (key === "era") return guide.text(`era_${value}`);
  const said = guide.words.stories.gives;
  const found = said[`${key}.${value}`] ?? said[key];
  const what = named(value, guide);
  if (found !== undefined) return found.replace(FILL, what);
  if (key === "good" || key === "recruit") return what;
  if (value === true) return guide.text(key);
  return typeof value === "number" ? `${what} ${guide.text(key)}` : `${guide.text(key)}: ${what}`;
}

function named(value: unknown, guide: Guide): string {
  if (typeof value === "string") return guide.words.stories.names[value] ?? guide.text(value);
  if (!Array.isArray(value)) return String(value);
  // Bands: so much from so many on.
  if (value.every(Array.isArray))
    return value
      .map(([least, amount]) =>
        Number(least) === 0
          ? String(amount)
          : guide.words.stories.fromOn.replace("{0}", String(least)).replace("{1}", String(amount)),
      )
      .join(", ");
  return words(value)
    .map((each) => guide.text(each))
    .join(", ");
}

/** What a mission asks for: areas, and goods to give up. */
export function needsOf(values: Values, guide: Guide): string {
  return ["areas", "goods"]
    .flatMap((key) => (isRecord(values[key]) ? Object.entries(values[key]) : []))
    .map(([what, count]) => `${count} × ${guide.words.stories.names[what] ?? guide.text(what)}`)
    .join(", ");
}
