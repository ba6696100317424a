/** Explanations of why something cannot be done, as the page lists them: each reason once. */
import { type BoardkeeperError, type Explanation, Rejected } from "@boardkeeper/client";

/** One reason, and the commands for which it holds, as sentences. */
export interface Reason {
  readonly legal: boolean;
  readonly refusal: BoardkeeperError | undefined;
  readonly commands: readonly string[];
}

/** Merge explanations with the same reason, in their order: one follower after another is often refused for the same one. */
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
