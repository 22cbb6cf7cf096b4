// The SQL that moves payouts from stage to stage.

import {
  type Db,
  isLockTimeout,
  isStatementError,
  lockedInOrder,
  type Runner,
  statement,
} from "../../platform/db/index.ts";
import { onRequestTypes } from "../../platform/event-catalogue/index.ts";
import {
  insertEventsSql,
  isRequestedSql,
  laterEvents,
  laterEventsSql,
  laterMost,
  type OutboxEvent,
} from "../../webhooks/events/index.ts";
import { postTransfersSql, type Transfer, toRow, transferColumns } from "../ledger/index.ts";
import { countBatchesSql, finishedBatchesSql } from "./batch-end-queries.ts";
import { correctDayTotalsSql } from "./day-total-queries.ts";
import { type PayoutStatus, type Stage, stages } from "./states.ts";

export type PayoutMove = {
  subaccountId: string;
  id: string;
  fromStage: Stage;
  toStage: Stage;
  who: string;
  reason: string;
  atMs: number;
  cause: string;
  causeCode: string;
  providerReference?: string | undefined;
  /** The time of the worker's next step. Undefined: never. */
  dueAtMs: number | undefined;
  processDate?: string | undefined;
  expectedArrival?: string | undefined;
  /** Of a payout that is frozen into a bank file. */
  bankBatchId?: string | undefined;
  /** The lease under which the move was prepared. */
  leaseMs?: number | undefined;
  historyId: string;
  event: OutboxEvent | undefined;
  /** On request, after the event. */
  later?: OutboxEvent[] | undefined;
  /** Of the event that its batch has finished, if this is the last one. */
  batchEventId?: string | undefined;
  transfers: readonly Transfer[];
};

// Compare and set on the stage. History, event and transfers go with the move, or nothing does. Payouts are locked
// before balances, by every statement.
const moving = (
  balances: { ctes: string; areFree: string },
  corrections = "",
) => `with input as materialized (
     select * from json_to_recordset($1) as input(
       call int, subaccount_id uuid, id uuid, from_stage text, to_stage text, from_status text,
       to_status text, who text, reason text, at_ms bigint, cause text, cause_code text, provider_reference text, due_at_ms bigint,
       process_date text, expected_arrival text, bank_batch_id uuid, lease_ms bigint, history_id uuid, event_id uuid, event_type text, event_body text, later json, batch_event_id uuid)
   ), ${lockedInOrder("payout", "input")}${balances.ctes}, moved as (
     update payout p
     set status = input.to_status, stage = input.to_stage, cause = input.cause,
         cause_code = input.cause_code, updated_at_ms = input.at_ms, due_at_ms = input.due_at_ms,
         provider_reference = coalesce(input.provider_reference, p.provider_reference), attempts = 0,
         process_date = coalesce(input.process_date, p.process_date),
         expected_arrival = coalesce(input.expected_arrival, p.expected_arrival),
         bank_batch_id = case input.to_stage when 'batched' then input.bank_batch_id when 'queued' then null
                         else p.bank_batch_id end,
         history_entries = p.history_entries + 1
     from input join locked using (subaccount_id, id)
     where p.subaccount_id = input.subaccount_id and p.id = input.id and p.stage = input.from_stage
       and (input.lease_ms is null or p.due_at_ms = input.lease_ms)${balances.areFree}
     returning input.*, p.history_entries as history_number, p.receiver_id, p.account_id, p.account_version, p.currency,
       p.amount, p.created_at_ms, p.batch_id
   ), no_longer_aside as (
     delete from payout_set_aside s using moved
     where s.subaccount_id = moved.subaccount_id and s.payout_id = moved.id
   ), with_event as (
     insert into payout_history (subaccount_id, payout_id, id, number, at_ms, who, from_status, to_status,
                                 from_stage, to_stage, reason)
     select subaccount_id, id, history_id, history_number, at_ms, who, from_status, to_status, from_stage,
            to_stage, reason
     from moved
   ), ${countBatchesSql}, new_events as (
     select ${laterMost} * call as call, subaccount_id, id as order_key, event_id, event_type, event_body, at_ms from moved
     where event_id is not null and (event_type <> all('{${onRequestTypes}}') or exists (
       select from webhook_endpoint n where n.subaccount_id = moved.subaccount_id and ${isRequestedSql("moved.event_type", "n")}))
     union all ${laterEventsSql}
     union all ${finishedBatchesSql}
   ), ${insertEventsSql}, posted as materialized (
     select t.* from json_to_recordset($2) as t(${transferColumns})
     join moved m on m.subaccount_id = t.subaccount_id and m.id = t.payout_id
   ), ${postTransfersSql}${corrections}`;

/** For moves from or to a failure, which change what thresholds have counted; and for all others. */
const moveStatements = (name: string, balances: { ctes: string; areFree: string }) => ({
  plain: statement<{ id: string }>(name, `${moving(balances)}\n   select id from moved`),
  correcting: statement<{ id: string }>(
    `${name}-failed`,
    `${moving(balances, `, ${correctDayTotalsSql}`)}\n   select id from moved`,
  ),
});

const moveMany = moveStatements("payouts-move", { ctes: "", areFree: "" });

// Only payouts whose balances are not locked, so that no subaccount waits for the lock of another.
const moveManyFree = moveStatements("payouts-move-free", {
  ctes: `, paid as materialized (
     select t.subaccount_id, t.payout_id, t.currency from json_to_recordset($2) as t(${transferColumns})
   ), free_balances as materialized (
     select b.subaccount_id, b.currency from ledger_balance b
     where (b.subaccount_id, b.currency) in (
       select paid.subaccount_id, paid.currency from paid
       join locked on locked.subaccount_id = paid.subaccount_id and locked.id = paid.payout_id)
     order by b.subaccount_id, b.currency for update of b skip locked
   ), locked_out as materialized (
     select distinct paid.subaccount_id, paid.payout_id from paid
     left join free_balances f on f.subaccount_id = paid.subaccount_id and f.currency = paid.currency
     where f.currency is null
   )`,
  areFree: `
       and not exists (select from locked_out w
                       where w.subaccount_id = input.subaccount_id and w.payout_id = input.id)`,
});

/**
 * The same as below, for payouts of several subaccounts. A subaccount whose balance is locked is tried once more,
 * separately; if it is still locked, its payouts are not moved.
 */
export async function movePayoutsOfMany(
  db: Db,
  moves: readonly PayoutMove[],
): Promise<ReadonlySet<string>> {
  const moved = new Set(await movePayouts(db, moves, moveManyFree));
  const rest = moves.filter(({ id, transfers }) => !moved.has(id) && transfers.length > 0);
  for (const apart of Map.groupBy(rest, ({ subaccountId }) => subaccountId).values()) {
    try {
      for (const id of await movePayouts(db.shared, apart)) moved.add(id);
    } catch (error) {
      // They stay as they are, and have their turn again when their lease ends.
      if (!isLockTimeout(error) && !isStatementError(error)) throw error;
    }
  }
  return moved;
}

/** The ids of those that were moved: a payout that is no longer where its move starts stays as it is. */
export async function movePayouts(
  db: Runner,
  moves: readonly PayoutMove[],
  statements = moveMany,
): Promise<ReadonlySet<string>> {
  const rows = moves.map((move, call) => ({
    call,
    subaccount_id: move.subaccountId,
    id: move.id,
    from_stage: move.fromStage,
    to_stage: move.toStage,
    from_status: stages[move.fromStage],
    to_status: stages[move.toStage],
    who: move.who,
    reason: move.reason,
    at_ms: move.atMs,
    cause: move.cause,
    cause_code: move.causeCode,
    provider_reference: move.providerReference,
    due_at_ms: move.dueAtMs,
    process_date: move.processDate,
    expected_arrival: move.expectedArrival,
    bank_batch_id: move.bankBatchId,
    lease_ms: move.leaseMs,
    history_id: move.historyId,
    event_id: move.event?.id,
    event_type: move.event?.type,
    event_body: move.event?.body,
    later: move.later && laterEvents(move.later),
    batch_event_id: move.batchEventId,
  }));
  const transfers = moves.flatMap((move) => move.transfers).map(toRow);
  const isFailure = (status: PayoutStatus) => status === "failed";
  const changesTotals = rows.some(
    ({ from_status, to_status }) => isFailure(from_status) !== isFailure(to_status),
  );
  const { plain, correcting } = statements;
  const values = [JSON.stringify(rows), JSON.stringify(transfers)];
  const moved = await db.run(changesTotals ? correcting : plain, values);
  const ids = new Set(moved.map(({ id }) => id));
  const made = moves.filter(({ id }) => ids.has(id));
  db.afterCommit(({ metrics, onEventCommitted, changed }) => {
    metrics?.payoutsMoved(made.map(({ toStage }) => toStage));
    for (const { subaccountId, event } of made) {
      if (event) onEventCommitted(subaccountId);
      changed(subaccountId, "payouts");
    }
  });
  return ids;
}
