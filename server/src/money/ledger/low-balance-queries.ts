// Tells a subaccount that a balance fell below the level that it has set, in the transaction of the fall.

import { statement, type Tx } from "../../platform/db/index.ts";
import { balanceLow, insertRequestedEvents } from "../../webhooks/events/index.ts";

export type LowBalance = {
  subaccountId: string;
  currency: string;
  /** The transfer that took it below. */
  transferId: string;
  available: bigint;
  level: bigint;
  atMs: number;
};

/** The level of a balance, in SQL. `balance` has subaccount_id and currency. */
export const levelOf = (
  balance: string,
) => `(select (s.balance_levels ->> ${balance}.currency)::bigint
             from subaccount s where s.id = ${balance}.subaccount_id)`;

export async function insertLowBalanceEvents(tx: Tx, lows: readonly LowBalance[]): Promise<void> {
  await insertRequestedEvents(
    tx,
    lows.map((low) => {
      const { subaccountId, atMs } = low;
      return { ...balanceLow(low), subaccountId, orderKey: subaccountId, atMs };
    }),
  );
}

type FallRow = { id: string; currency: string; available: string; level: string; at_ms: string };

const findFalls = statement<FallRow>(
  "ledger-balance-falls",
  `select t.id, t.currency, t.available_after as available, t.level, t.created_at_ms as at_ms
   from (select t.*, ${levelOf("t")} as level from ledger_transfer t
         where t.subaccount_id = $1 and t.id = any($2::uuid[]) and t.debit = 'available') t
   where t.available_after < t.level and t.available_after + t.amount >= t.level`,
);

/** After transfers that took from a balance. Those of new payouts are known before: decide.ts. */
export async function tellLowBalances(
  tx: Tx,
  subaccountId: string,
  transferIds: readonly string[],
): Promise<void> {
  const falls = await tx.run(findFalls, [subaccountId, transferIds]);
  if (falls.length === 0) return;
  await insertLowBalanceEvents(
    tx,
    falls.map(({ id: transferId, currency, available, level, at_ms }) => ({
      ...{ subaccountId, currency, transferId },
      ...{ available: BigInt(available), level: BigInt(level), atMs: Number(at_ms) },
    })),
  );
}
