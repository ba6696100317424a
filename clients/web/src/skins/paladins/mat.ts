/** A seat's board: paladin, attributes, workers, actions of both sides, and collected cards and pieces. */
import type { KnownTable } from "@boardkeeper/client";
import type { Board, Scalar } from "../../stage/scene";
import type { Guide } from "../../table/guide";
import { text } from "../faces";
import { numberIn, numbersIn, valuesOf, wordIn, wordsIn } from "../facts";
import { along, Drawing, dues, row } from "../kit";
import { WIDTH } from "./kingdom";
import { ATTRIBUTES, looks, shortOf } from "./looks";
import data from "./paladins.json" with { type: "json" };

const EDGE = 8;
const SLOT = 31;
const ACTION = 56;
const LEFT_WIDTH = 142;
const RIGHT_EDGE = EDGE + 146;
const RIGHT_WIDTH = WIDTH - RIGHT_EDGE - EDGE;
const CELL = 23;
const LEVELS = 13;
const UNDER = 7;

/** The look of an action's pieces or cards; actions of the left side have none. */
const GATHERED: Readonly<Record<string, { zone: string; align: string; as?: string }>> = data.mat.gathered;

/** Draw the board of a seat; `near` means that it is the viewer's, with a legible hand. */
export function mat(guide: Guide, table: KnownTable, seat: number, near: boolean): Board {
  const own = `seat.${seat}`;
  const isOpponent = !table.zones.has(`${own}.hand`);
  const drawing = new Drawing(own, guide.nameOf(seat), seat, WIDTH, 100);
  head(drawing, guide, seat, isOpponent);
  let y = 36;
  if (isOpponent) schemes(drawing, table, own, y);
  else {
    drawing.rect(EDGE, y, 98, 136, "pal-cell", 8);
    drawing.print(looks.icon("paladin", EDGE + 49, y + 68, 48, "var(--line)")).card(`${own}.paladin`, EDGE, y, 97);
  }
  attributes(drawing, guide, own, 114, y);
  drawing.rect(114, y + 98, WIDTH - 114 - EDGE, 38, "box", 6);
  drawing.place(`${own}.workers`, 116, y + 99, WIDTH - 118 - EDGE, 36, 31);
  y += 144;
  belongings(drawing, guide, own, y);
  y += 44;
  const { left, opponent_left, right } = data.mat;
  const actions = isOpponent ? opponent_left : left;
  actions.forEach((id, index) => {
    leftAction(drawing, guide, table, own, id, y + index * ACTION);
    if (near) drawing.sign("action", id, EDGE, y + index * ACTION, LEFT_WIDTH, ACTION - 4);
  });
  right.forEach((id, index) => {
    rightAction(drawing, guide, table, own, id, y + index * ACTION);
    if (near) drawing.sign("action", id, RIGHT_EDGE, y + index * ACTION, RIGHT_WIDTH, ACTION - 4);
  });
  if (isOpponent) resources(drawing, guide, table, own, y + actions.length * ACTION);
  y += right.length * ACTION + 2;
  if (!isOpponent) {
    jarSpaces(drawing, guide, own, y);
    y = paladins(drawing, table, own, y + 42, near);
    y = hired(drawing, table, own, y);
  }
  drawing.h = y + 4;
  return drawing.done();
}

function head(drawing: Drawing, guide: Guide, seat: number, isOpponent: boolean): void {
  const own = `seat.${seat}`;
  drawing.printed(20, 19, 24, `seat:${seat}`, "clear");
  drawing.text(38, 25, guide.nameOf(seat), 17, "pal-head", "start", 200);
  if (!isOpponent) {
    drawing.readout(`${own}.silver`, 350, 26, 19, "icon:silver");
    drawing.readout(`${own}.provisions`, 408, 26, 19, "icon:provision");
  }
  drawing.written(`${own}.passed`, 306, 26, 17, (value) => (value === 1 ? "✓" : ""), { glyph: "icon:passed" });
}

/** Draw the three attribute tracks below their points. */
function attributes(drawing: Drawing, guide: Guide, own: string, x: number, y: number): void {
  const step = 24;
  const first = x + 38;
  const points = numbersIn(valuesOf(guide, "points"), "attributes");
  drawing.print(looks.icon("points", x + 11, y + 7, 15));
  for (let level = 0; level < LEVELS; level++)
    drawing.text(first + level * step, y + 11, String(points[level] || "·"), 10.5, "faint", "middle");
  ATTRIBUTES.forEach((attribute, index) => {
    const middle = y + 29 + index * 26;
    const track = row(LEVELS, first, middle, step);
    drawing.print(looks.printed(attribute, x + 11, middle, 21));
    track.forEach(({ x }, level) => {
      drawing.rect(x - 11, middle - 11.5, 22, 23, "pal-cell", 4);
      drawing.text(x, middle + 4, String(level), 10.5, "faint", "middle");
    });
    drawing.token(`${own}.${attribute}`, 0, `marker:${attribute}`, 23, along(track));
  });
}

/** Draw workshops above the spaces that they uncover, suspicion, and debts. */
function belongings(drawing: Drawing, guide: Guide, own: string, y: number): void {
  const step = 25;
  const rewards = wordsIn(valuesOf(guide, "workshops"), "row");
  rewards.forEach((reward, index) => {
    drawing.rect(EDGE + 1 + index * step, y + 5, step - 2, 27, "pal-cell", 4);
    drawing.print(looks.printed(reward, EDGE + index * step + step / 2, y + 18.5, 19));
  });
  drawing.place(`${own}.workshops`, EDGE, y + 4, (rewards.length || 8) * step, 29, step, { align: "end" });
  for (const { zone, icon, x, w, back } of data.mat.boxes) {
    drawing.rect(x, y, w, 38, "box", 6).print(looks.icon(icon, x + 11, y + 19, 15, "var(--faint)"));
    const show = back ? ({ show: "count", piled: false, as: () => back } as const) : { piled: true };
    drawing.place(`${own}.${zone}`, x + 20, y + 1, w - 22, 36, 28, show);
  }
}

/** Draw the frame of an action with its name and worker slots; return the end of the slots. */
function action(
  drawing: Drawing,
  guide: Guide,
  table: KnownTable,
  own: string,
  id: string,
  x: number,
  y: number,
): void {
  const w = x === EDGE ? LEFT_WIDTH : RIGHT_WIDTH;
  const values = valuesOf(guide, id);
  drawing.rect(x, y, w, ACTION - 4, "box", 6).print(looks.icon(id, x + 11, y + 9.5, 14));
  drawing.text(x + 20, y + 13.5, guide.text(id), 11, "pal-name", "start", w < 200 ? 82 : 62);
  const slots = wordsIn(values, "slots");
  for (let index = 0; table.zones.has(`${own}.${id}.${index + 1}`); index++) {
    const left = x + 5 + index * (SLOT + 1);
    const role = index < numberIn(values, "workshops") ? "pal-cell pal-dashed" : "pal-cell";
    drawing.print({ kind: "rect", x: left, y: y + 18, w: SLOT, h: SLOT, r: 15.5, role });
    drawing.printed(left + SLOT / 2, y + 18 + SLOT / 2, 25, `token:${slots[index] ?? "any"}`, "pal-asked");
    drawing.place(`${own}.${id}.${index + 1}`, left, y + 18, SLOT, SLOT, SLOT);
  }
}

/** Draw an action of the left side: its cost, and its rewards for one worker and for both. */
function leftAction(drawing: Drawing, guide: Guide, table: KnownTable, own: string, id: string, y: number): void {
  action(drawing, guide, table, own, id, EDGE, y);
  const values = valuesOf(guide, id);
  const price = numbersIn(values, "silver")[0];
  const right = EDGE + LEFT_WIDTH - 8;
  if (price !== undefined) {
    drawing.print(text(right - 18, y + 14, `−${price}`, 11, "", "end"), looks.printed("silver", right - 8, y + 10, 13));
  }
  const x = EDGE + 5 + wordsIn(values, "slots").length * (SLOT + 1);
  const one = wordsIn(values, "one");
  const two = wordsIn(values, "two");
  const middle = (x + right) / 2 + 2;
  if (two.length > 0) {
    drawing.print(text(x + 8, y + 32, "1", 10, "faint"), ...looks.gains(one, middle + 2, y + 28, 16, 46));
    drawing.print(text(x + 8, y + 47, "2", 10, "faint"), ...looks.gains(two, middle + 2, y + 43, 16, 46));
  } else if (one.length > 0) drawing.print(...looks.gains(one, middle, y + 34, 24, 60));
  else drawing.print(looks.icon(id, middle, y + 34, 24, "var(--line)"));
}

/** Draw an action of the right side: prices above, requirements below, pieces or cards between. */
function rightAction(drawing: Drawing, guide: Guide, table: KnownTable, own: string, id: string, y: number): void {
  action(drawing, guide, table, own, id, RIGHT_EDGE, y);
  const values = valuesOf(guide, id);
  const cells = RIGHT_EDGE + 5 + 3 * (SLOT + 1) + 4;
  const provisions = numbersIn(values, "provisions");
  const prices = provisions.length > 0 ? provisions : numbersIn(values, "silver");
  if (prices.length > 1)
    drawing.print(looks.printed(provisions.length > 0 ? "provision" : "silver", cells - 6, y + 9, 11));
  prices.forEach((price, index) => {
    drawing.text(cells + (index + 0.5) * CELL, y + 13, String(price), 10.5, "", "middle");
  });
  if (id === "attack") {
    drawing.rect(cells + 0.5, y + 17, 7 * CELL - 1, CELL + 8, "pal-cell", 4);
    drawing.print(
      looks.printed("strength", cells + 52, y + 9, 11),
      text(cells + 80, y + 13, `${numberIn(values, "missing_per_silver")} = 1`, 10.5),
      looks.printed("silver", cells + 106, y + 9, 11),
    );
  } else pointsOf(drawing, guide, id, cells, y);
  const right = RIGHT_EDGE + RIGHT_WIDTH - 13;
  drawing.print(
    looks.printed(wordIn(values, "needs"), right, y + 15, 15),
    text(right, y + 30, "↓", 9, "faint"),
    looks.printed(wordIn(values, "gain"), right, y + 39, 15),
  );
  const { zone, align, as } = GATHERED[id] ?? { zone: id, align: "start" };
  drawing.place(`${own}.${zone}`, cells, y + 16, 7 * CELL, id === "attack" ? CELL + 9 : CELL + 1, CELL, {
    align: align as "start" | "end",
    ...(as ? { as: (component: string) => (component === "?" ? component : `${as}:${component}`) } : {}),
  });
}

/** Draw a cell for each piece of an action, with its points and requirements. */
function pointsOf(drawing: Drawing, guide: Guide, id: string, cells: number, y: number): void {
  const values = valuesOf(guide, id);
  const points = numbersIn(valuesOf(guide, "points"), id);
  const thresholds = numbersIn(values, "thresholds");
  const isByJars = id === "absolve" && thresholds.length === 0;
  const asked = isByJars ? numbersIn(valuesOf(guide, "jars"), "numbers") : thresholds;
  for (let index = 0; index < numberIn(values, "limit", 7); index++) {
    const x = cells + index * CELL;
    drawing.rect(x + 0.5, y + 17, CELL - 1, CELL - 1, "pal-cell", 4);
    const worth = points[index + 1] ?? 0;
    if (worth > 0) {
      drawing.print(looks.icon("points", x + CELL / 2, y + 28, 19));
      drawing.print(text(x + CELL / 2, y + 31.5, String(worth), 10, "pal-light title"));
    }
    const asks = asked[index];
    if (asks !== undefined) drawing.text(x + CELL / 2, y + 49, String(asks), 9.5, "faint", "middle");
  }
  if (asked.length > 0) drawing.print(looks.printed(wordIn(values, "needs"), cells - 6, y + 46, 9));
}

/** Draw the spaces of taken jars with their rewards. */
function jarSpaces(drawing: Drawing, guide: Guide, own: string, y: number): void {
  // `jar_space_pray_2` is the second space of its kind.
  const spaces = [...guide.components.values()].filter(({ kind }) => kind === "jar_space");
  const kindOf = (id: string) => id.replace(/^jar_space_/, "").replace(/_\d+$/, "");
  const kinds = new Set(spaces.map(({ id }) => kindOf(id)));
  const side = 32;
  let x = EDGE + 24;
  drawing.print(looks.icon("absolve", EDGE + 12, y + 18, 18, "var(--faint)"));
  const step = (WIDTH - EDGE - x - kinds.size * 5) / Math.max(spaces.length, 1);
  for (const kind of kinds) {
    const copies = spaces.filter(({ id }) => kindOf(id) === kind);
    const gain = wordsIn(copies[0]?.values ?? {}, "gain");
    const w = copies.length * step;
    drawing.rect(x, y + 1, w, side + 2, "box", 6);
    for (let at = 0; at < copies.length; at++) {
      drawing.rect(x + at * step + 2.5, y + 3.5, step - 5, side - 3, "pal-cell", 6);
      drawing.print(...looks.gains(gain, x + (at + 0.5) * step, y + 18, gain.length > 1 ? 16 : 22, step - 11));
    }
    drawing.place(`${own}.jar.${kind}`, x, y + 1, w, side + 2, step, { align: "start" });
    x += w + 5;
  }
}

/** Draw the cards of future paladins: hand, chosen card, deck, above and below it. */
function paladins(drawing: Drawing, table: KnownTable, own: string, y: number, isOwn: boolean): number {
  const near = isOwn && (table.zones.get(`${own}.hand`)?.count ?? 0) > 0;
  const w = near ? 84 : 40;
  drawing.rect(EDGE, y, 3 * w + 8, w * 1.4 + 6, "box", 6);
  drawing.place(`${own}.hand`, EDGE + 4, y + 3, 3 * w, w * 1.4, w);
  const x = EDGE + 3 * w + 16;
  drawing.card(`${own}.chosen`, x, y + 3, near ? 60 : 40);
  const far = near ? x + 66 : x + 46;
  ["again", "deck", "retired"].forEach((zone, index) => {
    drawing.pile(`${own}.${zone}`, "back:paladin", far + 40 * index, y + 3, 36);
  });
  const left = near ? far : far + 124;
  for (let at = 0; at < UNDER; at++) {
    const top = (near ? y + 60 : y + 2) + Math.floor(at / 2) * 15;
    const as = (component: string) => `strip:${component}`;
    drawing.place(`${own}.under.${at + 1}`, left + (at % 2) * 59, top, 58, 14, 58, { quiet: true, as });
  }
  return y + w * 1.4 + 12;
}

/** Draw hired townsfolk, and those that an inquisition examines. */
function hired(drawing: Drawing, table: KnownTable, own: string, y: number): number {
  const w = 74;
  const h = Math.max(1, Math.ceil((table.zones.get(`${own}.townsfolk`)?.count ?? 0) / 6)) * w * 0.62;
  const as = { align: "start", as: (component: string) => `hired:${component}` } as const;
  drawing.rect(EDGE, y, WIDTH - 2 * EDGE, h + 6, "box", 6);
  drawing.place(`${own}.townsfolk`, EDGE, y + 3, 6 * w, h, w, as);
  const below = y + h + 12;
  const waits = (table.zones.get(`${own}.inquiry`)?.count ?? 0) > 0;
  if (waits) drawing.print(looks.icon("inquisition", EDGE + 14, below + 22, 22));
  const [top, high] = waits ? [below, 46] : [below - 10, 10];
  drawing.place(`${own}.inquiry`, EDGE + 30, top, 400, high, w, { ...as, quiet: true });
  return top + high;
}

/** Draw the automaton's schemes and pending rewards. */
function schemes(drawing: Drawing, table: KnownTable, own: string, y: number): void {
  drawing.pile("schemes.deck", "back:scheme", EDGE, y, 47).pile("schemes.favour", "back:scheme", EDGE, y + 70, 47);
  drawing.place("schemes.discard", EDGE + 51, y, 47, 47 * 1.4, 47, { show: "count", outline: "card" });
  drawing.print(looks.icon("favour", EDGE + 74, y + 103, 24, "var(--line)"));
  dues(drawing, table, `${own}.due.`, 130, 20, WIDTH - 140);
}

/** Draw the automaton's track, which replaces silver and provisions, and its current scheme. */
function resources(drawing: Drawing, guide: Guide, table: KnownTable, own: string, y: number): void {
  const points = row(numberIn(valuesOf(guide, "opponent"), "resource_fields", 5), EDGE + 18, y + 24, 26);
  drawing.rect(EDGE, y, LEFT_WIDTH, 2 * ACTION - 4, "box", 6);
  for (const { x, y } of points) drawing.rect(x - 12, y - 12, 24, 24, "pal-cell", 4);
  drawing.token(`${own}.field`, 0, "icon:silver", 21, along(points, 1));
  if (table.markers.has("scheme")) {
    const write = (value: Scalar) => shortOf(guide.text(String(value)));
    drawing.written("scheme", EDGE + 14, y + 66, 11, write, { glyph: "icon:scheme" });
  }
  drawing.print(looks.icon("absolve", EDGE + 12, y + 92, 15, "var(--faint)"));
  drawing.place(`${own}.turned_jars`, EDGE + 24, y + 80, 116, 24, 21, { align: "start" });
}
