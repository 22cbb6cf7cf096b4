// The SQL of what a subaccount may pay out, and of how much waits for a second person.

import { type Runner, statement, type Tx } from "../db/connect.ts";
import type { Purse } from "../ledger/queries.ts";
import { toNumber } from "../money.ts";

/** Undefined: no limit. */
export type PayoutLimit = {
  perPayoutMax: bigint | undefined;
  perDayMax: bigint | undefined;
  /** A payout of more waits for approval. */
  approvalAbove: bigint | undefined;
};

type LimitRow = {
  currency: string;
  per_payout_max: string | null;
  per_day_max: string | null;
  approval_above: string | null;
};

const setLimit = statement<LimitRow>(
  "payout-limit-set",
  // Locked first, so that of two changes the second says what the first has made of it.
  `with before as materialized (
     select currency, per_payout_max, per_day_max, approval_above from payout_limit
     where subaccount_id = $1 and currency = $2 for update
   ), after as (
     insert into payout_limit (subaccount_id, currency, per_payout_max, per_day_max, approval_above)
     select $1, $2, $3, $4, $5 from (select count(*) from before) locked
     on conflict (subaccount_id, currency)
     do update set per_payout_max = excluded.per_payout_max, per_day_max = excluded.per_day_max,
       approval_above = excluded.approval_above
   )
   select currency, per_payout_max, per_day_max, approval_above from before`,
);

/** What it was before. */
export async function setPayoutLimit(
  tx: Tx,
  purse: Purse,
  limit: PayoutLimit,
): Promise<PayoutLimit> {
  const { perPayoutMax, perDayMax, approvalAbove } = limit;
  const amounts = [perPayoutMax, perDayMax, approvalAbove].map((one) => one?.toString() ?? null);
  const [before] = await tx.run(setLimit, [purse.subaccountId, purse.currency, ...amounts]);
  return toLimit(before);
}

const limitsOf = statement<LimitRow>(
  "payout-limits",
  `select currency, per_payout_max, per_day_max, approval_above from payout_limit
   where subaccount_id = $1 order by currency`,
);

export async function listPayoutLimits(
  db: Runner,
  subaccountId: string,
): Promise<(PayoutLimit & { currency: string })[]> {
  const rows = await db.run(limitsOf, [subaccountId]);
  return rows.map((row) => ({ currency: row.currency, ...toLimit(row) }));
}

function toLimit(row: LimitRow | undefined): PayoutLimit {
  const read = (text: string | null | undefined) => (text == null ? undefined : BigInt(text));
  return {
    perPayoutMax: read(row?.per_payout_max),
    perDayMax: read(row?.per_day_max),
    approvalAbove: read(row?.approval_above),
  };
}

/** As the wire and the audit have them: null where there is no limit. */
export function limitsOnWire({ perPayoutMax, perDayMax, approvalAbove }: PayoutLimit) {
  const number = (amount: bigint | undefined) => (amount === undefined ? null : toNumber(amount));
  return {
    per_payout_max: number(perPayoutMax),
    per_day_max: number(perDayMax),
    approval_above: number(approvalAbove),
  };
}
