// What payouts add up to, currency by currency: different ones are never added.

import type { Approval } from "@server/operator/approvals/schema.ts";

export type Total = { currency: string; amount: number; count: number };

export function totalsOf(rows: readonly Approval[]): Total[] {
  const totals = new Map<string, Total>();
  for (const { payout } of rows) {
    if (!payout) continue;
    const { currency, amount } = payout;
    const before = totals.get(currency) ?? { currency, amount: 0, count: 0 };
    totals.set(currency, { currency, amount: before.amount + amount, count: before.count + 1 });
  }
  return [...totals.values()].sort((one, other) => (one.currency < other.currency ? -1 : 1));
}
