/** Derived facts for the faces of Paladins; `paladins.json` has the faces. */
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

/** Return the name of a scheme without its prefix. */
export function shortOf(name: string): string {
  return name.replace(/^.*: /, "");
}

/** Return how much suspicion may trigger a card. */
function limit(values: Values): Values {
  return { limit: wordIn(values, "condition") === "no_suspicion" ? "0" : "2+" };
}

/** Return the points of a converted card: one for a number of things, or one more than their number. */
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

/** Return the action that a paladin makes free, cheaper or better. */
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

/** Return the words of a name that have an icon, longest first, each repeated by the number beside it. */
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
