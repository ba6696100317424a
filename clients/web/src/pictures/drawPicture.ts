/** Drawing of one table as one picture. */
import type { KnownTable } from "@boardkeeper/client";
import { render } from "svelte/server";
import appSheet from "../app/app.css?raw";
import followersSheet from "../skins/followers/followers.css?raw";
import orleansSheet from "../skins/orleans/orleans.css?raw";
import paladinsSheet from "../skins/paladins/paladins.css?raw";
import { skinOf } from "../skins/skins";
import storiesSheet from "../skins/stories/stories.css?raw";
import { Pieces } from "../stage/pieces";
import Stage from "../stage/Stage.svelte";
import type { Board } from "../stage/scene";
import type { Guide } from "../table/guide";
import { type Appearance, flatten, pageColor } from "./flatten";
import { escapeXml, parse } from "./markup";
import { Sheet } from "./sheets";

/** The requested picture. */
export interface PictureRequest {
  /** The accessible name. */
  readonly name: string;
  /** The viewer, whose boards come first; 0 for a spectator. */
  readonly seat: number;
  readonly dark: boolean;
  /** Pixels. */
  readonly width: number;
  /** Pixels, into which the boards are fitted; 0 for the height that they need. */
  readonly height: number;
  /** Pixels of the page, in place of `height`, without rearranging the boards. */
  readonly paper: number;
  /** The ids of the boards to draw; empty for all. */
  readonly boards: readonly string[];
}

export interface Picture {
  readonly svg: string;
  /** Pixels. */
  readonly width: number;
  readonly height: number;
  /** The ids of all boards. */
  readonly boards: readonly string[];
}

/** The page size in pixels for arranging boards, unless another shape is requested. */
const PAGE = { width: 1600, height: 880 };

/** The margin around the boards, in their units. */
const MARGIN = 12;

const sheet = new Sheet([appSheet, followersSheet, orleansSheet, paladinsSheet, storiesSheet].join("\n"));

/** Draw a table. */
export function drawPicture(table: KnownTable, guide: Guide, request: PictureRequest): Picture {
  const skin = skinOf(guide.title);
  let boards: Board[] = [];
  const chosen = {
    ...skin,
    glyph: skin.glyph.bind(skin),
    boards: (...scene: Parameters<typeof skin.boards>) => {
      boards = skin.boards(...scene);
      return request.boards.length > 0 ? boards.filter(({ id }) => request.boards.includes(id)) : boards;
    },
  };
  const { body } = render(Stage, {
    props: {
      table,
      pieces: new Pieces(table),
      isWhole: true,
      guide,
      skin: chosen,
      seat: request.seat,
      lit: new Map<string, number>(),
      picked: new Set<string>(),
      asking: false,
      touched: new Set<string>(),
      glide: 0,
      page: request.height ? { ...PAGE, height: (PAGE.width * request.height) / request.width } : PAGE,
      onpick() {},
      onwhy() {},
    },
  });
  const elements = parse(body);
  const colors = guide.seats
    .filter(({ color }) => /^[a-z]+$/.test(color))
    .map(({ seat, color }) => [`--seat-${seat}`, `var(--player-${color}, var(--seat-of-${seat}))`] as const);
  const appearance: Appearance = { sheet, isDark: request.dark, variables: new Map(colors) };
  const [w, h] = (/viewBox="0 0 ([\d.]+) ([\d.]+)"/.exec(body) ?? []).slice(1).map((side) => Number(side) + 2 * MARGIN);
  if (!w || !h) throw new Error("the stage has no size");
  const height = request.paper || request.height || Math.round((request.width * h) / w);
  // A page of another shape has empty space beside or below the boards.
  const [wide, high] = [Math.max(w, (h * request.width) / height), Math.max(h, (w * height) / request.width)].map(
    round,
  );
  const left = round(-MARGIN - (Number(wide) - w) / 2);
  const size = `width="${request.width}" height="${height}"`;
  const svg = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${left} ${-MARGIN} ${wide} ${high}" ${size} role="img"`,
    ` font-family="DejaVu Sans, Verdana, sans-serif"><title>${escapeXml(request.name)}</title>`,
    `<rect x="${left}" y="${-MARGIN}" width="${wide}" height="${high}" fill="${pageColor("--paper", appearance)}"/>`,
    flatten(elements, appearance),
    "</svg>\n",
  ].join("");
  return { svg, width: request.width, height, boards: boards.map(({ id }) => id) };
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
