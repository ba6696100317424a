/** Orléans as it lies on a table: map, tracks, deeds, supplies and a mat for everybody. */
import type { KnownTable } from "@boardkeeper/client";
import type { Skin } from "../../stage/scene";
import { followersGlyph } from "../followers/glyphs";
import { type MatPlan, seatMat, tilesOf } from "../followers/mat";
import { Spaces } from "../followers/places";
import { seatsFrom } from "../kit";
import { deedsBoard } from "./deeds";
import { mapBoard } from "./map";
import { eventOf, supplyBoard, tilesBoard } from "./supply";
import { tracksBoard } from "./tracks";

const MAT: MatPlan = {
  columns: 5,
  stocks: [
    ["goods", 150],
    ["drawn", 134],
    ["technology", 66],
    ["citizens", 66],
    ["stations", 62],
  ],
  dues: ["debt", "arrears", "food_due"],
};

export const orleans: Skin = {
  title: "orleans",
  boards(guide, table, seat) {
    const spaces = new Spaces(table, guide);
    const [own = 1, ...others] = seatsFrom(seat, guide.seats.length);
    return [
      mapBoard(guide, table),
      seatMat(guide, table, spaces, own, MAT),
      supplyBoard(guide, table),
      tracksBoard(guide, table),
      deedsBoard(guide, table),
      ...others.map((each) => seatMat(guide, table, spaces, each, MAT)),
      tilesBoard(guide, table, spaces),
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
