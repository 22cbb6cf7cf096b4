// The figures of one balance: opening, money in and out, closing, and whether they agree. Pure.

import type { ClosedMonth, Kind } from "../../../money/ledger/index.ts";
import { dayMs, type Period } from "../rollups/time-ranges.ts";
import type { BalanceNow, DayEnd, DayKind, OpenPayouts } from "./queries.ts";

export type Flows = {
  funded: bigint;
  paid: bigint;
  returned: bigint;
  /** Less those that were given back, so it can be below zero. */
  fees: bigint;
  reversed: bigint;
  rejected: bigint;
  released: bigint;
};

const flowKinds: Record<keyof Flows, Kind> = {
  funded: "fund",
  paid: "settle",
  returned: "return",
  fees: "fee",
  reversed: "reversal",
  rejected: "reject",
  released: "release",
};
const flowNames = Object.keys(flowKinds) as (keyof Flows)[];

function sumOf(rows: readonly DayKind[], kind: Kind): bigint {
  return rows
    .filter((row) => row.kind === kind)
    .reduce((sum, { amount }) => sum + BigInt(amount), 0n);
}

export function flowsOf(rows: readonly DayKind[]): Flows {
  const flows = Object.fromEntries(
    flowNames.map((name) => [name, sumOf(rows, flowKinds[name])]),
  ) as Flows;
  const { charged, refunded } = feesOf(rows);
  return { ...flows, fees: charged - refunded };
}

/** Fees apart from those that were given back. */
export function feesOf(rows: readonly DayKind[]): { charged: bigint; refunded: bigint } {
  return { charged: sumOf(rows, "fee"), refunded: sumOf(rows, "fee_refund") };
}

/** The growth of the balance. Rejected and released amounts never left it. */
function growthOf({ funded, paid, returned, fees, reversed }: Flows): bigint {
  return funded - paid + returned - fees - reversed;
}

/** All money of the subaccount, in every ledger account. Fees are not part of it. */
type Standing = { available: bigint; held: bigint; clearing: bigint; returns: bigint };

export function standingOf(end: DayEnd | undefined): Standing {
  const amount = (text: string | undefined) => BigInt(text ?? 0);
  return {
    available: amount(end?.available),
    held: amount(end?.held),
    clearing: amount(end?.clearing),
    returns: amount(end?.returns),
  };
}

export function totalOf({ available, held, clearing, returns }: Standing): bigint {
  return available + held + clearing + returns;
}

/** Each day with transfers, with its closing balance. */
export function daysOf(opening: bigint, kinds: readonly DayKind[]) {
  let closing = opening;
  return [...new Set(kinds.map(({ day_ms }) => day_ms))].map((day) => {
    const flows = flowsOf(kinds.filter(({ day_ms }) => day_ms === day));
    closing += growthOf(flows);
    return { dayMs: Number(day), flows, closing };
  });
}

export type Compared = {
  opening: bigint;
  flows: Flows;
  ends: { opening: DayEnd | undefined; closing: DayEnd | undefined };
  balance: BalanceNow;
  open: readonly OpenPayouts[];
  closed: ClosedMonth | undefined;
};

/** The difference of every pair of figures that must be equal. */
export function comparisonsOf({ opening, flows, ends, balance, open, closed }: Compared) {
  const closing = totalOf(standingOf(ends.closing));
  const inFlight = open
    .filter(({ currency }) => currency === balance.currency)
    .reduce((sum, { amount }) => sum + BigInt(amount), 0n);
  return {
    /** The closing balance, against the opening balance plus all transfers. */
    transfers: closing - (opening + growthOf(flows)),
    /** The running balance of the last transfer, against the sum of all transfers up to it. */
    running: runningDrift(ends.opening) + runningDrift(ends.closing),
    balance: balanceDrift(balance),
    payouts: BigInt(balance.held) + BigInt(balance.clearing) - inFlight,
    closed: closed ? closing - BigInt(closed.closing) : 0n,
  };
}

function runningDrift(end: DayEnd | undefined): bigint {
  if (!end) return 0n;
  const { available, held, available_after, held_after } = end;
  return (
    size(BigInt(available_after ?? 0) - BigInt(available)) +
    size(BigInt(held_after ?? 0) - BigInt(held))
  );
}

/** The current balance, against the sum of all transfers. Unknown until the roll-ups are complete. */
function balanceDrift(balance: BalanceNow): bigint {
  if (balance.transfers !== balance.rolled_up) return 0n;
  return (["available", "held", "clearing", "returns", "fees"] as const).reduce(
    (sum, account) =>
      sum + size(BigInt(balance[account]) - BigInt(balance[`rolled_up_${account}`])),
    0n,
  );
}

export function size(amount: bigint): bigint {
  return amount < 0n ? -amount : amount;
}

/** Whole days, oldest first. */
const ages = [
  { age: "> 7 d", days: 8 },
  { age: "4–7 d", days: 4 },
  { age: "2–3 d", days: 2 },
  { age: "0–1 d", days: 0 },
] as const;

export function ageStarts(nowMs: number): number[] {
  return ages.slice(0, -1).map(({ days }) => nowMs - days * dayMs);
}

export type Aged = Partial<Period> & { toMs: number; age: string; rows: OpenPayouts[] };

/** Youngest first. */
export function agedOf(open: readonly OpenPayouts[], currency: string, nowMs: number): Aged[] {
  const starts = ageStarts(nowMs);
  return ages
    .map(({ age }, place) => ({
      age,
      ...(place > 0 && { fromMs: starts[place - 1] as number }),
      toMs: starts[place] ?? nowMs,
      rows: open.filter((row) => row.currency === currency && row.age === place),
    }))
    .reverse();
}
