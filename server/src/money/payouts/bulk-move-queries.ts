// The SQL that makes one and the same move for many payouts of a bank batch: it takes their ids only, and the database
// knows the rest. For moves without an event. Their transfers are posted apart, last in the transaction: they lock
// balances, and payouts are created under the same locks.

import { newId } from "../../platform/base/index.ts";
import { lockedInOrder, statement, type Tx } from "../../platform/db/index.ts";
import { postings, postTransfersSql } from "../ledger/index.ts";
import { bankRailPrefix } from "../rails/index.ts";
import type { PayoutKey } from "./list-queries.ts";
import { type FeeKeepingMove, type MoveName, moves, type Stage, stages } from "./states.ts";

const moveMany = statement<{ id: string }>(
  "payouts-move-alike",
  // As the statement payouts-move does: compare and set on the stage; payouts are locked before balances.
  `with input as materialized (
     select * from unnest($1::uuid[], $2::uuid[], $3::uuid[]) as input(subaccount_id, id, history_id)
   ), ${lockedInOrder("payout", "input")}, moved as (
     update payout p
     set status = $5, stage = $7, cause = '', cause_code = '', updated_at_ms = $9, due_at_ms = $11, attempts = 0,
         provider_reference = coalesce($12, p.provider_reference),
         process_date = coalesce($13, p.process_date),
         bank_batch_id = case $7 when 'batched' then $14::uuid when 'queued' then null else p.bank_batch_id end,
         history_entries = p.history_entries + 1
     from input join locked using (subaccount_id, id)
     where p.subaccount_id = input.subaccount_id and p.id = input.id and p.stage = $6
     returning input.*, p.history_entries as history_number
   ), with_history as (
     insert into payout_history (subaccount_id, payout_id, id, number, at_ms, who, from_status, to_status,
                                 from_stage, to_stage, reason)
     select subaccount_id, id, history_id, history_number, $9, $8, $4, $5, $6, $7, $10 from moved
   )
   select id from moved`,
);

/** The name of a ledger account, as `toRow` of the ledger gives it. */
const named = (account: string) =>
  `case when ${account} = 'clearing' or (${account} = 'bank' and starts_with(p.rail, '${bankRailPrefix}'))
                 then ${account} || ':' || p.rail else ${account} end`;

const postMany = statement<{ id: string }>(
  "payouts-post",
  // A payout is read once for all its transfers. `first` counts the transfers before its own.
  `with posted as materialized (
     select input.first + step.number as call, p.subaccount_id, p.currency,
            ($5::uuid[])[input.first + step.number] as id,
            ${named("step.debit")} as debit, ${named("step.credit")} as credit,
            coalesce(p.sent_amount, p.amount) as amount, step.kind, p.id as payout_id, null::uuid as reverses_id,
            p.reference,
            $11::bigint as created_at_ms, $12 as created_by, null::text as day
     from unnest($1::uuid[], $2::uuid[], $3::text[], $4::int[]) as input(subaccount_id, id, move, first)
     cross join lateral (
       select * from payout where subaccount_id = input.subaccount_id and id = input.id limit 1
     ) p
     join unnest($6::text[], $7::int[], $8::text[], $9::text[], $10::text[]) as step(move, number, kind, debit, credit)
       on step.move = input.move
   ), ${postTransfersSql}
   select id from written`,
);

const steps = Object.entries(moves).flatMap(([move, { transfers }]) =>
  transfers.map((kind, index) => ({ move, number: index + 1, kind, posting: postings[kind] })),
);
const stepValues = [
  steps.map(({ move }) => move),
  steps.map(({ number }) => number),
  steps.map(({ kind }) => kind),
  steps.map(({ posting: [debit] }) => debit),
  steps.map(({ posting: [, credit] }) => credit),
];

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
  const { from, to } = moves[request.move];
  const status = (stage: Stage) => stages[stage];
  const moved = await tx.run(moveMany, [
    payouts.map(({ subaccountId }) => subaccountId),
    payouts.map(({ id }) => id),
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
  ]);
  if (moved.length !== payouts.length) throw new Error("a payout that is locked must move");
  tx.afterCommit(({ metrics, changed }) => {
    metrics?.payoutsMoved(payouts.map(() => to));
    for (const subaccountId of new Set(payouts.map((payout) => payout.subaccountId))) {
      changed(subaccountId, "payouts");
    }
  });
}

/** Each transfer is of the amount that goes to the bank: none of these moves gives a fee back. */
type PostedMove = PayoutKey & { move: FeeKeepingMove };

/** The transfers of moves that were made in this transaction without them. */
export async function postMoveTransfers(
  tx: Tx,
  moved: readonly PostedMove[],
  { who, atMs }: Pick<AlikeRequest, "who" | "atMs">,
): Promise<void> {
  let count = 0;
  const firsts = moved.map(({ move }) => {
    const first = count;
    count += moves[move].transfers.length;
    return first;
  });
  if (count === 0) return;
  const written = await tx.run(postMany, [
    moved.map(({ subaccountId }) => subaccountId),
    moved.map(({ id }) => id),
    moved.map(({ move }) => move),
    firsts,
    Array.from({ length: count }, newId),
    ...stepValues,
    atMs,
    who,
  ]);
  if (written.length !== count) throw new Error("a transfer found no balance to move");
}
