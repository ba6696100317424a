import assert from "node:assert/strict";
import { test } from "node:test";
import { iconAt } from "../src/stage/icons.ts";

/** Return the numbers of a path. */
const numbers = (path: string) => [...path.matchAll(/-?\d*\.?\d+/g)].map(([it]) => Number(it));

test("an icon of 24 units is scaled to a size and centred on a point", () => {
  assert.deepEqual(numbers(iconAt("M0 0L24 24", 0, 0, 0.5)), [-0.25, -0.25, 0.25, 0.25]);
  assert.deepEqual(numbers(iconAt("M0 0L24 24", 100, 60, 48)), [76, 36, 124, 84]);
  assert.deepEqual(numbers(iconAt("M12 12l6-6", 100, 60, 48)), [100, 60, 12, -12]);
});

test("arcs keep their shape: only their radii and ends are scaled", () => {
  const [x, y, rx, ry, turn, large, sweep, dx, dy] = numbers(iconAt("M0 0a6 6 0 0 1 12 0", 12, 12, 12));
  assert.deepEqual([x, y, rx, ry], [6, 6, 3, 3]);
  assert.deepEqual([turn, large, sweep, dx, dy], [0, 0, 1, 6, 0]);
});

test("small icons keep their outlines", () => {
  const [, , x] = numbers(iconAt("M0 0L1 1", 0, 0, 0.1));
  assert.ok(Math.abs((x ?? 0) - (-0.05 + 0.1 / 24)) < 1e-4);
});
