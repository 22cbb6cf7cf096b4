// Rolling windows in memory, against a plain sum over all entries.

import { expect, test } from "vitest";
import { RollingTotals } from "../../../src/money/rules/rolling-totals.ts";

const hourMs = 3_600_000;

test("a window holds what came after its start, exact to the millisecond", () => {
  const totals = new RollingTotals();
  totals.add(1_000, 5n);
  totals.add(2_000, 7n);
  expect(totals.after(999)).toEqual({ count: 2, sum: 12n });
  expect(totals.after(1_000)).toEqual({ count: 1, sum: 7n });
  expect(totals.after(2_000)).toEqual({ count: 0, sum: 0n });
});

test("time never falls: an earlier entry counts as the newest", () => {
  const totals = new RollingTotals();
  totals.add(2_000, 1n);
  totals.add(1_000, 1n);
  expect(totals.newestMs).toBe(2_000);
  expect(totals.after(1_999)).toEqual({ count: 2, sum: 2n });
});

test("random entries equal a plain sum, also after the oldest were forgotten", () => {
  let state = 17;
  const random = (below: number) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
  const totals = new RollingTotals();
  const plain: { atMs: number; amount: bigint }[] = [];
  let nowMs = 1_800_000_000_000;
  for (let number = 0; number < 3_000; number += 1) {
    nowMs += random(120_000) - 10_000;
    const atMs = totals.timeOf(nowMs);
    const amount = BigInt(random(1_000_000));
    totals.add(nowMs, amount);
    plain.push({ atMs, amount });
    totals.forget(atMs - 24 * hourMs);
    for (const windowMs of [1, hourMs, 24 * hourMs]) {
      const inside = plain.filter((one) => one.atMs > atMs - windowMs);
      const sum = inside.reduce((total, one) => total + one.amount, 0n);
      expect(totals.after(atMs - windowMs)).toEqual({ count: inside.length, sum });
    }
  }
  totals.forget(totals.newestMs);
  expect(totals.isEmpty).toBe(true);
});
