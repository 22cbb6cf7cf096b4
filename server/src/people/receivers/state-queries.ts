// The SQL that changes a receiver, its states and its history.

import { lockedInOrder, type Runner, statement, type Tx } from "../../platform/db/index.ts";
import { limits } from "../../platform/limits/index.ts";
import {
  insertEventsSql,
  laterEvents,
  laterEventsSql,
  laterMost,
  type OutboxEvent,
} from "../../webhooks/events/index.ts";
import type { ProviderName } from "../kyc-providers/index.ts";
import type { PersonColumns, Unopened } from "../person/index.ts";
import { type ReceiverKey, type ReceiverRow, receiverColumns } from "./queries.ts";
import type { KycStatus, KycStep, ReceiverStatus } from "./receiver.ts";
import { kycMoves, type States, statusMoves } from "./states.ts";

/** A receiver with the columns that callers don't see. Its person is opened. */
export type LockedReceiver = ReceiverRow & {
  reference: string;
  kyc_provider: ProviderName;
  kyc_reported_at_ms: string;
  kyc_step: KycStep | null;
  erased_at_ms: string | null;
};

/** The same as it is stored: `openPerson` decrypts it. */
export type StoredLockedReceiver = Unopened<LockedReceiver>;

const lockOne = statement<StoredLockedReceiver>(
  "receiver-lock",
  `select ${receiverColumns}, r.reference, r.kyc_provider, r.kyc_reported_at_ms, r.kyc_step, r.erased_at_ms
   from receiver r where r.subaccount_id = $1 and r.id = $2 for update`,
);

/** It is locked until the end of the transaction. */
export async function lockReceiver(
  tx: Tx,
  { subaccountId, id }: ReceiverKey,
): Promise<StoredLockedReceiver | undefined> {
  return (await tx.run(lockOne, [subaccountId, id]))[0];
}

const changeable = [
  "first_name",
  "last_name",
  "middle_name",
  "email",
  "email_key",
  "gender",
  "dob",
  "dialcode",
  "phone",
  "address",
  "address2",
  "city",
  "state",
  "postcode",
  "country",
  "reference",
] as const;

export type ReceiverDetails = Record<(typeof changeable)[number], string>;

const updateOne = statement<never>(
  "receiver-update",
  `update receiver set person_sealed = $3,
     ${changeable.map((column, index) => `${column} = $${index + 4}`).join(", ")}
   where subaccount_id = $1 and id = $2`,
);

/** The receiver must be locked. With a key, its person is encrypted already. */
export async function updateReceiver(
  tx: Tx,
  { subaccountId, id }: ReceiverKey,
  details: ReceiverDetails & Partial<Pick<PersonColumns, "person_sealed">>,
): Promise<void> {
  const values = changeable.map((column) => details[column]);
  await tx.run(updateOne, [subaccountId, id, details.person_sealed ?? null, ...values]);
  tx.afterCommit(({ changed }) => changed(subaccountId, "receivers"));
}

const findPendingPayout = statement<{ found: boolean }>(
  "receiver-payouts-pending",
  `select exists (
     select from receiver_account a
     join payout p on p.subaccount_id = a.subaccount_id and p.account_id = a.id and p.status = 'pending'
     where a.subaccount_id = $1 and a.receiver_id = $2
   ) as found`,
);

export async function receiverHasPendingPayouts(
  tx: Tx,
  { subaccountId, id }: ReceiverKey,
): Promise<boolean> {
  return (await tx.run(findPendingPayout, [subaccountId, id]))[0]?.found === true;
}

const setPayeeChecksDue = statement<never>(
  "receiver-payee-names-recheck",
  `update payee_name_check n set outcome = null, checked_at_ms = null, due_at_ms = $3, attempts = 0
   from receiver_account a join bank_details b
     on b.subaccount_id = a.subaccount_id and b.account_id = a.id and b.version = a.version
   where a.subaccount_id = $1 and a.receiver_id = $2
     and n.subaccount_id = $1 and n.account_id = a.id and n.version = a.version
     and (b.individual_or_business = 'I' or b.business_name = '')`,
);

/** After a change of the name that payments carry: an outcome about the old name no longer counts. */
export async function recheckPayeeNames(
  tx: Tx,
  { subaccountId, id }: ReceiverKey,
  nowMs: number,
): Promise<void> {
  await tx.run(setPayeeChecksDue, [subaccountId, id, nowMs]);
}

/** A change of states, with its history entry, event and next step. */
export type Move = ReceiverKey & {
  from: States;
  to: States;
  who: string;
  reason: string;
  atMs: number;
  /** The next step of the KYC worker; null: none; "as-before": the one it has. */
  step: { kind: KycStep; dueAtMs: number } | null | "as-before";
  /** The lease under which the move was prepared. It is lost when another process has claimed the step. */
  leaseMs?: number;
  applicantId?: string;
  /** Reports of what happened before this time are ignored. */
  reportedAtMs?: number;
  historyId: string;
  event: OutboxEvent | undefined;
  /** On request, after the event. */
  later?: OutboxEvent[];
};

const legal = (column: string, moves: Record<string, readonly string[]>) => {
  const pairs = Object.entries(moves).flatMap(([from, targets]) =>
    targets.map((to) => `('${from}', '${to}')`),
  );
  return `(r.${column} = input.to_${column} or (r.${column}, input.to_${column}) in (${pairs.join(", ")}))`;
};

const moveMany = statement<{ call: number }>(
  "receivers-move",
  // Compare and set: a receiver that is no longer in the state that the move starts from stays as it is, and so does
  // one whose move is not in the tables. History entry and event are written with the move or not at all.
  `with input as materialized (
     select * from json_to_recordset($1) as input(
       call int, subaccount_id uuid, id uuid, from_status text, to_status text, from_kyc_status text,
       to_kyc_status text, who text, reason text, at_ms bigint, keeps_step boolean, kyc_step text,
       kyc_due_at_ms bigint, lease_ms bigint, applicant_id text, reported_at_ms bigint, history_id uuid,
       event_id uuid, event_type text, event_body text, later json)
   ), ${lockedInOrder("receiver", "input")}, moved as (
     update receiver r
     set status = input.to_status,
         kyc_status = input.to_kyc_status,
         applicant_id = coalesce(input.applicant_id, r.applicant_id),
         kyc_step = case when input.keeps_step then r.kyc_step else input.kyc_step end,
         kyc_due_at_ms = case when input.keeps_step then r.kyc_due_at_ms
                              -- A worker may be sending the old details to the provider now. The new step
                              -- waits for the end of that lease, so that the old details can't overwrite it.
                              when input.kyc_step <> 'ask' and r.kyc_step <> 'ask'
                              then greatest(input.kyc_due_at_ms, least(r.kyc_due_at_ms + 1,
                                            input.kyc_due_at_ms + ${limits.kycLeaseMs}))
                              else input.kyc_due_at_ms end,
         kyc_attempts = case when input.keeps_step then r.kyc_attempts
                             when input.kyc_step = 'create' then greatest(r.kyc_attempts, 1) else 0 end,
         kyc_reported_at_ms = greatest(input.reported_at_ms, r.kyc_reported_at_ms),
         kyc_needs_review = r.kyc_needs_review and input.keeps_step,
         history_entries = r.history_entries + 1
     from input join locked using (subaccount_id, id)
     where r.subaccount_id = input.subaccount_id and r.id = input.id
       and r.status = input.from_status and r.kyc_status = input.from_kyc_status
       and (input.lease_ms is null or r.kyc_due_at_ms = input.lease_ms)
       and ${legal("status", statusMoves)}
       and ${legal("kyc_status", kycMoves)}
     returning input.*, r.history_entries as history_number
   ), with_event as (
     insert into receiver_history (subaccount_id, receiver_id, id, number, at_ms, who, from_status, to_status,
                                   from_kyc_status, to_kyc_status, reason)
     select subaccount_id, id, history_id, history_number, at_ms, who, from_status, to_status, from_kyc_status,
            to_kyc_status, reason
     from moved
   ), new_events as (
     select ${laterMost} * call as call, subaccount_id, id as order_key, event_id, event_type, event_body, at_ms
     from moved where event_id is not null
     union all ${laterEventsSql}
   ), ${insertEventsSql}
   select call from moved`,
);

/** Whether each move was made, in their order. One statement, so one transaction. */
export async function moveReceivers(db: Runner, moves: readonly Move[]): Promise<boolean[]> {
  const rows = moves.map((move, call) => {
    const step = move.step === "as-before" ? null : move.step;
    return {
      call,
      subaccount_id: move.subaccountId,
      id: move.id,
      from_status: move.from.status,
      to_status: move.to.status,
      from_kyc_status: move.from.kyc_status,
      to_kyc_status: move.to.kyc_status,
      who: move.who,
      reason: move.reason,
      at_ms: move.atMs,
      keeps_step: move.step === "as-before",
      kyc_step: step?.kind,
      kyc_due_at_ms: step?.dueAtMs,
      lease_ms: move.leaseMs,
      applicant_id: move.applicantId,
      reported_at_ms: move.reportedAtMs,
      history_id: move.historyId,
      event_id: move.event?.id,
      event_type: move.event?.type,
      event_body: move.event?.body,
      later: laterEvents(move.later ?? []),
    };
  });
  const done = new Set((await db.run(moveMany, [JSON.stringify(rows)])).map(({ call }) => call));
  db.afterCommit(({ onEventCommitted, changed }) => {
    for (const [call, { subaccountId, event, later }] of moves.entries()) {
      if (!done.has(call)) continue;
      if (event || later?.length) onEventCommitted(subaccountId);
      changed(subaccountId, "receivers");
    }
  });
  return moves.map((_, call) => done.has(call));
}

const makers = statement<{ who: string }>(
  "receiver-makers",
  // The reason of a change names its fields: see change.ts.
  `select r.created_by as who from receiver r where r.subaccount_id = $1 and r.id = $2
   union
   select h.who from receiver_history h
   where h.subaccount_id = $1 and h.receiver_id = $2 and h.reason like 'changed %'`,
);

/** The actors who created the receiver or changed its details. */
export async function listReceiverMakers(
  db: Runner,
  { subaccountId, id }: ReceiverKey,
): Promise<string[]> {
  return (await db.run(makers, [subaccountId, id])).map(({ who }) => who);
}

export type HistoryRow = {
  id: string;
  at_ms: string;
  who: string;
  reason: string;
  from_status: ReceiverStatus | null;
  to_status: ReceiverStatus;
  from_kyc_status: KycStatus | null;
  to_kyc_status: KycStatus;
};

const listOfReceiver = statement<HistoryRow>(
  "receiver-history",
  // The first line is the receiver's own row: created in the states from which the first move started.
  // Numbers decide the order, because ids carry the clock of the process that made them.
  `with entry as materialized (
     select number, id, at_ms, who, reason, from_status, to_status, from_kyc_status, to_kyc_status
     from receiver_history where subaccount_id = $1 and receiver_id = $2
     union all
     select -1, r.id, r.created_at_ms, r.created_by, 'created',
            null, coalesce(first.from_status, r.status),
            null, coalesce(first.from_kyc_status, r.kyc_status)
     from receiver r left join lateral (
       select h.from_status, h.from_kyc_status from receiver_history h
       where h.subaccount_id = r.subaccount_id and h.receiver_id = r.id order by h.number, h.id limit 1
     ) first on true
     where r.subaccount_id = $1 and r.id = $2
   ), page as (
     select number, id from entry where id = $3
   )
   select id, at_ms, who, reason, from_status, to_status, from_kyc_status, to_kyc_status
   from entry
   where not exists (select from page) or (number, id) < (select number, id from page)
   order by number desc, id desc limit $4`,
);

/** Newest first, the creation last. Nothing at all where there is no such receiver. */
export function listHistory(
  db: Runner,
  { subaccountId, id }: ReceiverKey,
  page: { beforeId: string; limit: number },
): Promise<HistoryRow[]> {
  return db.run(listOfReceiver, [subaccountId, id, page.beforeId, page.limit]);
}
