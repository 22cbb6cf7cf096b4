// What a file from a bank does, as sums for the user who confirms it. Pure.

import type { FeeKeepingMove } from "../../money/payouts/index.ts";

export type SumKind = "funded" | "settled" | "returned" | "rejected" | "suspended" | "proposed";

/** `subaccount_id`: empty for money that is no subaccount's yet. `amount`: minor units. */
export type InboundSum = {
  kind: SumKind;
  subaccount_id: string;
  currency: string;
  count: number;
  amount: string;
};

type SumPart = { subaccountId: string; currency: string; amount: bigint };

export type InboundSums = {
  add(kind: SumKind, part: SumPart): void;
  /** Always in the same order. */
  list(): InboundSum[];
};

export function newInboundSums(): InboundSums {
  const sums = new Map<string, { part: Omit<InboundSum, "amount">; amount: bigint }>();
  return {
    add(kind, { subaccountId: subaccount_id, currency, amount }) {
      const key = `${kind} ${subaccount_id} ${currency}`;
      const sum = sums.get(key) ?? {
        part: { kind, subaccount_id, currency, count: 0 },
        amount: 0n,
      };
      sum.part.count += 1;
      sum.amount += amount;
      sums.set(key, sum);
    },
    list: () =>
      [...sums.keys()].sort().flatMap((key) => {
        const sum = sums.get(key);
        return sum ? [{ ...sum.part, amount: sum.amount.toString() }] : [];
      }),
  };
}

export function sumOfMove(move: FeeKeepingMove): SumKind {
  if (move === "settle") return "settled";
  return move === "reject" ? "rejected" : "returned";
}
