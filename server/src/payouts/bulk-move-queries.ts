// The SQL that makes one and the same move for many payouts of a bank batch: it takes their ids only, and the database
// knows the rest. For moves without an event and with one transfer at most.

import { lockedInOrder, statement, type Tx } from "../db/connect.ts";
import { newId } from "../ids.ts";
import { postings } from "../ledger/ledger.ts";
import { postTransfersSql } from "../ledger/queries.ts";
import type { PayoutKey } from "./list-queries.ts";
import { type MoveName, moves, type Stage, stages } from "./states.ts";

const moveMany = statement<{ id: string }>(
  "payouts-move-alike",
  // As the statement payouts-move does: compare and set on the stage; payouts are locked before balances.
  `with input as materialized (
     select * from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[]) with ordinality
       as input(subaccount_id, id, history_id, transfer_id, call)
   ), ${lockedInOrder("payout", "input")}, moved as (
     update payout p
     set status = $6, stage = $8, cause = '', cause_code = '', updated_at_ms = $10, due_at_ms = $12, attempts = 0,
         provider_reference = coalesce($13, p.provider_reference),
         process_date = coalesce($14, p.process_date),
         bank_batch_id = case $8 when 'batched' then $15::uuid when 'queued' then null else p.bank_batch_id end,
         history_entries = p.history_entries + 1
     from input join locked using (subaccount_id, id)
     where p.subaccount_id = input.subaccount_id and p.id = input.id and p.stage = $7
     returning input.*, p.amount, p.currency, p.reference, p.rail, p.history_entries as history_number
   ), with_history as (
     insert into payout_history (subaccount_id, payout_id, id, number, at_ms, who, from_status, to_status,
                                 from_stage, to_stage, reason)
     select subaccount_id, id, history_id, history_number, $10, $9, $5, $6, $7, $8, $11 from moved
   ), posted as materialized (
     select call::int, subaccount_id, currency, transfer_id as id,
            case $17 when 'clearing' then 'clearing:' || rail else $17 end as debit,
            case $18 when 'clearing' then 'clearing:' || rail else $18 end as credit,
            amount, $16 as kind, id as payout_id, null::uuid as reverses_id, reference, $10::bigint as created_at_ms,
            $9 as created_by, null::text as day
     from moved where $16::text is not null
   ), ${postTransfersSql}
   select id from moved`,
);

/** The moves that can be made so. */
type AlikeMove = {
  [Name in MoveName]: (typeof moves)[Name]["event"] extends undefined ? Name : never;
}[MoveName];

type AlikeRequest = {
  move: AlikeMove;
  who: string;
  reason: string;
  atMs: number;
  dueAtMs?: number | undefined;
  providerReference?: string | undefined;
  processDate?: string | undefined;
  bankBatchId?: string | undefined;
};

/** All or none: each has to be where the move starts. They are locked by the caller. */
export async function movePayoutsAlike(
  tx: Tx,
  payouts: readonly PayoutKey[],
  request: AlikeRequest,
): Promise<void> {
  if (payouts.length === 0) return;
  const { from, to, transfers } = moves[request.move];
  const [kind] = transfers;
  const [debit, credit] = kind ? postings[kind] : [null, null];
  const status = (stage: Stage) => stages[stage];
  const moved = await tx.run(moveMany, [
    payouts.map(({ subaccountId }) => subaccountId),
    payouts.map(({ id }) => id),
    payouts.map(newId),
    payouts.map(newId),
    status(from),
    status(to),
    from,
    to,
    request.who,
    request.atMs,
    request.reason,
    request.dueAtMs ?? null,
    request.providerReference ?? null,
    request.processDate ?? null,
    request.bankBatchId ?? null,
    kind ?? null,
    debit,
    credit,
  ]);
  if (moved.length !== payouts.length) throw new Error("a payout that is locked must move");
  tx.afterCommit(({ metrics, changed }) => {
    metrics?.payoutsMoved(payouts.map(() => to));
    for (const subaccountId of new Set(payouts.map((payout) => payout.subaccountId))) {
      changed(subaccountId, "payouts");
    }
  });
}
