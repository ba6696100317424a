/** Effects in words, from catalogue values and the texts of the page. */
import type { Guide, Values } from "../../table/guide";
import { effectsOf, isRecord, type Sign, signsFor, words } from "../followers/effects";

const FILL = "{}";

const many = (count: unknown) => (Number(count) > 1 ? [String(count)] : []);
const MAKES = ["shape.areas", "›", "shape.goods"];

/** Signs for each value of an effect, in addition to those of the family, in print order. */
const SIGNS: readonly (readonly [key: string, signs: (value: unknown, values: Values) => string[]])[] = [
  ["fame", (fame) => [...many(fame), "shape.fame"]],
  ["coins_per_village", (coins) => [`coin.${coins}`, "/", "shape.village"]],
  ["coins_per_follower", (coins) => [`coin.${coins}`, "/", "any"]],
  ["fame_from", (least, { fame_bonus }) => [`${least}+ ›`, ...many(fame_bonus), "shape.fame"]],
  ["convert_coins", (most) => [`${most}×`, "coin.1", "›", "shape.fame"]],
  ["exchange_most", (most, values) => [`${most}×`, String(values.exchange_from), "›", String(values.exchange_to)]],
  ["produce", (where) => (where === "one_landscape" ? ["1×", ...MAKES] : where === "areas" ? MAKES : [])],
  ["trades", () => ["shape.trade", "/", "shape.village"]],
  ["territory", (count) => [...many(count), "shape.settler"]],
  ["conquest_strength", () => ["›", "knight"]],
  ["build", (what) => [`shape.${what}`]],
  ["take_place_card", () => ["shape.card"]],
  ["green_spaces", (count) => [`+${count}`, "shape.market"]],
  ["fame_on_build", (fame) => [`+${fame}`, "shape.fame"]],
];

/** Return the signs of an effect. */
export function signsOf(values: Values): Sign[] {
  const recruited = typeof values.recruit === "string" ? [values.recruit] : [];
  const own = SIGNS.flatMap(([key, signs]) =>
    values[key] && typeof values[key] !== "object" ? signs(values[key], values) : [],
  );
  const choices = Array.isArray(values.choose) ? values.choose.filter(isRecord) : [];
  const chosen = choices.flatMap((choice, index) => [...signsFor(...(index > 0 ? ["/"] : [])), ...signsOf(choice)]);
  return [...signsFor(...recruited), ...effectsOf(values), ...signsFor(...own), ...chosen];
}

/** Return the text of a card's or tile's effect; empty if the catalogue has none. */
export function effectOf(values: Values, guide: Guide): string {
  return isRecord(values.effect) ? sayEffect(values.effect, guide) : "";
}

/** Keys of an effect that come first: conditions precede their consequences. */
const FIRST: readonly string[] = ["from_players", "most_of", "may_pay", "only_if_controls"];

/** Keys that need other words before them. */
const LAST: readonly string[] = ["per_areas", "per_goods", "round", "most", "out_of_game"];

/** Return an effect in words: `pay 1 food, for every 2 areas`. */
export function sayEffect(effect: Values, guide: Guide): string {
  const rank = (key: string) => (FIRST.includes(key) ? 0 : LAST.includes(key) ? 2 : 1);
  return Object.keys(effect)
    .sort((one, other) => rank(one) - rank(other) || LAST.indexOf(one) - LAST.indexOf(other))
    .map((key) => keyText(key, effect[key], guide))
    .filter(Boolean)
    .join(", ")
    .replaceAll(":, ", ": ");
}

/** Return the text of one key of an effect; the key itself if no text exists. */
function keyText(key: string, value: unknown, guide: Guide): string {
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
  // Bands: a reward from each threshold on.
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

/** Return the requirements of a mission: areas, and goods to deliver. */
export function needsOf(values: Values, guide: Guide): string {
  return ["areas", "goods"]
    .flatMap((key) => (isRecord(values[key]) ? Object.entries(values[key]) : []))
    .map(([what, count]) => `${count} × ${guide.words.stories.names[what] ?? guide.text(what)}`)
    .join(", ");
}
