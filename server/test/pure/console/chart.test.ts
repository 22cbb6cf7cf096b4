// The shapes of a chart: ticks, stacked bars, lines with gaps, labels that have room, and the place under the pointer.

import { expect, test } from "vitest";
import {
  bucketAt,
  labelStep,
  linePath,
  stackOf,
  ticksTo,
} from "../../../../console/src/parts/chart-shapes.ts";

test("ticks are round whole numbers that reach the largest value", () => {
  expect(ticksTo(0, 4)).toEqual([0, 1]);
  expect(ticksTo(1, 4)).toEqual([0, 1]);
  expect(ticksTo(33, 4)).toEqual([0, 10, 20, 30, 40]);
  expect(ticksTo(1_049_742, 2)).toEqual([0, 1_000_000, 2_000_000]);
  for (let largest = 0; largest < 3_000; largest += 7) {
    const ticks = ticksTo(largest, 4);
    expect(ticks.at(-1)).toBeGreaterThanOrEqual(largest);
    expect(ticks.length).toBeLessThanOrEqual(6);
    expect(ticks.every(Number.isInteger)).toBe(true);
  }
});

test("each series stands on the one before it", () => {
  expect(
    stackOf([
      [1, 2],
      [3, null],
      [4, 5],
    ]),
  ).toEqual([
    [
      { from: 0, to: 1 },
      { from: 1, to: 4 },
      { from: 4, to: 8 },
    ],
    [
      { from: 0, to: 2 },
      { from: 2, to: 2 },
      { from: 2, to: 7 },
    ],
  ]);
});

test("a line has a gap where a value is missing", () => {
  const same = (value: number) => value;
  expect(linePath([null, 5, 6, null, 8], same, same)).toBe("M1 5L2 6M4 8");
});

test("the pointer is over the bucket of its place, or over none", () => {
  expect([-1, 0, 9, 10, 29, 30].map((x) => bucketAt(x, 10, 3))).toEqual([
    ...[undefined, 0, 0, 1, 2, undefined],
  ]);
});

test("labels that have no room are left out evenly", () => {
  expect(labelStep(["Nov 12", "Nov 13"], 60)).toBe(1);
  expect(labelStep(["Nov 12", "Nov 13"], 20)).toBe(3);
});
