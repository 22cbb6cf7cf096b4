// The SQL of payee name checks.

import { type Mode, newId } from "../../platform/base/index.ts";
import {
  claimValues,
  type Db,
  type DueClaim,
  dueInTurns,
  dueTurns,
  type Runner,
  rowInIndex,
  statement,
} from "../../platform/db/index.ts";
import type { PayeeNameOutcome } from "../payee-checks/index.ts";
import type { AccountKey } from "./queries.ts";

export type ClaimedPayeeCheck = {
  subaccount_id: string;
  id: string;
  account_id: string;
  version: number;
  attempts: number;
  /** The end of the lease. An outcome is recorded only while the lease is valid. */
  due_at_ms: string;
  first_name: string;
  last_name: string;
  business_name: string;
  individual_or_business: string;
  country: string;
  bsb: string;
  bank_code: string;
  account_number_sealed: Buffer;
  receiver_id: string;
  person_key: Buffer | null;
};

const dueChecks = { table: "payee_name_check", queue: "mode", dueAt: "due_at_ms" } as const;

const claimMany = statement<ClaimedPayeeCheck>(
  "payee-name-checks-claim",
  // If two processes see the same check, only one gets it: for the other it is no longer due. It covers all subaccounts,
  // because the worker serves all.
  `with ${dueInTurns(dueChecks)}, claimed as (
     update payee_name_check c set due_at_ms = $3, attempts = c.attempts + 1
     from locked
     where c.ctid = locked.place and c.due_at_ms <= $2
     returning c.*
   )
   select c.subaccount_id, c.id, c.account_id, c.version, c.attempts, c.due_at_ms, r.first_name, r.last_name,
     b.business_name, b.individual_or_business, b.country, b.bsb, b.bank_code, b.account_number_sealed,
     a.receiver_id, r.person_key
   from claimed c
   cross join ${rowInIndex("receiver_account a", ["a.subaccount_id", "a.id"], ["c.subaccount_id", "c.account_id"])}
   cross join ${rowInIndex("bank_details b", ["b.subaccount_id", "b.account_id", "b.version"], ["c.subaccount_id", "c.account_id", "c.version"])}
   cross join ${rowInIndex("receiver r", ["r.subaccount_id", "r.id"], ["a.subaccount_id", "a.receiver_id"])}`,
  { followsIndexes: true },
);

export function claimPayeeChecks(
  db: Runner,
  claim: DueClaim & { mode: Mode },
): Promise<ClaimedPayeeCheck[]> {
  return db.run(claimMany, claimValues(claim.mode, claim));
}

export const payeeCheckTurns = dueTurns("payee-name-checks-due-subaccounts", dueChecks);

const setOutcome = statement<never>(
  "payee-name-check-outcome",
  `update payee_name_check set outcome = $4, checked_at_ms = $5, due_at_ms = null, attempts = 0
   where subaccount_id = $1 and id = $2 and due_at_ms = $3`,
);

/** Changes nothing if the lease was lost, or if the check was requested again in the meantime. */
export async function updatePayeeNameOutcome(
  db: Db,
  { subaccount_id, id, due_at_ms }: ClaimedPayeeCheck,
  outcome: PayeeNameOutcome,
  atMs: number,
): Promise<void> {
  await db.run(setOutcome, [subaccount_id, id, due_at_ms, outcome, atMs]);
  db.afterCommit(({ changed }) => changed(subaccount_id, "receivers"));
}

const setDue = statement<never>(
  "payee-name-check-later",
  "update payee_name_check set due_at_ms = $4 where subaccount_id = $1 and id = $2 and due_at_ms = $3",
);

export async function retryPayeeCheck(
  db: Db,
  { subaccount_id, id, due_at_ms }: ClaimedPayeeCheck,
  dueAtMs: number,
): Promise<void> {
  await db.run(setDue, [subaccount_id, id, due_at_ms, dueAtMs]);
}

const requestOne = statement<{ id: string }>(
  "payee-name-check-request",
  `insert into payee_name_check as known (subaccount_id, id, account_id, version, mode, due_at_ms)
   select a.subaccount_id, $3, a.id, a.version, s.mode, $4
   from receiver_account a join subaccount s on s.id = a.subaccount_id
   where a.subaccount_id = $1 and a.id = $2 and a.status = 'active'
   on conflict (subaccount_id, account_id, version) do update
     set due_at_ms = excluded.due_at_ms, attempts = 0
   returning id`,
);

/** Checks the current bank details of an account again, or for the first time. False if there is no open account. */
export async function requestPayeeCheck(
  db: Runner,
  { subaccountId, id }: AccountKey,
  nowMs: number,
): Promise<boolean> {
  return (await db.run(requestOne, [subaccountId, id, newId(), nowMs])).length > 0;
}
