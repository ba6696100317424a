/** How each component of Paladins looks, and each shape that its boards name. */
import type { Glyph } from "../../stage/scene";
import type { Guide } from "../../table/guide";
import * as cards from "./cards";
import { ICONS } from "./icons";
import { choices, icon, plainIcon, text, token } from "./tokens";

type Look = (guide: Guide, id: string) => Glyph;

/** By the kind that the catalogue tells. */
const KINDS: Readonly<Record<string, Look>> = {
  worker: (_, id) => token(id),
  attribute: (_, id) => token(id),
  suit: (_, id) => token(id),
  action: (_, id) => plainIcon(id),
  townsfolk: cards.townsfolk,
  outsider: cards.outsider,
  paladin: cards.paladin,
  favour: cards.favour,
  order: cards.order,
  tavern: cards.tavern,
  wall: cards.wall,
  suspicion: cards.suspicion,
  scheme: cards.scheme,
};

/** By the word before a colon: what a component looks like in some places. */
const PLACES: Readonly<Record<string, Look>> = {
  icon: (_, id) => plainIcon(id),
  token: (_, id) => token(id),
  // A marker is round where what is printed has corners, and has the colour of what it marks.
  marker: (_, id) => ({ shape: "disc", fill: `var(--pal-${id})`, ink: "#fff", icon: ICONS[id] ?? "" }),
  back: (_, id) => cards.back(id, id === "tavern" || id === "suspicion" ? 1.25 : 1.4),
  attacked: cards.attacked,
  converted: cards.converted,
  hired: cards.hired,
  strip: (guide, id) => cards.strip(id === "?" ? "" : guide.text(id)),
  debt: (_, id) => cards.debt(id === "paid"),
  due: (_, id) => due(id),
  seat: (_, id) => ({ shape: "disc", fill: `var(--seat-${id})`, ink: "var(--pal-on-seat)", text: id }),
};

export function looks(component: string, guide: Guide): Glyph | undefined {
  const [place = "", id] = component.split(":");
  if (id !== undefined) return PLACES[place]?.(guide, id);
  const seats = /^(monk|outpost|starter)\.(\d)$/.exec(component);
  if (seats) return ofSeat(seats[1] ?? "", seats[2] ?? "");
  if (component === "?") return cards.back("paladin", 1.4);
  if (component === "jar") return piece("absolve", "var(--pal-jar)");
  if (component === "workshop") return piece("develop", "var(--pal-workshop)");
  if (component === "debt") return cards.debt(false);
  if (component === "silver" || component === "provision") return token(component);
  const kind = guide.components.get(component)?.kind ?? "";
  return KINDS[kind]?.(guide, component);
}

/** What is due, read off its name: `pay_debt_or_2_silver` is one or the other. */
function due(name: string): Glyph {
  const parts = name.split("_or_").map(wordsOf);
  return { shape: "tile", fill: "var(--pal-card)", face: choices(parts, 50, 50, parts.length > 1 ? 42 : 66, 88) };
}

/** The words of a name that have an icon, the longest first, each as often as a number before or behind it says. */
export function wordsOf(name: string): string[] {
  const known = Object.keys(ICONS).sort((one, other) => other.length - one.length);
  const all: string[] = [];
  let rest = name;
  while (rest !== "") {
    const count = Number(/^(\d+)_/.exec(rest)?.[1] ?? 1);
    rest = rest.replace(/^\d+_?/, "");
    const word = known.find((each) => rest.startsWith(each));
    if (word === undefined) rest = rest.replace(/^[^_]*_?/, "");
    else {
      rest = rest.slice(word.length).replace(/^_/, "");
      const behind = Number(/^(\d+)$/.exec(rest)?.[1] ?? 1);
      for (let left = Math.max(count, behind); left > 0; left--) all.push(word);
    }
  }
  return all;
}

function piece(of: string, fill: string): Glyph {
  return { shape: "tile", fill, ink: "#fff", icon: ICONS[of] ?? "" };
}

/** Monks and outposts differ in shape, and have the number of their seat. */
function ofSeat(kind: string, seat: string): Glyph {
  const name = kind === "monk" ? "commission" : kind === "outpost" ? "garrison" : "start";
  const ink = "var(--pal-on-seat)";
  return {
    shape: kind === "outpost" ? "tile" : "disc",
    fill: `var(--seat-${seat})`,
    face: [icon(name, 40, 44, 52, ink), text(73, 84, seat, 36, "pal-of-seat title")],
  };
}
