/** Texts of the web client in all languages. Sentences of games come from the server. */
import { de } from "./de";
import { en } from "./en";

export type Words = typeof en;
export type Language = "en" | "de";

export const languages: Readonly<Record<Language, Words>> = { en, de };

/** Return the language that fits a browser's preferences best. */
export function preferred(wanted: readonly string[]): Language {
  for (const each of wanted) {
    const code = each.slice(0, 2).toLowerCase();
    if (code === "en" || code === "de") return code;
  }
  return "en";
}
