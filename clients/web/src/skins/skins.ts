/** The skins of titles. Titles without one use the generic drawing. */
import { generic } from "../stage/generic";
import type { Skin } from "../stage/scene";
import { orleans } from "./orleans/orleans";
import { paladins } from "./paladins/paladins";
import { stories } from "./stories/stories";
import "./followers/followers.css";
import "./orleans/orleans.css";
import "./paladins/paladins.css";
import "./stories/stories.css";

const SKINS: ReadonlyMap<string, Skin> = new Map([orleans, paladins, stories].map((skin) => [skin.title, skin]));

/** Return the skin of a title. */
export function skinOf(title: string): Skin {
  return SKINS.get(title) ?? generic;
}
