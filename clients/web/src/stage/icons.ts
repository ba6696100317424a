/** Icons where they are drawn. */
import svgpath from "svgpath";

/** The side of the square that icons are made in. */
const SQUARE = 24;

const made = new Map<string, string>();

/**
 * The path of an icon with that side, around a point: a path of its own rather than the one there is with a `transform`, for
 * browsers go through all elements that have one with every frame, and a board has hundreds of icons.
 */
export function iconAt(icon: string, x: number, y: number, side: number): string {
  const key = `${x} ${y} ${side} ${icon}`;
  let path = made.get(key);
  if (path === undefined) {
    const scale = side / SQUARE;
    const digits = Math.max(0, Math.ceil(3 - Math.log10(side)));
    path = svgpath(icon)
      .scale(scale)
      .translate(x - side / 2, y - side / 2)
      .round(digits)
      .toString();
    made.set(key, path);
  }
  return path;
}

/** How much of a component's square its icon takes. */
export const ICON_SIZE = 0.58;
