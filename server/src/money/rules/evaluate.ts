// Which rules apply to a payout, with the figures that they compared. Pure.

import type { PayeeNameOutcome } from "../../people/payee-checks/index.ts";
import type { Mode } from "../../platform/base/index.ts";
import { type Rule, type RuleSubject, type RuleWindow, windowMs } from "./rule.ts";

/** The payouts of a subject within a window. Both include the payout that is decided on. */
export type WindowFigures = { sum: bigint; count: number };

/** What rules look at. A fact that no rule needs may be absent; then no rule about it applies. */
export type RuleFacts = {
  mode: Mode;
  subaccountId: string;
  currency: string;
  amount: bigint;
  /** The time of the payout, which its windows end with. */
  atMs: number;
  totalsOf?: (of: RuleSubject, window: RuleWindow) => WindowFigures | undefined;
  /** No payout to the account was let through before. */
  isFirstPayout?: boolean | undefined;
  /** When the bank details became what they are. Absent: they were never changed. */
  detailsChangedAtMs?: number | undefined;
  /** How many other receivers have the same bank account. */
  otherReceivers?: number | undefined;
  /** The amounts of the receiver's last payouts that were let through, in the currency: ten at most, in any order. */
  lastAmounts?: readonly bigint[] | undefined;
  /** Of the account, and of the receiver. */
  countries?: readonly string[] | undefined;
  hasScreeningReview?: boolean | undefined;
  hasIdentityReview?: boolean | undefined;
  payeeName?: PayeeNameOutcome | undefined;
};

/** JSON-safe: sums are texts of minor units. */
export type RuleFigures = Record<string, string | number>;
export type RuleMatch = { rule: Rule; figures: RuleFigures };

/** Every rule that applies, in the order of the rules. */
export function evaluateRules(rules: readonly Rule[], facts: RuleFacts): RuleMatch[] {
  const matches: RuleMatch[] = [];
  for (const rule of rules) {
    if (!isInScope(rule, facts)) continue;
    const figures = figuresOf(rule.when, facts);
    if (figures) matches.push({ rule, figures });
  }
  return matches;
}

/** Whether the rule is about payouts of this subaccount and currency. */
export function isInScope(
  { mode, subaccount_ids, currency }: Pick<Rule, "mode" | "subaccount_ids" | "currency">,
  payout: Pick<RuleFacts, "mode" | "subaccountId" | "currency">,
): boolean {
  return (
    (mode === "" || mode === payout.mode) &&
    (currency === "" || currency === payout.currency) &&
    (subaccount_ids.length === 0 || subaccount_ids.includes(payout.subaccountId))
  );
}

/** Undefined: the condition is not met. */
function figuresOf(when: Rule["when"], facts: RuleFacts): RuleFigures | undefined {
  switch (when.fact) {
    case "sum": {
      const { of, window, above } = when;
      const totals = facts.totalsOf?.(of, window);
      if (!totals || totals.sum <= BigInt(above)) return undefined;
      return { of, window, sum: String(totals.sum), above: String(above) };
    }
    case "count": {
      const { of, window, above } = when;
      const totals = facts.totalsOf?.(of, window);
      if (!totals || totals.count <= above) return undefined;
      return { of, window, count: totals.count, above };
    }
    case "first_payout":
      return facts.isFirstPayout ? {} : undefined;
    case "details_changed": {
      const { detailsChangedAtMs, atMs } = facts;
      if (detailsChangedAtMs === undefined) return undefined;
      const withinMs = when.within_hours * windowMs.hour;
      if (atMs - detailsChangedAtMs >= withinMs) return undefined;
      return { changed_at_ms: detailsChangedAtMs, within_hours: when.within_hours };
    }
    case "shared_account": {
      const { otherReceivers = 0 } = facts;
      return otherReceivers > 0 ? { other_receivers: otherReceivers } : undefined;
    }
    case "above_median":
      return aboveMedian(facts, when.times);
    case "country": {
      const country = facts.countries?.find((one) => when.in.includes(one));
      return country === undefined ? undefined : { country };
    }
    case "screening_review":
      return facts.hasScreeningReview ? {} : undefined;
    case "identity_review":
      return facts.hasIdentityReview ? {} : undefined;
    case "payee_name": {
      const { payeeName } = facts;
      return payeeName && when.in.includes(payeeName) ? { outcome: payeeName } : undefined;
    }
  }
}

function aboveMedian(
  { amount, lastAmounts = [] }: RuleFacts,
  times: number,
): RuleFigures | undefined {
  if (lastAmounts.length === 0) return undefined;
  const factor = BigInt(times);
  // Most payouts are like those before. They need no median: at least half of the amounts are not low enough.
  const low = lastAmounts.filter((last) => last * factor < amount);
  if (2 * low.length < lastAmounts.length) return undefined;
  const doubled = doubledMedian(lastAmounts);
  if (2n * amount <= factor * doubled) return undefined;
  const median = doubled % 2n === 0n ? String(doubled / 2n) : `${doubled / 2n}.5`;
  return { amount: String(amount), median, times, payouts: lastAmounts.length };
}

/** Twice the median, which is a whole number also where the median lies between two amounts. */
function doubledMedian(amounts: readonly bigint[]): bigint {
  const sorted = amounts.toSorted((one, other) => (one < other ? -1 : one > other ? 1 : 0));
  const middle = sorted.length >> 1;
  const upper = sorted[middle] as bigint;
  return sorted.length % 2 === 1 ? 2n * upper : upper + (sorted[middle - 1] as bigint);
}
