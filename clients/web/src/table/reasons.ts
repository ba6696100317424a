/** Explanations of rejections, grouped by reason. */
import { type BoardkeeperError, type Explanation, Rejected } from "@boardkeeper/client";

/** A reason, and sentences of the commands that it applies to. */
export interface Reason {
  readonly legal: boolean;
  readonly refusal: BoardkeeperError | undefined;
  readonly commands: readonly string[];
}

/** Merge explanations with equal reasons and keep their order. */
export function reasonsOf(explanations: readonly Explanation[]): Reason[] {
  const found = new Map<string, { legal: boolean; refusal: BoardkeeperError | undefined; commands: string[] }>();
  for (const { legal, refusal, sentence } of explanations) {
    const key = JSON.stringify([legal, refusal?.reason, refusal?.sentence, ...ruleOf(refusal)]);
    const reason = found.get(key) ?? { legal, refusal, commands: [] };
    if (sentence && !reason.commands.includes(sentence)) reason.commands.push(sentence);
    found.set(key, reason);
  }
  return [...found.values()];
}

function ruleOf(refusal: BoardkeeperError | undefined): string[] {
  return refusal instanceof Rejected ? [refusal.rule, refusal.reference] : [];
}
