/** Positions of pieces within their spot. */
import type { Piece } from "./pieces";
import type { Spot } from "./scene";

/** A piece and its position, in units of its board; `x` and `y` are its centre. */
export interface PlacedPiece {
  readonly key: number;
  readonly component: string;
  /** The name of its look at this place. */
  readonly looks: string;
  readonly zone: string;
  readonly x: number;
  readonly y: number;
  readonly size: number;
}

/** The number of pieces at a place that does not draw all of them. */
export interface Badge {
  readonly zone: string;
  /** The component that it counts; empty for all components. */
  readonly component: string;
  readonly count: number;
  readonly x: number;
  readonly y: number;
  readonly size: number;
}

/** Number of pieces drawn of a heap, so that several can be seen leaving it. */
const DRAWN_OF_A_HEAP = 3;

/** Return the positions of pieces in a spot. `aspect` returns height by width of a piece. */
export function placePieces(
  spot: Spot,
  pieces: readonly Piece[],
  aspect: (component: string) => number,
): [PlacedPiece[], Badge[]] {
  if (pieces.length === 0) return [[], []];
  if (spot.show === "each") return [inPlaces(spot, pieces, aspect), []];
  const heaps = spot.show === "count" ? [[...pieces]] : byKind(pieces);
  const high = (piece: Piece) => aspect(looksOf(spot, piece));
  const cells = grid(spot, heaps.length, Math.max(...heaps.map(([first]) => (first ? high(first) : 1))));
  const placed: PlacedPiece[] = [];
  const badges: Badge[] = [];
  heaps.forEach((heap, index) => {
    const cell = cells[index];
    const top = heap.at(-1);
    if (cell === undefined || top === undefined) return;
    for (const piece of heap.slice(-DRAWN_OF_A_HEAP)) {
      placed.push({ ...withoutPosition(spot, piece), ...cell });
    }
    if (heap.length > 1) {
      const { x, y, size } = cell;
      badges.push({
        zone: spot.zone,
        component: spot.show === "count" ? "" : top.component,
        count: heap.length,
        x: x + size * 0.34,
        y: y + size * 0.36 * high(top),
        size: size * 0.42,
      });
    }
  });
  return [placed, badges];
}

function looksOf(spot: Spot, { component }: Piece): string {
  return spot.as?.(component) ?? component;
}

/** Return a piece without its position. */
function withoutPosition(spot: Spot, piece: Piece): Pick<PlacedPiece, "key" | "component" | "looks" | "zone"> {
  return { key: piece.key, component: piece.component, looks: looksOf(spot, piece), zone: spot.zone };
}

function byKind(pieces: readonly Piece[]): Piece[][] {
  const kinds = new Map<string, Piece[]>();
  for (const piece of pieces) {
    const heap = kinds.get(piece.component);
    if (heap === undefined) kinds.set(piece.component, [piece]);
    else heap.push(piece);
  }
  return [...kinds.keys()].sort().map((kind) => kinds.get(kind) ?? []);
}

/**
 * Return positions of single pieces: at their own points where the spot has some, otherwise side by side or stacked.
 */
function inPlaces(spot: Spot, pieces: readonly Piece[], aspect: (component: string) => number): PlacedPiece[] {
  const counted = new Map<string, number>();
  const placed: PlacedPiece[] = [];
  const rest: Piece[] = [];
  pieces.forEach((piece, index) => {
    const { component } = piece;
    const nth = counted.get(component) ?? 0;
    counted.set(component, nth + 1);
    const point = spot.at?.(component, nth, index);
    if (point) placed.push({ ...withoutPosition(spot, piece), size: spot.size, ...point });
    else rest.push(piece);
  });
  if (rest.length === 0) return placed;
  return [...placed, ...(spot.piled ? pile(spot, rest) : apart(spot, rest, aspect))];
}

function apart(spot: Spot, pieces: readonly Piece[], aspect: (component: string) => number): PlacedPiece[] {
  const highest = Math.max(...pieces.map((piece) => aspect(looksOf(spot, piece))));
  const cells = grid(spot, pieces.length, highest);
  return pieces.map((piece, index) => ({
    ...withoutPosition(spot, piece),
    ...(cells[index] ?? { x: spot.x, y: spot.y, size: spot.size }),
  }));
}

function pile(spot: Spot, pieces: readonly Piece[]): PlacedPiece[] {
  const shift = Math.min(
    spot.size * 0.12,
    Math.max(spot.w - spot.size, 0) / Math.max(pieces.length - 1, 1) || spot.size * 0.04,
  );
  const first = spot.x + spot.w / 2 - (shift * (pieces.length - 1)) / 2;
  return pieces.map((piece, index) => ({
    ...withoutPosition(spot, piece),
    x: first + index * shift,
    y: spot.y + spot.h / 2 - index * shift * 0.5,
    size: spot.size,
  }));
}

interface Cell {
  readonly x: number;
  readonly y: number;
  readonly size: number;
}

/** Return the centres of `count` cells in rows, centred. Cells shrink and finally overlap if they do not fit. */
function grid(spot: Spot, count: number, aspect: number): Cell[] {
  let size = spot.size;
  const least = spot.size * 0.55;
  let columns = Math.max(1, Math.floor(spot.w / size));
  while (size > least && Math.ceil(count / columns) * size * aspect > spot.h + 0.01) {
    size *= 0.92;
    columns = Math.max(1, Math.floor(spot.w / size));
  }
  const rows = Math.ceil(count / columns);
  const down = rows > 1 ? Math.min(size * aspect, (spot.h - size * aspect) / (rows - 1)) : 0;
  const top = spot.y + spot.h / 2 - (down * (rows - 1)) / 2;
  return Array.from({ length: count }, (_, index) => {
    const row = Math.floor(index / columns);
    const inRow = row < rows - 1 ? columns : count - columns * (rows - 1);
    const left =
      spot.align === "start"
        ? spot.x + size / 2
        : spot.align === "end"
          ? spot.x + spot.w - (inRow - 0.5) * size
          : spot.x + spot.w / 2 - ((inRow - 1) * size) / 2;
    return { x: left + (index % columns) * size, y: top + row * down, size: size * 0.94 };
  });
}
