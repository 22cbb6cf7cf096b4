// Rules in plain sentences, and the figures that they compared.

import { expect, test } from "vitest";
import { figuresInWords } from "../../../src/money/rules/figures.ts";
import type { Rule } from "../../../src/money/rules/rule.ts";
import { ruleSentence } from "../../../src/money/rules/sentence.ts";

const rule = (when: Rule["when"], changes: Partial<Rule> = {}): Rule => ({
  ...{ id: "one", name: "One", mode: "", subaccount_ids: [], currency: "" },
  when,
  // biome-ignore lint/suspicious/noThenProperty: a rule reads "when … then …", and is never awaited.
  then: { act: "hold" },
  ...changes,
});
const approvals = (count: number, role: "" | "finance" | "admin") => ({
  // biome-ignore lint/suspicious/noThenProperty: a rule reads "when … then …", and is never awaited.
  then: { act: "approvals" as const, count, role },
});

const sum = { fact: "sum", of: "receiver", window: "day", above: 500_000 } as const;

test.each<[Rule, string]>([
  [rule(sum, { currency: "AUD" }), "Hold when a receiver gets more than 5,000.00 AUD in a day"],
  [
    rule(
      { ...sum, of: "subaccount", window: "month", above: 70_000 },
      { currency: "JPY", mode: "live" },
    ),
    "Hold when a subaccount pays more than 70,000 JPY in 30 days (in live mode)",
  ],
  [
    rule({ fact: "count", of: "account", window: "hour", above: 1 }, approvals(2, "finance")),
    "Ask for approval by 2 users with the role finance when an account gets more than 1 payout in an hour",
  ],
  [
    rule({ fact: "first_payout" }, { ...approvals(1, ""), currency: "AUD", subaccount_ids: ["a"] }),
    "Ask for approval by 1 user when an account is paid for the first time (in AUD, of 1 subaccount)",
  ],
  [
    rule({ fact: "details_changed", within_hours: 48 }),
    "Hold when the bank details changed less than 48 hours ago",
  ],
  [rule({ fact: "shared_account" }), "Hold when another receiver has the same account"],
  [
    rule({ fact: "above_median", times: 5 }),
    "Hold when a payout is more than 5 times the median of the receiver's last ten payouts",
  ],
  [
    rule({ fact: "country", in: ["CUB", "IRN", "PRK"] }),
    "Hold when the account or the receiver is in CUB, IRN or PRK",
  ],
  [
    rule({ fact: "payee_name", in: ["no_match", "unavailable"] }),
    "Hold when the payee name check says no match or unavailable",
  ],
  [
    rule({ fact: "identity_review" }),
    "Hold when the identity check of the receiver waits for a review",
  ],
  [rule({ fact: "screening_review" }), "Hold when the receiver has an open or confirmed hit"],
])("%#: a rule is one sentence", (given, sentence) => {
  expect(ruleSentence(given)).toBe(sentence);
});

test("figures are words, with money in its currency", () => {
  const words = (figures: Record<string, string | number>) => figuresInWords(figures, "AUD");
  expect(words({ of: "receiver", window: "day", sum: "620000", above: "500000" })).toBe(
    "receiver: 6,200.00 AUD within a day, above 5,000.00 AUD",
  );
  expect(words({ of: "account", window: "hour", count: 4, above: 3 })).toBe(
    "account: 4 payouts within an hour, above 3",
  );
  expect(words({ amount: "60000", median: "1050", times: 5, payouts: 10 })).toBe(
    "600.00 AUD is over 5 times the median 10.50 AUD",
  );
  expect(words({ amount: "60000", median: "1050.5", times: 5, payouts: 10 })).toBe(
    "600.00 AUD is over 5 times the median 10.505 AUD",
  );
  expect(words({ outcome: "no_match" })).toBe("no match");
  expect(words({})).toBe("");
});
