/** Facts that the faces of Paladins need beside the values of the catalogue; the faces themselves are in `paladins.json`. */
import type { Guide, Values } from "../../table/guide";
import { Looks, type LooksData } from "../faces";
import { choicesIn, numberIn, numbersIn, partOf, valuesOf, wordIn, wordsIn } from "../facts";
import data from "./paladins.json" with { type: "json" };

export const ATTRIBUTES = ["faith", "strength", "influence"] as const;

const SCORES: Readonly<Record<string, readonly string[]>> = data.scores;

export const looks = new Looks(data as LooksData, {
  townsfolk: limit,
  hired: limit,
  outsider: worth,
  converted: worth,
  paladin: (values, guide) => ({ ...ability(values, guide), added: added(values) }),
  favour: (values) => {
    const [gain, options] = [wordsIn(values, "gain"), choicesIn(values, "choice")];
    return { options: options.length > 0 && gain.length > 0 ? [gain, ...options] : options };
  },
  order: (values, guide) => ({ action_name: guide.text(wordIn(values, "action")) }),
  scheme: (_, guide, id) => ({ what: id.replace(/^scheme_/, ""), short: shortOf(guide.text(id)) }),
  due: (_, __, id) => {
    const parts = id.split("_or_").map(wordsOf);
    return { parts, several: parts.length > 1 };
  },
});

/** The name of a scheme without the word for it. */
export function shortOf(name: string): string {
  return name.replace(/^.*: /, "");
}

/** How much suspicion may trigger it. */
function limit(values: Values): Values {
  return { limit: wordIn(values, "condition") === "no_suspicion" ? "0" : "2+" };
}

/** What a converted card is worth: a point for every so many of something, or one more than there are. */
function worth(values: Values): Values {
  const scores = wordIn(values, "scores");
  const [what, many] = SCORES[scores] ?? [scores, "2"];
  return { what, many, more: many === "+", sign: many ? `: ${many}` : ":" };
}

function added(values: Values): Values[] {
  return ATTRIBUTES.map((attribute) => ({ attribute, count: numberIn(values, attribute) })).filter(
    ({ count }) => count,
  );
}

/** Which action a paladin makes free, cheaper or better. */
function ability(values: Values, guide: Guide): Values {
  const free = wordIn(values, "free");
  const cheaper = partOf(values, "cheaper");
  const bonus = partOf(values, "bonus");
  const action = free || wordIn(cheaper, "action") || wordIn(bonus, "action");
  const facts = { action, action_name: guide.text(action), gain: wordsIn(bonus, "gain") };
  if (free) {
    const paid = numbersIn(valuesOf(guide, action), "provisions").length > 0 ? "provision" : "silver";
    return { ...facts, paid, sign: "0 ×" };
  }
  return wordIn(cheaper, "action") ? { ...facts, paid: "silver", sign: `−${numberIn(cheaper, "silver")}` } : facts;
}

/** The words of a name that have an icon, the longest first, each as often as a number before or behind it says. */
function wordsOf(name: string): string[] {
  const known = Object.keys(data.icons).sort((one, other) => other.length - one.length);
  const all: string[] = [];
  let rest = name;
  while (rest !== "") {
    const count = Number(/^(\d+)_/.exec(rest)?.[1] ?? 1);
    rest = rest.replace(/^\d+_?/, "");
    const word = known.find((each) => rest.startsWith(each));
    if (word === undefined) rest = rest.replace(/^[^_]*_?/, "");
    else {
      rest = rest.slice(word.length).replace(/^_/, "");
      const behind = Number(/^(\d+)$/.exec(rest)?.[1] ?? 1);
      for (let left = Math.max(count, behind); left > 0; left--) all.push(word);
    }
  }
  return all;
}
