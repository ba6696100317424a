/** Orléans as it lies on a table: map, tracks, deeds, supplies and a mat for everybody. */
import type { KnownTable } from "@boardkeeper/client";
import type { Skin } from "../../stage/scene";
import { followersGlyph } from "../followers/glyphs";
import { type MatPlan, seatMat, tilesOf } from "../followers/mat";
import { type Measures, measuresOf, Spaces } from "../followers/places";
import { seatsFrom } from "../kit";
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

export const orleans: Skin = {
  title: "orleans",
  boards(guide, table, seat, page) {
    const measures = measuresOf(page);
    const plan = { ...MAT, ...measures };
    const spaces = new Spaces(table, guide);
    const [own = 1, ...others] = seatsFrom(seat, guide.seats.length);
    const map = mapBoard(guide, table, measures.w);
    const near = [seatMat(guide, table, spaces, own, plan), supplyBoard(guide, table, measures.w)];
    return [
      // Where boards stand one below the other, the own mat is what is needed most.
      ...(page.isNarrow && seat > 0 ? [...near, map] : [map, ...near]),
      tracksBoard(guide, table, measures.w),
      deedsBoard(guide, table, measures.w),
      ...others.map((each) => seatMat(guide, table, spaces, each, plan)),
      tilesBoard(guide, table, spaces, measures),
    ].map((drawing) => drawing.done());
  },
  depends: (table) => `${eventOf(table)};${ownership(table)}`,
  glyph: followersGlyph,
};

/** Who owns which place tiles. */
function ownership(table: KnownTable): string {
  const owned: string[] = [];
  for (let seat = 1; table.zones.has(`seat.${seat}.place_tiles`); seat++) owned.push(tilesOf(table, seat).join());
  return owned.join(";");
}
