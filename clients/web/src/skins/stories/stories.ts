/** The skin of Orléans Stories: map, eras, fame, deeds, supplies and mats. */
import type { KnownTable } from "@boardkeeper/client";
import type { Page, Skin } from "../../stage/scene";
import { ownership } from "../followers/mat";
import { type Measures, Spaces } from "../followers/places";
import { Printed, seatsFrom } from "../kit";
import { deedsBoard } from "./deeds";
import { erasBoard, eventOf } from "./eras";
import { fameBoard } from "./fame";
import { storiesGlyph } from "./glyphs";
import { landOf, mapBoard } from "./map";
import { seatMat } from "./mat";
import { missionOf } from "./nations";
import { cardsOnOffer, supplyBoard } from "./supply";

const printed = new Printed();

export const stories: Skin = {
  title: "stories",
  least: 0.68,
  boards(guide, table, seat, page) {
    const measures = measuresOf(page);
    const { w } = measures;
    const spaces = new Spaces(table, guide);
    const [own = 1, ...others] = seatsFrom(seat, guide.seats.length);
    const mat = (seat: number) => seatMat(guide, table, spaces, seat, measures).done();
    const map = printed.board(guide, `map ${w} ${landOf(table)}`, () => mapBoard(guide, table, w));
    const near = [mat(own), erasBoard(guide, table, w).done()];
    return [
      // Among stacked boards the own mat comes first.
      ...(page.isNarrow && seat > 0 ? [...near, map] : [map, ...near]),
      printed.board(guide, `fame ${w}`, () => fameBoard(guide, w)),
      printed.board(guide, `deeds ${w}`, () => deedsBoard(guide, table, w)),
      printed.board(guide, `supply ${w}`, () => supplyBoard(guide, table, w)),
      ...others.map(mat),
      cardsOnOffer(guide, table, spaces, measures).done(),
    ];
  },
  depends: (table) => [eventOf(table), landOf(table), open(table), completed(table), owned(table)].join(";"),
  glyph: storiesGlyph,
};

/** Return measures with three columns: names are long here, and places many. */
function measuresOf({ isNarrow }: Page): Measures {
  return isNarrow ? { w: 400, columns: 2, tileColumns: 2 } : { w: 600, columns: 3, tileColumns: 3 };
}

/** Return a string of the open missions. */
function open(table: KnownTable): string {
  return ["england", "france"].map((nation) => missionOf(table, nation)).join();
}

/** Return a string of the completed deeds. */
function completed(table: KnownTable): string {
  return [...table.markers.values()]
    .filter(({ id }) => id.endsWith(".completed"))
    .map(({ value }) => String(value))
    .join("");
}

/** Return a string of the available place cards and the owners of others. */
function owned(table: KnownTable): string {
  const zones = [...table.zones.values()].filter(({ id }) => id.startsWith("cards."));
  return [...zones.map(({ count }) => count), ownership(table)].filter((it) => it !== "").join(";");
}
