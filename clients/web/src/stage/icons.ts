/** Icons at their place on a board. */
import svgpath from "svgpath";

/** The side of the square that icon paths are made for. */
const SQUARE = 24;

const made = new Map<string, string>();

/**
 * Return the path of an icon with this side, centred on a point. It does not use `transform`, because browsers process
 * every transformed element in every frame, and a board has hundreds of icons.
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

/** Side of an icon, as a fraction of its component's square. */
export const ICON_SIZE = 0.58;
