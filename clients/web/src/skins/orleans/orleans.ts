/** The skin of Orléans: map, tracks, deeds, supplies and mats. */
import type { Skin } from "../../stage/scene";
import { followersGlyph } from "../followers/glyphs";
import { type MatPlan, ownership, seatMat } from "../followers/mat";
import { type Measures, measuresOf, Spaces } from "../followers/places";
import { Printed, seatsFrom } from "../kit";
import { deedsBoard } from "./deeds";
import { mapBoard } from "./map";
import { eventOf, supplyBoard, tilesBoard } from "./supply";
import { tracksBoard } from "./tracks";

const MAT: Omit<MatPlan, keyof Measures> = {
  stocks: [
    ["goods", 150],
    ["drawn", 140],
    ["technology", 92, "technology"],
    ["citizens", 92],
    ["stations", 102, "station.1"],
  ],
  dues: [
    ["debt", "coin."],
    ["arrears", "coin."],
    ["food_due", "shape.harvest"],
  ],
};

const printed = new Printed();

export const orleans: Skin = {
  title: "orleans",
  least: 0.68,
  boards(guide, table, seat, page) {
    const measures = measuresOf(page);
    const plan = { ...MAT, ...measures };
    const spaces = new Spaces(table, guide);
    const [own = 1, ...others] = seatsFrom(seat, guide.seats.length);
    const { w } = measures;
    const mat = (seat: number) => seatMat(guide, table, spaces, seat, plan).done();
    const map = printed.board(guide, `map ${w}`, () => mapBoard(guide, table, w));
    const near = [mat(own), supplyBoard(guide, table, w).done()];
    return [
      // Among stacked boards the own mat comes first.
      ...(page.isNarrow && seat > 0 ? [...near, map] : [map, ...near]),
      printed.board(guide, `tracks ${w}`, () => tracksBoard(guide, table, w)),
      printed.board(guide, `deeds ${w}`, () => deedsBoard(guide, table, w)),
      ...others.map(mat),
      tilesBoard(guide, table, spaces, measures).done(),
    ];
  },
  depends: (table) => `${eventOf(table)};${ownership(table)}`,
  glyph: followersGlyph,
};
