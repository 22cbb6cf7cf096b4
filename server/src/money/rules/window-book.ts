// The payouts of one balance that count towards rolling windows, in memory: as payout_count has them in the database.

import type { WindowFigures } from "./evaluate.ts";
import { RollingTotals } from "./rolling-totals.ts";
import { type Rule, type RuleSubject, type RuleWindow, windowMs } from "./rule.ts";

/** The longest window of each kind of subject that a rule needs. */
export type WindowNeeds = ReadonlyMap<RuleSubject, number>;

export type CountedPayout = {
  subaccountId: string;
  receiverId: string;
  accountId: string;
  amount: bigint;
  createdAtMs: number;
};

/** Subjects without a payout in their longest window are removed after this many payouts. */
const payoutsPerSweep = 10_000;

export function windowNeeds(rules: readonly Rule[]): WindowNeeds {
  const needs = new Map<RuleSubject, number>();
  for (const { when } of rules) {
    if (when.fact !== "sum" && when.fact !== "count") continue;
    needs.set(when.of, Math.max(needs.get(when.of) ?? 0, windowMs[when.window]));
  }
  return needs;
}

export class WindowBook {
  readonly #needs: WindowNeeds;
  readonly #totals = new Map<RuleSubject, Map<string, RollingTotals>>();
  #sinceSweep = 0;

  constructor(needs: WindowNeeds) {
    this.#needs = needs;
    for (const of of needs.keys()) this.#totals.set(of, new Map());
  }

  /** The totals of a window that ends with the payout, which is not counted yet, and with it. */
  totalsWith(payout: CountedPayout, of: RuleSubject, window: RuleWindow): WindowFigures {
    const totals = this.#totals.get(of)?.get(subjectOf(payout, of));
    const atMs = totals?.timeOf(payout.createdAtMs) ?? payout.createdAtMs;
    const before = totals?.after(atMs - windowMs[window]) ?? { count: 0, sum: 0n };
    return { count: before.count + 1, sum: before.sum + payout.amount };
  }

  count(payout: CountedPayout): void {
    for (const [of, subjects] of this.#totals) {
      const id = subjectOf(payout, of);
      const totals = subjects.get(id) ?? new RollingTotals();
      subjects.set(id, totals);
      totals.add(payout.createdAtMs, payout.amount);
      totals.forget(totals.newestMs - (this.#needs.get(of) ?? 0));
    }
    this.#sinceSweep += 1;
    if (this.#sinceSweep >= payoutsPerSweep) this.#sweep(payout.createdAtMs);
  }

  /** Memory holds the subjects of the longest window, not all that ever were. */
  #sweep(nowMs: number): void {
    this.#sinceSweep = 0;
    for (const [of, subjects] of this.#totals) {
      const untilMs = nowMs - (this.#needs.get(of) ?? 0) - slackMs;
      for (const [id, { newestMs }] of subjects) if (newestMs < untilMs) subjects.delete(id);
    }
  }
}

/** Ids are made a little before the lock of the balance, so a payout may be older than the one before it. */
const slackMs = 3_600_000;

function subjectOf({ subaccountId, receiverId, accountId }: CountedPayout, of: RuleSubject) {
  return of === "receiver" ? receiverId : of === "account" ? accountId : subaccountId;
}
