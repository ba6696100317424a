/** Preferences of the player, stored in this browser. */
import { type Language, languages, preferred, type Words } from "../words/words";

export type Theme = "auto" | "light" | "dark";

const KEY = "boardkeeper.preferences";

interface StoredPreferences {
  language?: Language;
  theme?: Theme;
  name?: string;
  sound?: boolean;
}

export class Preferences {
  language = $state<Language>("en");
  theme = $state<Theme>("auto");
  name = $state("");
  /** Whether a tone announces the player's turn. */
  sound = $state(false);

  constructor() {
    const kept = read();
    this.language = kept.language && kept.language in languages ? kept.language : preferred(navigator.languages);
    this.theme = kept.theme === "light" || kept.theme === "dark" ? kept.theme : "auto";
    this.sound = kept.sound === true;
    this.name = typeof kept.name === "string" ? kept.name : "";
  }

  get words(): Words {
    return languages[this.language];
  }

  store(): void {
    const kept: StoredPreferences = { language: this.language, theme: this.theme, name: this.name, sound: this.sound };
    try {
      localStorage.setItem(KEY, JSON.stringify(kept));
    } catch {
      // Without storage the preferences last as long as the page.
    }
  }
}

function read(): StoredPreferences {
  try {
    return (JSON.parse(localStorage.getItem(KEY) ?? "{}") ?? {}) as StoredPreferences;
  } catch {
    return {};
  }
}
