/** The skin of Paladins of the West Kingdom. */
import type { Skin } from "../../stage/scene";
import { seatsFrom } from "../kit";
import { regions, town } from "./kingdom";
import { looks } from "./looks";
import { mat } from "./mat";

export const paladins: Skin = {
  title: "paladins",
  least: 0.9,
  boards(guide, table, seat, page) {
    // In a solo game the automaton has a mat as well.
    const seats = [...table.zones.keys()].filter((id) => /^seat\.\d+\.monks$/.test(id)).length;
    const [first = 1, ...others] = seatsFrom(seat, seats);
    const nearest = [regions(guide, table), mat(guide, table, first, first === seat)];
    return [
      ...(page.isNarrow && seat > 0 ? nearest.reverse() : nearest),
      town(guide, table, seats),
      ...others.map((other) => mat(guide, table, other, false)),
    ];
  },
  depends(table) {
    // Only the rows of hired townsfolk and the size of the hand change; all other places are fixed.
    let words = "";
    for (const { id, count } of table.zones.values()) {
      if (id.endsWith(".townsfolk")) words += String(Math.ceil((count ?? 0) / 6));
      else if (id.endsWith(".inquiry")) words += count ? "i" : "-";
      else if (id.endsWith(".hand")) words += count ? "h" : "-";
    }
    return words;
  },
  glyph: (component, guide) => looks.glyph(component, guide),
};
