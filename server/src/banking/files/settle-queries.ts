// The SQL that finds sent payouts whose time to count as paid has come.

import { type PayoutRow, payoutColumns } from "../../money/payouts/index.ts";
import { type Runner, statement, worksHere } from "../../platform/db/index.ts";

const findDue = statement<PayoutRow & { subaccount_id: string; due_at_ms: string }>(
  "bank-settle-due",
  // Over all subaccounts, because the worker serves all; each row carries its subaccount_id.
  `select ${payoutColumns}, p.subaccount_id, p.due_at_ms from payout p
   where p.rail = $1 and p.stage = 'submitted' and p.due_at_ms <= $2 and ${worksHere("p.subaccount_id")}
   order by p.subaccount_id, p.due_at_ms limit $3`,
);

export function listPayoutsToSettle(
  db: Runner,
  { rail, nowMs, limit }: { rail: string; nowMs: number; limit: number },
) {
  return db.run(findDue, [rail, nowMs, limit]);
}
