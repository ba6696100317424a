/**
 * The drawing of titles without a skin: boxes for shared zones and for each seat, grouped by owner and labelled from
 * the catalogue. It shows everything, and everything is clickable.
 */
import type { KnownTable } from "@boardkeeper/client";
import type { Guide } from "../table/guide";
import type { Board, Decor, Glyph, Mark, Skin, Spot } from "./scene";

const PIECE = 26;
const LINE = 15;
const PAD = 8;
const WIDTH = 620;

export const generic: Skin = {
  title: "",
  boards(guide, table, seat) {
    const seats = Array.from({ length: guide.seats.length }, (_, index) => index + 1);
    const near = seat > 0 ? [seat, ...seats.filter((other) => other !== seat)] : seats;
    return [0, ...near]
      .map((owner) => board(guide, table, owner))
      .filter((each) => each.spots.length + each.marks.length > 0);
  },
  depends(table) {
    // The size of a box depends on the number of pieces in it, in steps of six.
    let filled = "";
    for (const zone of table.zones.values())
      filled += String.fromCharCode(48 + Math.min(Math.ceil((zone.count ?? 0) / 6), 30));
    return filled;
  },
  glyph(component, guide) {
    const seat = /\.(\d+)$/.exec(component);
    if (seat) return { shape: "pawn", fill: `var(--seat-${seat[1]})`, ink: "#fff" };
    return plain(component, guide);
  },
};

/** Return the look of a component of which only the name is known. */
export function plain(component: string, guide: Guide): Glyph {
  const known = guide.components.get(component);
  const color = known?.values.color ?? known?.values.colour;
  const text = initials(known?.text ?? component);
  if (typeof color === "string")
    return { shape: "disc", fill: `var(--c-${color}, ${hue(component)})`, ink: "#fff", text };
  return { shape: "tile", fill: hue(known?.kind ?? component), ink: "#fff", text };
}

function initials(text: string): string {
  const words = text.split(/[\s_-]+/).filter(Boolean);
  return words.length > 1
    ? words
        .slice(0, 3)
        .map((word) => word[0]?.toUpperCase() ?? "")
        .join("")
    : text.slice(0, 2);
}

/** Return a colour derived from a word. */
export function hue(word: string): string {
  let sum = 7;
  for (const letter of word) sum = (sum * 31 + letter.charCodeAt(0)) % 360;
  return `hsl(${sum} 38% 42%)`;
}

interface Box {
  readonly label: string;
  readonly zones: { id: string; symbol: string }[];
}

function board(guide: Guide, table: KnownTable, seat: number): Board {
  const boxes = new Map<string, Box>();
  for (const zone of table.zones.values()) {
    const entry = guide.zone(zone.id);
    if (entry.seat !== seat) continue;
    const part = entry.component || zone.id;
    const label = entry.component ? guide.text(entry.component) : entry.text;
    const box = boxes.get(part) ?? { label, zones: [] };
    box.zones.push({ id: zone.id, symbol: entry.symbol });
    boxes.set(part, box);
  }
  const decor: Decor[] = [];
  const spots: Spot[] = [];
  const marks: Mark[] = [];
  let x = PAD;
  let y = PAD + 26;
  let high = 0;
  for (const { label, zones } of boxes.values()) {
    const widths = zones.map(({ id }) => roomFor(table, id));
    const w = Math.min(
      Math.max(
        widths.reduce((sum, width) => sum + width + 4, 12),
        label.length * 6.2 + 12,
      ),
      WIDTH - 2 * PAD,
    );
    const rows = Math.ceil(widths.reduce((sum, width) => sum + width + 4, 12) / w);
    const h = LINE + rows * (PIECE + 6) + 6;
    if (x + w > WIDTH - PAD) {
      x = PAD;
      y += high + 6;
      high = 0;
    }
    decor.push({ kind: "rect", x, y, w, h, r: 5, role: "box" });
    decor.push({ kind: "text", x: x + 6, y: y + 12, size: 11, text: label, role: "faint", width: w - 8 });
    let left = x + 6;
    let top = y + LINE;
    zones.forEach(({ id, symbol }, index) => {
      const width = Math.min(widths[index] ?? PIECE, w - 12);
      if (left + width > x + w - 4) {
        left = x + 6;
        top += PIECE + 6;
      }
      spots.push({
        zone: id,
        x: left,
        y: top,
        w: width,
        h: PIECE + 2,
        size: PIECE,
        show: "kinds",
        outline: "slot",
        ...(symbol ? { symbol } : {}),
      });
      left += width + 4;
    });
    x += w + 6;
    high = Math.max(high, h);
  }
  y += high + (boxes.size > 0 ? 10 : 0);
  const markers = [...table.markers.values()].filter(
    ({ id }) => guide.marker(id).seat === seat && guide.marker(id).kind !== "internal",
  );
  const columns = 3;
  markers.forEach(({ id }, index) => {
    const left = PAD + (index % columns) * ((WIDTH - 2 * PAD) / columns);
    const top = y + Math.floor(index / columns) * (LINE + 3) + 10;
    decor.push({ kind: "text", x: left, y: top, size: 11, text: guide.marker(id).text, role: "faint", width: 135 });
    marks.push({ kind: "readout", marker: id, x: left + 140, y: top, size: 12 });
  });
  y += Math.ceil(markers.length / columns) * (LINE + 3) + 8;
  const name = seat > 0 ? guide.nameOf(seat) : guide.words.table;
  decor.unshift({
    kind: "rect",
    x: 0,
    y: 0,
    w: WIDTH,
    h: y + PAD,
    r: 10,
    role: seat > 0 ? `board seat-${seat}` : "board",
  });
  decor.push({ kind: "text", x: PAD + 2, y: 20, size: 15, text: name, role: "title" });
  return { id: `seat-${seat}`, name, seat, w: WIDTH, h: y + PAD, decor, spots, marks };
}

function roomFor(table: KnownTable, id: string): number {
  const zone = table.zones.get(id);
  if (zone === undefined) return PIECE;
  const kinds = zone.seen ? (zone.stack ? new Set(zone.order).size : zone.contents.size) : 1;
  return Math.max(1, Math.min(kinds, 20)) * (PIECE + 1) + 2;
}
