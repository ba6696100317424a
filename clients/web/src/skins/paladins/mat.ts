/** The board of a seat: its paladin, its attributes and workers, the actions of both sides, and what it has gathered. */
import type { KnownTable } from "@boardkeeper/client";
import type { Board } from "../../stage/scene";
import type { Guide } from "../../table/guide";
import { along, Drawing, row } from "../kit";
import { numberIn, numbersIn, valuesOf, wordIn, wordsIn } from "./facts";
import { card, dues, pile, WIDTH } from "./kingdom";
import { ATTRIBUTES, gains, icon, LEFT, printed, RIGHT, text } from "./tokens";

const EDGE = 8;
const SLOT = 31;
const ACTION = 56;
const LEFT_WIDTH = 142;
const RIGHT_EDGE = EDGE + 146;
const CELL = 23;
const LEVELS = 13;
const UNDER = 7;

/** The board of whoever plays a seat; `near` if it is that of who looks on, who has a hand to read. */
export function mat(guide: Guide, table: KnownTable, seat: number, near: boolean): Board {
  const own = `seat.${seat}`;
  const isOpponent = !table.zones.has(`${own}.hand`);
  const drawing = new Drawing(own, guide.nameOf(seat), seat, WIDTH, 100);
  head(drawing, guide, seat, isOpponent);
  let y = 36;
  if (isOpponent) {
    schemes(drawing, table, own, y);
  } else {
    drawing.rect(EDGE, y, 98, 136, "pal-cell", 8);
    drawing.decor.push(icon("paladin", EDGE + 49, y + 68, 48, "var(--line)"));
    card(drawing, `${own}.paladin`, EDGE, y, 97);
  }
  attributes(drawing, guide, own, 114, y);
  drawing.rect(114, y + 98, WIDTH - 114 - EDGE, 38, "box", 6);
  drawing.spot({ zone: `${own}.workers`, x: 116, y: y + 99, w: WIDTH - 118 - EDGE, h: 36, size: 31, show: "each" });
  y += 144;
  belongings(drawing, guide, own, y);
  y += 44;
  const actions = [...(isOpponent ? ["recruit", "pray", "trade", "conspire"] : LEFT)];
  actions.forEach((action, index) => {
    leftAction(drawing, guide, table, own, action, y + index * ACTION);
    if (near) drawing.sign("action", action, EDGE, y + index * ACTION, LEFT_WIDTH, ACTION - 4);
  });
  RIGHT.forEach((action, index) => {
    rightAction(drawing, guide, table, own, action, y + index * ACTION);
    if (near) drawing.sign("action", action, RIGHT_EDGE, y + index * ACTION, WIDTH - RIGHT_EDGE - EDGE, ACTION - 4);
  });
  if (isOpponent) resources(drawing, guide, table, own, y + actions.length * ACTION);
  y += RIGHT.length * ACTION + 2;
  if (!isOpponent) {
    jarSpaces(drawing, guide, own, y);
    y += 42;
    y = paladins(drawing, table, own, y, near);
    y = hired(drawing, table, own, y);
  }
  drawing.h = y + 4;
  return drawing.done();
}

function head(drawing: Drawing, guide: Guide, seat: number, isOpponent: boolean): void {
  const own = `seat.${seat}`;
  drawing.decor.push({ kind: "glyph", x: 20, y: 19, size: 24, glyph: `seat:${seat}`, role: "clear" });
  drawing.text(38, 25, guide.nameOf(seat), 17, "pal-head", "start", 200);
  if (!isOpponent) {
    drawing.readout(`${own}.silver`, 350, 26, 19, "icon:silver");
    drawing.readout(`${own}.provisions`, 408, 26, 19, "icon:provision");
  }
  const write = (value: number | string) => (value === 1 ? "✓" : "");
  drawing.mark({ kind: "readout", marker: `${own}.passed`, x: 306, y: 26, size: 17, glyph: "icon:passed", write });
}

/** The three tracks under the points that they bring. */
function attributes(drawing: Drawing, guide: Guide, own: string, x: number, y: number): void {
  const step = 24;
  const first = x + 38;
  const points = numbersIn(valuesOf(guide, "points"), "attributes");
  drawing.decor.push(icon("points", x + 11, y + 7, 15));
  for (let level = 0; level < LEVELS; level++) {
    const worth = points[level] ?? 0;
    drawing.text(first + level * step, y + 11, worth > 0 ? String(worth) : "·", 10.5, "faint", "middle");
  }
  ATTRIBUTES.forEach((attribute, index) => {
    const middle = y + 29 + index * 26;
    const track = row(LEVELS, first, middle, step);
    drawing.decor.push(printed(attribute, x + 11, middle, 21));
    track.forEach(({ x }, level) => {
      drawing.rect(x - 11, middle - 11.5, 22, 23, "pal-cell", 4);
      drawing.text(x, middle + 4, String(level), 10.5, "faint", "middle");
    });
    const glyph = `marker:${attribute}`;
    drawing.mark({ kind: "token", marker: `${own}.${attribute}`, seat: 0, glyph, size: 23, at: along(track) });
  });
}

/** Workshops over what they uncover, suspicion, and debts. */
function belongings(drawing: Drawing, guide: Guide, own: string, y: number): void {
  const step = 25;
  const rewards = wordsIn(valuesOf(guide, "workshops"), "row");
  rewards.forEach((reward, index) => {
    drawing.rect(EDGE + 1 + index * step, y + 5, step - 2, 27, "pal-cell", 4);
    drawing.decor.push(printed(reward, EDGE + index * step + step / 2, y + 18.5, 19));
  });
  const w = (rewards.length || 8) * step;
  drawing.spot({ zone: `${own}.workshops`, x: EDGE, y: y + 4, w, h: 29, size: step, show: "each", align: "end" });
  const box = (zone: string, x: number, w: number, what: string, as?: string) => {
    drawing.rect(x, y, w, 38, "box", 6);
    drawing.decor.push(icon(what, x + 11, y + 19, 15, "var(--faint)"));
    drawing.spot({
      zone: `${own}.${zone}`,
      x: x + 20,
      y: y + 1,
      w: w - 22,
      h: 36,
      size: 28,
      show: as ? "count" : "each",
      piled: !as,
      ...(as ? { as: () => as } : {}),
    });
  };
  box("suspicion", 216, 112, "suspicion");
  box("unpaid", 332, 58, "debt", "debt:unpaid");
  box("paid", 394, 58, "pay_debt", "debt:paid");
}

/** The frame of an action with its name and its slots, each a place for one worker. */
function action(
  drawing: Drawing,
  guide: Guide,
  table: KnownTable,
  own: string,
  id: string,
  x: number,
  y: number,
  w: number,
) {
  const values = valuesOf(guide, id);
  drawing.rect(x, y, w, ACTION - 4, "box", 6);
  drawing.decor.push(icon(id, x + 11, y + 9.5, 14));
  drawing.text(x + 20, y + 13.5, guide.text(id), 11, "pal-name", "start", w < 200 ? 82 : 62);
  const workshops = numberIn(values, "workshops");
  const slots = wordsIn(values, "slots");
  for (let index = 0; table.zones.has(`${own}.${id}.${index + 1}`); index++) {
    const zone = `${own}.${id}.${index + 1}`;
    const left = x + 5 + index * (SLOT + 1);
    drawing.rect(left, y + 18, SLOT, SLOT, index < workshops ? "pal-cell pal-dashed" : "pal-cell", 15.5);
    drawing.decor.push({
      kind: "glyph",
      x: left + SLOT / 2,
      y: y + 18 + SLOT / 2,
      size: 25,
      glyph: `token:${slots[index] ?? "any"}`,
      role: "pal-asked",
    });
    drawing.spot({ zone, x: left, y: y + 18, w: SLOT, h: SLOT, size: SLOT, show: "each" });
  }
}

/** An action of the left side: what it costs, and what it gives for one worker and for both. */
function leftAction(drawing: Drawing, guide: Guide, table: KnownTable, own: string, id: string, y: number): void {
  const w = LEFT_WIDTH;
  action(drawing, guide, table, own, id, EDGE, y, w);
  const values = valuesOf(guide, id);
  const price = numbersIn(values, "silver")[0];
  const right = EDGE + w - 8;
  if (price !== undefined) {
    drawing.decor.push(text(right - 18, y + 14, `−${price}`, 11, "", "end"), printed("silver", right - 8, y + 10, 13));
  }
  const x = EDGE + 5 + wordsIn(values, "slots").length * (SLOT + 1);
  const one = wordsIn(values, "one");
  const two = wordsIn(values, "two");
  const middle = (x + right) / 2 + 2;
  if (two.length > 0) {
    drawing.decor.push(
      text(x + 8, y + 32, "1", 10, "faint"),
      ...gains(one, middle + 2, y + 28, 16, 46),
      text(x + 8, y + 47, "2", 10, "faint"),
      ...gains(two, middle + 2, y + 43, 16, 46),
    );
  } else if (one.length > 0) drawing.decor.push(...gains(one, middle, y + 34, 24, 60));
  else drawing.decor.push(icon(id, middle, y + 34, 24, "var(--line)"));
}

/** An action of the right side: its prices above, what it asks for below, and its pieces or cards in a row between. */
function rightAction(drawing: Drawing, guide: Guide, table: KnownTable, own: string, id: string, y: number): void {
  const left = RIGHT_EDGE;
  const w = WIDTH - left - EDGE;
  action(drawing, guide, table, own, id, left, y, w);
  const values = valuesOf(guide, id);
  const cells = left + 5 + 3 * (SLOT + 1) + 4;
  const provisions = numbersIn(values, "provisions");
  const prices = provisions.length > 0 ? provisions : numbersIn(values, "silver");
  if (prices.length > 1) {
    drawing.decor.push(printed(provisions.length > 0 ? "provision" : "silver", cells - 6, y + 9, 11));
  }
  prices.forEach((price, index) => {
    drawing.text(cells + (index + 0.5) * CELL, y + 13, String(price), 10.5, "", "middle");
  });
  const points = numbersIn(valuesOf(guide, "points"), id);
  const thresholds = numbersIn(values, "thresholds");
  const asked =
    id === "absolve" && thresholds.length === 0 ? numbersIn(valuesOf(guide, "jars"), "numbers") : thresholds;
  const right = left + w - 15;
  if (id !== "attack") {
    for (let index = 0; index < numberIn(values, "limit", 7); index++) {
      const x = cells + index * CELL;
      drawing.rect(x + 0.5, y + 17, CELL - 1, CELL - 1, "pal-cell", 4);
      const worth = points[index + 1] ?? 0;
      if (worth > 0) {
        drawing.decor.push(
          icon("points", x + CELL / 2, y + 28, 19),
          text(x + CELL / 2, y + 31.5, String(worth), 10, "pal-light title"),
        );
      }
      const asks = asked[index];
      if (asks !== undefined) drawing.text(x + CELL / 2, y + 49, String(asks), 9.5, "faint", "middle");
    }
    if (asked.length > 0) drawing.decor.push(printed(wordIn(values, "needs"), cells - 6, y + 46, 9));
  } else {
    drawing.rect(cells + 0.5, y + 17, 7 * CELL - 1, CELL + 8, "pal-cell", 4);
    drawing.decor.push(
      printed("strength", cells + 52, y + 9, 11),
      text(cells + 80, y + 13, `${numberIn(values, "missing_per_silver")} = 1`, 10.5),
      printed("silver", cells + 106, y + 9, 11),
    );
  }
  drawing.decor.push(
    printed(wordIn(values, "needs"), right + 2, y + 15, 15),
    text(right + 2, y + 30, "↓", 9, "faint"),
    printed(wordIn(values, "gain"), right + 2, y + 39, 15),
  );
  const zone = GATHERED[id];
  if (zone) {
    const at = { zone: `${own}.${zone}`, x: cells, y: y + 16, w: 7 * CELL, h: id === "attack" ? CELL + 9 : CELL + 1 };
    const fills = zone === "walls" || zone === "attacked" || zone === "converted";
    const as =
      fills && zone !== "walls"
        ? { as: (component: string) => (component === "?" ? component : `${zone}:${component}`) }
        : {};
    drawing.spot({ ...at, size: CELL, show: "each", align: fills ? "start" : "end", ...as });
  }
}

/** The zone that has the pieces or cards of an action. */
const GATHERED: Readonly<Record<string, string>> = {
  commission: "monks",
  fortify: "walls",
  garrison: "outposts",
  absolve: "jars",
  attack: "attacked",
  convert: "converted",
};

/** The spaces for jars that have been taken, with what each gives. */
function jarSpaces(drawing: Drawing, guide: Guide, own: string, y: number): void {
  const kinds = jarKinds(guide);
  const side = 32;
  let x = EDGE + 24;
  drawing.decor.push(icon("absolve", EDGE + 12, y + 18, 18, "var(--faint)"));
  const count = kinds.reduce((sum, { copies }) => sum + copies, 0);
  const step = (WIDTH - EDGE - x - kinds.length * 5) / Math.max(count, 1);
  for (const { kind, gain, copies } of kinds) {
    const w = copies * step;
    drawing.rect(x, y + 1, w, side + 2, "box", 6);
    for (let at = 0; at < copies; at++) {
      drawing.rect(x + at * step + 2.5, y + 3.5, step - 5, side - 3, "pal-cell", 6);
      drawing.decor.push(...gains(gain, x + (at + 0.5) * step, y + 18, gain.length > 1 ? 16 : 22, step - 11));
    }
    drawing.spot({ zone: `${own}.jar.${kind}`, x, y: y + 1, w, h: side + 2, size: step, show: "each", align: "start" });
    x += w + 5;
  }
}

/** Kinds of jar spaces, from the ids of the spaces: `jar_space_pray_2` is the second of its kind. */
function jarKinds(guide: Guide): { kind: string; gain: string[]; copies: number }[] {
  const kinds = new Map<string, { kind: string; gain: string[]; copies: number }>();
  for (const { id, kind: what, values } of guide.components.values()) {
    if (what !== "jar_space") continue;
    const kind = id.replace(/^jar_space_/, "").replace(/_\d+$/, "");
    const known = kinds.get(kind);
    if (known) known.copies += 1;
    else kinds.set(kind, { kind, gain: wordsIn(values, "gain"), copies: 1 });
  }
  return [...kinds.values()];
}

/** The cards of the paladins that are still to come: in hand, chosen, in the deck, over and under it. */
function paladins(drawing: Drawing, table: KnownTable, own: string, y: number, isOwn: boolean): number {
  const near = isOwn && (table.zones.get(`${own}.hand`)?.count ?? 0) > 0;
  const w = near ? 84 : 40;
  const hand = 3 * w;
  drawing.rect(EDGE, y, hand + 8, w * 1.4 + 6, "box", 6);
  drawing.spot({ zone: `${own}.hand`, x: EDGE + 4, y: y + 3, w: hand, h: w * 1.4, size: w, show: "each" });
  const x = EDGE + hand + 16;
  card(drawing, `${own}.chosen`, x, y + 3, near ? 60 : 40);
  const far = near ? x + 66 : x + 46;
  pile(drawing, `${own}.again`, "paladin", far, y + 3, 36);
  pile(drawing, `${own}.deck`, "paladin", far + 40, y + 3, 36);
  pile(drawing, `${own}.retired`, "paladin", far + 80, y + 3, 36);
  const left = near ? far : far + 124;
  for (let at = 1; at <= UNDER; at++) {
    drawing.spot({
      zone: `${own}.under.${at}`,
      x: left + ((at - 1) % 2) * 59,
      y: (near ? y + 60 : y + 2) + Math.floor((at - 1) / 2) * 15,
      w: 58,
      h: 14,
      size: 58,
      show: "each",
      quiet: true,
      as: (component) => `strip:${component}`,
    });
  }
  return y + w * 1.4 + 12;
}

/** Townsfolk who work for the seat, and those whose turn it is in an inquisition. */
function hired(drawing: Drawing, table: KnownTable, own: string, y: number): number {
  const count = table.zones.get(`${own}.townsfolk`)?.count ?? 0;
  const rows = Math.max(1, Math.ceil(count / 6));
  const w = 74;
  const h = rows * w * 0.62;
  drawing.rect(EDGE, y, WIDTH - 2 * EDGE, h + 6, "box", 6);
  const as = (component: string) => `hired:${component}`;
  drawing.spot({ zone: `${own}.townsfolk`, x: EDGE, y: y + 3, w: 6 * w, h, size: w, show: "each", align: "start", as });
  return inquiry(drawing, table, own, y + h + 12, as);
}

function inquiry(
  drawing: Drawing,
  table: KnownTable,
  own: string,
  y: number,
  as: (component: string) => string,
): number {
  const waits = (table.zones.get(`${own}.inquiry`)?.count ?? 0) > 0;
  const h = waits ? 46 : 0;
  if (waits) drawing.decor.push(icon("inquisition", EDGE + 14, y + 22, 22));
  drawing.spot({
    zone: `${own}.inquiry`,
    x: EDGE + 30,
    y: waits ? y : y - 10,
    w: 400,
    h: waits ? h : 10,
    size: 74,
    show: "each",
    align: "start",
    quiet: true,
    as,
  });
  return y + h;
}

/** What only the opponent has: its schemes, and what is due to it. */
function schemes(drawing: Drawing, table: KnownTable, own: string, y: number): void {
  pile(drawing, "schemes.deck", "scheme", EDGE, y, 47);
  pile(drawing, "schemes.favour", "scheme", EDGE, y + 70, 47);
  const open = { x: EDGE + 51, y, w: 47, h: 47 * 1.4, size: 47 };
  drawing.spot({ zone: "schemes.discard", ...open, show: "count", outline: "card" });
  drawing.decor.push(icon("favour", EDGE + 74, y + 103, 24, "var(--line)"));
  dues(drawing, table, `${own}.due.`, 130, 20, WIDTH - 140);
}

/** Where others have silver and provisions, it has a track; and the scheme that it follows. */
function resources(drawing: Drawing, guide: Guide, table: KnownTable, own: string, y: number): void {
  const fields = numberIn(valuesOf(guide, "opponent"), "resource_fields", 5);
  const points = row(fields, EDGE + 18, y + 24, 26);
  drawing.rect(EDGE, y, 142, 2 * ACTION - 4, "box", 6);
  for (const { x, y } of points) drawing.rect(x - 12, y - 12, 24, 24, "pal-cell", 4);
  drawing.mark({
    kind: "token",
    marker: `${own}.field`,
    seat: 0,
    glyph: "icon:silver",
    size: 21,
    at: along(points, 1),
  });
  if (table.markers.has("scheme")) {
    const write = (value: number | string) => guide.text(String(value)).replace(/^.*: /, "");
    drawing.mark({ kind: "readout", marker: "scheme", x: EDGE + 14, y: y + 66, size: 11, glyph: "icon:scheme", write });
  }
  drawing.decor.push(icon("absolve", EDGE + 12, y + 92, 15, "var(--faint)"));
  const zone = `${own}.turned_jars`;
  drawing.spot({ zone, x: EDGE + 24, y: y + 80, w: 116, h: 24, size: 21, show: "each", align: "start" });
}
