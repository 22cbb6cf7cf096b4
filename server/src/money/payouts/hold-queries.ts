// The SQL of payouts that are on hold: since when, why, and how it ended.

import { newId } from "../../platform/base/index.ts";
import { type Runner, statement, type Tx, worksHere } from "../../platform/db/index.ts";
import type { HoldReason } from "./hold-reason.ts";
import type { PayoutKey } from "./list-queries.ts";
import { type PayoutRow, payoutColumns } from "./queries.ts";

export type NewHold = PayoutKey & { reasons: readonly HoldReason[] };
type HoldActor = { who: string; atMs: number };

const insertMany = statement<never>(
  "payout-holds-insert",
  `insert into payout_hold (subaccount_id, payout_id, id, since_ms, held_by, reasons)
   select subaccount_id, payout_id, id, $2, $3, reasons
   from json_to_recordset($1) as input(subaccount_id uuid, payout_id uuid, id uuid, reasons jsonb)
   order by subaccount_id, payout_id`,
);

/** For payouts that this transaction has created or moved to the stage on_hold. */
export async function insertHolds(
  tx: Tx,
  holds: readonly NewHold[],
  { who, atMs }: HoldActor,
): Promise<void> {
  if (holds.length === 0) return;
  const rows = holds.map(({ subaccountId, id, reasons }) => ({
    subaccount_id: subaccountId,
    payout_id: id,
    id: newId(),
    reasons,
  }));
  await tx.run(insertMany, [JSON.stringify(rows), atMs, who]);
}

const addReason = statement<never>(
  "payout-holds-add-reason",
  `update payout_hold set reasons = reasons || $3::jsonb
   where subaccount_id = $1 and payout_id = any($2::uuid[]) and decision is null and not reasons @> $3::jsonb`,
);

/** For payouts that are on hold already. */
export async function addHoldReason(
  tx: Tx,
  subaccountId: string,
  payoutIds: readonly string[],
  reason: HoldReason,
): Promise<void> {
  if (payoutIds.length === 0) return;
  await tx.run(addReason, [subaccountId, payoutIds, JSON.stringify([reason])]);
}

export type HoldDecision = "released" | "refused" | "cancelled" | "expired";

const endMany = statement<never>(
  "payout-holds-end",
  `update payout_hold h set decision = $3, decided_by = $4, decided_at_ms = $5, decided_why = $6
   from unnest($1::uuid[], $2::uuid[]) as input(subaccount_id, payout_id)
   where h.subaccount_id = input.subaccount_id and h.payout_id = input.payout_id and h.decision is null`,
);

/** In the transaction of the move that ends the hold. */
export async function endHolds(
  tx: Tx,
  payouts: readonly PayoutKey[],
  { decision, who, atMs, why = "" }: HoldActor & { decision: HoldDecision; why?: string },
): Promise<void> {
  await tx.run(endMany, [
    payouts.map(({ subaccountId }) => subaccountId),
    payouts.map(({ id }) => id),
    ...[decision, who, atMs, why],
  ]);
}

export type PayoutHold = {
  since_ms: string;
  held_by: string;
  reasons: HoldReason[];
  decision: HoldDecision | null;
  decided_by: string | null;
  decided_at_ms: string | null;
  decided_why: string;
};

const holdsOf = statement<PayoutHold>(
  "payout-holds",
  `select since_ms, held_by, reasons, decision, decided_by, decided_at_ms, decided_why
   from payout_hold where subaccount_id = $1 and payout_id = $2 order by id desc limit $3`,
);

/** Newest first. */
export function listHolds(
  db: Runner,
  { subaccountId, id }: PayoutKey,
  limit: number,
): Promise<PayoutHold[]> {
  return db.run(holdsOf, [subaccountId, id, limit]);
}

export type UnsentPayout = PayoutRow & { subaccount_id: string };

const unsentOf = statement<UnsentPayout>(
  "payouts-unsent-of-receiver",
  // A receiver has few accounts. They are locked in the order of their keys, as every statement does it.
  `select ${payoutColumns}, p.subaccount_id from payout p
   where p.subaccount_id = $1 and p.status = 'pending' and p.stage <> 'submitted' and p.id > $3
     and p.account_id in (select id from receiver_account where subaccount_id = $1 and receiver_id = $2)
   order by p.id limit $4 for no key update`,
);

/** In the order of their ids, after one of them. They stay locked until the end of the transaction. */
export function lockUnsentPayouts(
  tx: Tx,
  { subaccountId, receiverId }: { subaccountId: string; receiverId: string },
  { afterId, limit }: { afterId: string; limit: number },
): Promise<UnsentPayout[]> {
  return tx.run(unsentOf, [subaccountId, receiverId, afterId, limit]);
}

/** Whether a screening hit of the receiver of a row is open, or was confirmed. */
export const isInScreeningReview = (row: string) => `exists (select from screening_hit h
     where h.subaccount_id = ${row}.subaccount_id and h.receiver_id = ${row}.receiver_id
       and h.status in ('open', 'same'))`;

const reviewOf = statement<{ found: boolean }>(
  "receiver-screening-review",
  `select ${isInScreeningReview("input")} as found
   from (select $1::uuid as subaccount_id, $2::uuid as receiver_id) input`,
);

export async function hasScreeningReview(
  db: Runner,
  { subaccountId, receiverId }: { subaccountId: string; receiverId: string },
): Promise<boolean> {
  return (await db.run(reviewOf, [subaccountId, receiverId]))[0]?.found === true;
}

const missed = statement<UnsentPayout>(
  "payouts-to-hold",
  // Over all subaccounts, from the few hits that are open. A payout that was accepted while the hit was being written is
  // neither sent nor frozen, and is held here.
  `select ${payoutColumns}, p.subaccount_id
   from (select distinct subaccount_id, receiver_id from screening_hit where status in ('open', 'same')) h
   join receiver_account a on a.subaccount_id = h.subaccount_id and a.receiver_id = h.receiver_id
   join payout p on p.subaccount_id = a.subaccount_id and p.account_id = a.id
     and p.status = 'pending' and p.stage in ('queued', 'awaiting_approval')
   where ${worksHere("p.subaccount_id")}
   order by p.subaccount_id, p.id limit $1`,
);

export function listPayoutsToHold(db: Runner, limit: number): Promise<UnsentPayout[]> {
  return db.run(missed, [limit]);
}

const expired = statement<UnsentPayout>(
  "payout-holds-expired",
  // Over all subaccounts, because the worker serves all; each row has its subaccount_id.
  `select ${payoutColumns}, p.subaccount_id
   from (select subaccount_id, payout_id from payout_hold
         where decision is null and since_ms <= $1 and ${worksHere("payout_hold.subaccount_id")}
         order by since_ms, payout_id limit $2) h
   join payout p on p.subaccount_id = h.subaccount_id and p.id = h.payout_id and p.stage = 'on_hold'`,
);

/** The oldest first. */
export function listExpiredHolds(
  db: Runner,
  { untilMs, limit }: { untilMs: number; limit: number },
): Promise<UnsentPayout[]> {
  return db.run(expired, [untilMs, limit]);
}

const state = statement<{ count: number; oldest_ms: string | null }>(
  "payout-holds-state",
  // Over all subaccounts, for the metrics of the installation.
  `select count(*)::int as count, min(since_ms) as oldest_ms
   from (select subaccount_id, since_ms from payout_hold where decision is null order by since_ms limit $1) h`,
);

/** Counted up to `most`, with the time since which the oldest is on hold. */
export async function readHoldState(
  db: Runner,
  most: number,
): Promise<{ count: number; oldestMs: number | undefined }> {
  const [row] = await db.run(state, [most]);
  const oldest = row?.oldest_ms ?? null;
  return { count: row?.count ?? 0, oldestMs: oldest === null ? undefined : Number(oldest) };
}
