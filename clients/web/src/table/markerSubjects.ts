/** Subjects for values of markers: the destination of a token, or the named card. */
import type { KnownTable } from "@boardkeeper/client";
import type { Guide } from "./guide";
import type { MarkerSubject } from "./selection";

/** Return a function that finds the space of a marker with a value, or else the only piece with that name. */
export function markerSubjects(table: KnownTable, guide: Guide): MarkerSubject {
  return (marker, word) => {
    const space = guide.standing(marker, word);
    if (space) return { zone: space };
    if (!guide.components.has(word)) return undefined;
    const [zone, ...others] = [...table.zones.values()].filter(({ contents }) => contents.has(word));
    return zone && others.length === 0 ? { zone: zone.id, component: word } : undefined;
  };
}
