/** The skins that there are, by title. A title without one is drawn all the same. */
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

/** The skin of a title. */
export function skinOf(title: string): Skin {
  return SKINS.get(title) ?? generic;
}
