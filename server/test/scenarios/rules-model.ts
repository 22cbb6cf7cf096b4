// The plain model of rules: for each payout it looks at all earlier ones again, without running totals.

import type { Rule } from "../../src/money/rules/rule.ts";
import { approvalAbove } from "./payouts-model.ts";

export type RuledStage = "on_hold" | "awaiting_approval" | "queued" | "cancelled";
type Requirement = { count: number; role: string };

export type RuledPayout = {
  id: string;
  receiver: number;
  amount: bigint;
  createdMs: number;
  stage: RuledStage;
  needs: Requirement[];
  approvals: { who: string; role: string }[];
};

export type Candidate = Pick<RuledPayout, "receiver" | "amount" | "createdMs">;
type Figures = Record<string, string | number>;

export type Expected = {
  isRefused: boolean;
  stage: RuledStage;
  needs: Requirement[];
  /** By the id of each rule that applies, in the order of ids. */
  figures: [ruleId: string, Figures][];
};

const hourMs = 3_600_000;
const lengths = { hour: hourMs, day: 24 * hourMs, month: 720 * hourMs };

/** What becomes of a payout that follows on the earlier ones. */
export function expectedOf(
  rules: readonly Rule[],
  earlier: readonly RuledPayout[],
  candidate: Candidate,
): Expected {
  const applying = rules.flatMap((rule): { rule: Rule; figures: Figures }[] => {
    const figures = figuresOf(rule, earlier, candidate);
    return figures ? [{ rule, figures }] : [];
  });
  const has = (act: string) => applying.some(({ rule }) => rule.then.act === act);
  const needs: Requirement[] = candidate.amount > approvalAbove ? [{ count: 1, role: "" }] : [];
  for (const { rule } of applying) {
    if (rule.then.act === "second_person") needs.push({ count: 1, role: "" });
    if (rule.then.act === "approvals") needs.push({ count: rule.then.count, role: rule.then.role });
  }
  return {
    isRefused: has("refuse"),
    stage: has("hold") ? "on_hold" : needs.length > 0 ? "awaiting_approval" : "queued",
    needs,
    figures: applying
      .map(({ rule, figures }): [string, Figures] => [rule.id, figures])
      .sort(([one], [other]) => (one < other ? -1 : 1)),
  };
}

function figuresOf(
  { when }: Rule,
  earlier: readonly RuledPayout[],
  candidate: Candidate,
): Figures | undefined {
  const ofReceiver = earlier.filter(({ receiver }) => receiver === candidate.receiver);
  const letThrough = ofReceiver.filter(({ stage }) => stage === "queued");
  switch (when.fact) {
    case "sum":
    case "count": {
      const { of, window, above } = when;
      const counted = of === "subaccount" ? earlier : ofReceiver;
      const inside = insideWindow(counted, candidate, lengths[window]);
      if (when.fact === "count") {
        const count = inside.length + 1;
        return count > above ? { of, window, count, above } : undefined;
      }
      const sum = inside.reduce((total, { amount }) => total + amount, candidate.amount);
      return sum > BigInt(above)
        ? { of, window, sum: String(sum), above: String(above) }
        : undefined;
    }
    case "first_payout":
      return letThrough.length === 0 ? {} : undefined;
    case "shared_account":
      // The two receivers of a run have the same account.
      return { other_receivers: 1 };
    case "country":
      return when.in.includes("AUS") ? { country: "AUS" } : undefined;
    case "above_median": {
      const last = letThrough
        .toSorted((one, other) => (one.id < other.id ? 1 : -1))
        .slice(0, 10)
        .map(({ amount }) => Number(amount))
        .sort((one, other) => one - other);
      const { length } = last;
      if (length === 0) return undefined;
      const middle = Math.floor(length / 2);
      const upper = last[middle] as number;
      const median = length % 2 === 1 ? upper : (upper + (last[middle - 1] as number)) / 2;
      if (Number(candidate.amount) <= when.times * median) return undefined;
      const amount = String(candidate.amount);
      return { amount, median: String(median), times: when.times, payouts: length };
    }
    default:
      return undefined;
  }
}

/** The time never falls: an earlier one counts as the newest. */
function insideWindow(
  counted: readonly RuledPayout[],
  { createdMs }: Candidate,
  lengthMs: number,
): RuledPayout[] {
  let newestMs = 0;
  const times = counted.map((payout) => {
    newestMs = Math.max(newestMs, payout.createdMs);
    return newestMs;
  });
  const startMs = Math.max(newestMs, createdMs) - lengthMs;
  return counted.filter((_, index) => (times[index] as number) > startMs);
}

export function isApproved({
  needs,
  approvals,
}: Pick<RuledPayout, "needs" | "approvals">): boolean {
  return needs.every((need) => isMet(need, approvals));
}

function isMet({ count, role }: Requirement, approvals: RuledPayout["approvals"]): boolean {
  return approvals.filter((one) => role === "" || one.role === role).length >= count;
}

/** The code of the refusal; undefined: the approval counts, and may be the last one that is needed. */
export function approve(payout: RuledPayout, user: { who: string; role: string }) {
  if (payout.stage !== "awaiting_approval") return "CONS401";
  if (payout.approvals.some(({ who }) => who === user.who)) return "CONS410";
  const missing = payout.needs.filter((need) => !isMet(need, payout.approvals));
  const isOfUse = ({ role }: Requirement) => role === "" || role === user.role;
  if (missing.length > 0 && !missing.some(isOfUse)) return "CONS411";
  payout.approvals.push(user);
  if (isApproved(payout)) payout.stage = "queued";
  return undefined;
}

export function release(payout: RuledPayout): string | undefined {
  if (payout.stage !== "on_hold") return "CONS508";
  payout.stage = isApproved(payout) ? "queued" : "awaiting_approval";
  return undefined;
}
