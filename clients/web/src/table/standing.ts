/** What on a table stands for a word that a marker can say: where a token goes, or the card that is meant. */
import type { KnownTable } from "@boardkeeper/client";
import type { Standing } from "./choosing";
import type { Guide } from "./guide";

/** The space at which a marker that says so stands; else the one piece on the table that is called so. */
export function standingOn(table: KnownTable, guide: Guide): Standing {
  return (marker, word) => {
    const space = guide.standing(marker, word);
    if (space) return { zone: space };
    if (!guide.components.has(word)) return undefined;
    const [zone, ...others] = [...table.zones.values()].filter(({ contents }) => contents.has(word));
    return zone && others.length === 0 ? { zone: zone.id, component: word } : undefined;
  };
}
