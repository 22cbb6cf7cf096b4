// The outcome of a batch: its payouts, grouped into what a user wants to know.

import type { PayoutBatchStage } from "@server/doors/console/batches/schema.ts";
import type { Sum } from "../state/money.ts";

export type Outcome = "paid" | "failed" | "waiting" | "onHold" | "inProgress" | "cancelled";

export const batchOutcomes: Record<Outcome, { label: string; color: string }> = {
  paid: { label: "Paid", color: "var(--plot-paid)" },
  failed: { label: "Failed", color: "var(--plot-failed)" },
  cancelled: { label: "Cancelled", color: "var(--plot-none)" },
  waiting: { label: "Awaiting approval", color: "var(--plot-pending)" },
  onHold: {
    label: "On hold",
    color: "color-mix(in srgb, var(--plot-pending) 70%, var(--panel-ground))",
  },
  inProgress: {
    label: "In progress",
    color: "color-mix(in srgb, var(--plot-pending) 40%, var(--panel-ground))",
  },
};

const outcomeOfStage: Record<string, Outcome> = {
  settled: "paid",
  rejected: "failed",
  returned: "failed",
  cancelled: "cancelled",
  awaiting_approval: "waiting",
  on_hold: "onHold",
};

export type OutcomeSum = { outcome: Outcome; payouts: number; amount: bigint };
export type CurrencySum = {
  currency: string;
  payouts: number;
  amount: bigint;
  parts: OutcomeSum[];
};

/** By currency: amounts of different currencies are never added up. */
export function batchSumsOf(stages: readonly PayoutBatchStage[]): CurrencySum[] {
  const currencies = [...new Set(stages.map(({ currency }) => currency))].sort();
  return currencies.map((currency) => {
    const own = stages.filter((line) => line.currency === currency);
    const parts = (Object.keys(batchOutcomes) as Outcome[]).flatMap((outcome): OutcomeSum[] => {
      const lines = own.filter(({ stage }) => (outcomeOfStage[stage] ?? "inProgress") === outcome);
      return lines.length === 0 ? [] : [{ outcome, ...totalOf(lines) }];
    });
    return { currency, ...totalOf(own), parts };
  });
}

function totalOf(lines: readonly { payouts: number; amount: Sum }[]) {
  return {
    payouts: lines.reduce((sum, { payouts }) => sum + payouts, 0),
    amount: lines.reduce((sum, { amount }) => sum + BigInt(amount), 0n),
  };
}

/** The payouts that wait for approval, by currency, as the server adds them up. */
export function waitingTotals(stages: readonly PayoutBatchStage[]) {
  return stages
    .filter(({ stage }) => stage === "awaiting_approval")
    .map(({ currency, payouts, amount }) => ({ currency, payouts, amount }));
}

export function payoutCountOf(totals: readonly { payouts: number }[]): number {
  return totals.reduce((sum, { payouts }) => sum + payouts, 0);
}
