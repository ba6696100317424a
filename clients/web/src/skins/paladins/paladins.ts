/** The drawing of Paladins of the West Kingdom: every board, card and piece of it our own. */
import type { Skin } from "../../stage/scene";
import { seatsFrom } from "../kit";
import { regions, town } from "./kingdom";
import { looks } from "./looks";
import { mat } from "./mat";

export const paladins: Skin = {
  title: "paladins",
  least: 0.9,
  boards(guide, table, seat, page) {
    // Whoever plays alone has an opponent with a mat as well.
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
    // Rows of those who are hired are as many as they need, and a hand is as large as it is of use; all else lies still.
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
