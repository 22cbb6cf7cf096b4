// The outcome of a batch: its payouts, grouped into what a user wants to know.

import type { PayoutBatchStage } from "@server/console/batches/schema.ts";
import type { Sum } from "../state/money.ts";
import { batchesTexts } from "../texts/batches.ts";

export type Outcome = "paid" | "failed" | "waiting" | "onHold" | "inProgress" | "cancelled";

export const batchOutcomes: Record<Outcome, { label: string; color: string }> = {
  paid: { label: batchesTexts.paid, color: "teal" },
  failed: { label: batchesTexts.failed, color: "red" },
  cancelled: { label: batchesTexts.cancelled, color: "gray" },
  waiting: { label: batchesTexts.waiting, color: "yellow" },
  onHold: { label: batchesTexts.onHold, color: "orange" },
  inProgress: { label: batchesTexts.inProgress, color: "blue" },
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
