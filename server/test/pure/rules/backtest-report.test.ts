// The figures of a backtest: what each rule and each act would have done, beside the active set.

import { expect, test } from "vitest";
import { type BacktestMatch, BacktestReport } from "../../../src/money/rules/backtest-report.ts";

const fromMs = Date.parse("2026-08-01T12:00:00Z");
const toMs = Date.parse("2026-08-03T12:00:00Z");
const rule = (id: string, act: BacktestMatch["act"], sentence = id) => ({
  ...{ id, name: id, sentence, act },
});
const match = (ruleId: string, act: BacktestMatch["act"]) => ({ ruleId, act, figures: { is: 1 } });
const ids = Array.from({ length: 100 }, (_, place) => `p${100 + place}`);
const payout = (at: string, amount: bigint, currency = "AUD") => ({
  id: ids.shift() as string,
  subaccountId: "s",
  receiverId: "r",
  ...{ amount, currency, atMs: Date.parse(at) },
});

test("each rule has its count, sums, share, days and what changes", () => {
  const active = [rule("large", "second_person", "above 10"), rule("old", "hold")];
  const proposed = [rule("large", "second_person", "above 5"), rule("fresh", "hold")];
  const report = new BacktestReport({ active, proposed }, { fromMs, toMs, listMax: 200 });
  report.add(payout("2026-08-01T13:00:00Z", 7n), [], [match("large", "second_person")]);
  report.add(
    payout("2026-08-02T13:00:00Z", 20n),
    [match("large", "second_person")],
    [match("large", "second_person"), match("fresh", "hold")],
  );
  report.add(payout("2026-08-02T14:00:00Z", 3n, "JPY"), [match("old", "hold")], []);
  report.add(payout("2026-08-03T01:00:00Z", 1n), [], []);
  const { figures } = report;
  expect(figures).toMatchObject({
    payouts: 4,
    sums: [
      { currency: "AUD", amount: 28 },
      { currency: "JPY", amount: 3 },
    ],
    days: ["2026-08-01", "2026-08-02", "2026-08-03"],
    payouts_by_day: [1, 2, 1],
    changed: 3,
  });
  expect(figures.rules).toMatchObject([
    { rule_id: "large", change: "changed", count: 2, share: 0.5, also: 1, by_day: [1, 1, 0] },
    { rule_id: "fresh", change: "new", count: 1, also: 1, no_longer: 0, by_day: [0, 1, 0] },
    { rule_id: "old", change: "removed", count: 1, also: 0, no_longer: 1 },
  ]);
  const acts = new Map(figures.acts.map((one) => [one.act, one]));
  expect(acts.get("hold")).toMatchObject({ count: 1, active_count: 1, also: 1, no_longer: 1 });
  expect(acts.get("second_person")).toMatchObject({ count: 1, active_count: 1, also: 1 });
  expect(figures.list.map(({ active_act, act }) => [active_act, act])).toEqual([
    ["hold", null],
    ["second_person", "hold"],
    [null, "second_person"],
  ]);
});

test("the list is bounded: changed payouts first, the newest of them", () => {
  const set = [rule("large", "hold")];
  const report = new BacktestReport({ active: set, proposed: set }, { fromMs, toMs, listMax: 2 });
  const held = [match("large", "hold")];
  for (let hour = 10; hour < 20; hour += 1) {
    report.add(payout(`2026-08-02T${hour}:00:00Z`, BigInt(hour)), held, held);
  }
  report.add(payout("2026-08-02T01:00:00Z", 1n), [], held);
  expect(report.figures.list.map(({ amount }) => amount)).toEqual([1, 19]);
});
