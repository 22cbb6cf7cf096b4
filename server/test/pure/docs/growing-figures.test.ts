// The page about growing gives the figures of the last campaigns, so it changes with them.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "..", "..", "..", "..");
const page = readFileSync(join(root, "docs/decisions/growing.md"), "utf8").replaceAll(/\s+/g, " ");

type Counts = Record<string, Record<string, number>>;

function countsOf(campaign: string): Counts {
  return JSON.parse(readFileSync(join(root, `prove/results/${campaign}.json`), "utf8")).counts;
}

const count = (value = Number.NaN) => value.toLocaleString("en");

function longest(counts: Counts, start: string): number {
  const named = Object.entries(counts).filter(([name]) => name.startsWith(start));
  return Math.max(...named.map(([, { max = Number.NaN }]) => max));
}

test("Patroni", () => {
  const counts = countsOf("patroni");
  const seconds = (start: string) => (longest(counts, start) / 1_000).toFixed(1);
  expect(page).toContain(`under load, ${count(counts.payouts?.acknowledged)} payouts were`);
  expect(page).toContain(`was ${seconds("ms without a payout at a kill")} s at a kill`);
  expect(page).toContain(`and ${seconds("ms without a payout at a switchover")} s at a switchover`);
});

test("cells", () => {
  const { payouts = {} } = countsOf("cells");
  const other = count(payouts["acknowledged by the other cell"]);
  expect(page).toContain(`the other one acknowledged ${other} payouts meanwhile, without an error`);
  expect(payouts["errors in the other cell"]).toBe(0);
});

test("moves", () => {
  const counts = countsOf("moves");
  const freeze = counts["ms from the freeze until the target works"];
  const pause = longest(counts, "ms between two payouts around a move");
  expect(page).toContain(
    `${count(counts.payouts?.acknowledged)} payouts and ${count(counts.events?.received)} events, none lost`,
  );
  expect(page).toContain(`it took ${freeze?.p50} ms (p50) and ${freeze?.max} ms (longest)`);
  expect(page).toContain(`clients saw at most ${pause} ms without a payout`);
});
