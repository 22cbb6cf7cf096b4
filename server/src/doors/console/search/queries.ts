// The SQL of the search. Each statement scans an index within the given subaccounts.

import { type Runner, statement } from "../../../platform/db/index.ts";
import { limits } from "../../../platform/limits/index.ts";
import { searchLimits } from "./search-limits.ts";

/** The caller passes only subaccounts that the user may see. */
export type Within = readonly string[];

/** The lowest and the highest id with a prefix. Of a whole id both are that id. */
export type IdPrefix = { first: string; last: string };

const limit = `limit ${searchLimits.hitsOfKindMax}`;
const each = "unnest($1::uuid[]) as within(subaccount_id) cross join lateral";

export type PayoutHit = {
  subaccount_id: string;
  id: string;
  amount: string;
  currency: string;
  status: string;
  reference: string;
  first_name: string;
  last_name: string;
};

const payoutHit = (found: string, source = "payout") => `
  select p.subaccount_id, p.id, p.amount, p.currency, p.status, p.reference, r.first_name, r.last_name
  from ${each} (
    select * from ${source} p where ${found} order by p.id desc ${limit}
  ) p cross join lateral (
    select first_name, last_name from receiver r
    where r.subaccount_id = p.subaccount_id and r.id = p.receiver_id limit 1
  ) r ${limit}`;

const payoutById = statement<PayoutHit>(
  "search-payout",
  payoutHit("p.subaccount_id = within.subaccount_id and p.id between $2 and $3"),
);
// In the order of the index: with any other, PostgreSQL may collect all payouts of a common reference, or look through
// all payouts for a rare one. The words find the newest ones of a common reference.
const payoutByReference = statement<PayoutHit>(
  "search-payout-reference",
  payoutHit(
    "true",
    `(select * from payout p where p.subaccount_id = within.subaccount_id and p.reference = $2
      order by p.account_id, p.amount, p.id limit ${searchLimits.referencesMax})`,
  ),
);

export function searchPayout(
  db: Runner,
  within: Within,
  { first, last }: IdPrefix,
): Promise<PayoutHit[]> {
  return db.run(payoutById, [within, first, last]);
}

export function searchPayoutReference(
  db: Runner,
  within: Within,
  reference: string,
): Promise<PayoutHit[]> {
  return db.run(payoutByReference, [within, reference]);
}

export type BatchHit = { subaccount_id: string; count: number };

const batchById = statement<BatchHit>(
  "search-batch",
  `select within.subaccount_id, p.count from ${each} (
     select count(*)::int as count from (
       select from payout p where p.subaccount_id = within.subaccount_id
         and p.batch_id = $2 and p.batch_id is not null limit ${limits.consoleCountedMax}
     ) p
   ) p where p.count > 0 ${limit}`,
);

export function searchBatch(db: Runner, within: Within, id: string): Promise<BatchHit[]> {
  return db.run(batchById, [within, id]);
}

export type ReceiverHit = {
  subaccount_id: string;
  id: string;
  first_name: string;
  last_name: string;
  email: string;
  kyc_status: string;
};

const receiverHit = (found: string) => `
  select r.subaccount_id, r.id, r.first_name, r.last_name, r.email, r.kyc_status
  from ${each} (
    select * from receiver r where ${found}
    order by r.id desc ${limit}
  ) r ${limit}`;

const receiverStatements = {
  id: statement<ReceiverHit>(
    "search-receiver",
    receiverHit("r.subaccount_id = within.subaccount_id and r.id between $2 and $3"),
  ),
  email: statement<ReceiverHit>(
    "search-receiver-email",
    receiverHit("r.subaccount_id = within.subaccount_id and r.email_key = $2"),
  ),
  reference: statement<ReceiverHit>(
    "search-receiver-reference",
    receiverHit(
      "r.subaccount_id = within.subaccount_id and r.reference = $2 and r.reference <> ''",
    ),
  ),
};

export function searchReceiverId(
  db: Runner,
  within: Within,
  { first, last }: IdPrefix,
): Promise<ReceiverHit[]> {
  return db.run(receiverStatements.id, [within, first, last]);
}

export function searchReceiver(
  db: Runner,
  within: Within,
  by: "email" | "reference",
  text: string,
): Promise<ReceiverHit[]> {
  return db.run(receiverStatements[by], [within, text]);
}

export type AccountHit = {
  subaccount_id: string;
  id: string;
  receiver_id: string;
  account_number_tail: string;
  bank_name: string;
  country: string;
  first_name: string;
  last_name: string;
};

const accountHit = (found: string) => `
  select a.subaccount_id, a.id, a.receiver_id, b.account_number_tail, b.bank_name, b.country,
         r.first_name, r.last_name
  from ${each} (${found}) a
  cross join lateral (
    select * from bank_details b
    where b.subaccount_id = a.subaccount_id and b.account_id = a.id and b.version = a.version limit 1
  ) b
  cross join lateral (
    select first_name, last_name from receiver r
    where r.subaccount_id = a.subaccount_id and r.id = a.receiver_id limit 1
  ) r ${limit}`;

const accountById = statement<AccountHit>(
  "search-account",
  accountHit(
    `select * from receiver_account a where a.subaccount_id = within.subaccount_id and a.id between $2 and $3
     order by a.id desc ${limit}`,
  ),
);

const accountByTail = statement<AccountHit>(
  "search-account-tail",
  // Only current details: earlier numbers are not found.
  accountHit(`
    select a.* from bank_details b cross join lateral (
      select * from receiver_account a
      where a.subaccount_id = b.subaccount_id and a.id = b.account_id and a.version = b.version limit 1
    ) a
    where b.subaccount_id = within.subaccount_id and b.account_number_tail = $2 and b.account_number_tail <> ''
    ${limit}`),
);

export function searchAccount(
  db: Runner,
  within: Within,
  { first, last }: IdPrefix,
): Promise<AccountHit[]> {
  return db.run(accountById, [within, first, last]);
}

export function searchTail(db: Runner, within: Within, tail: string): Promise<AccountHit[]> {
  return db.run(accountByTail, [within, tail]);
}

export type EventHit = { subaccount_id: string; id: string; type: string; created_at_ms: string };

const eventById = statement<EventHit>(
  "search-event",
  `select e.* from ${each} (
     select subaccount_id, id, type, created_at_ms from event e
     where e.subaccount_id = within.subaccount_id and e.id between $2 and $3 order by e.id desc ${limit}
   ) e ${limit}`,
);

export function searchEvent(
  db: Runner,
  within: Within,
  { first, last }: IdPrefix,
): Promise<EventHit[]> {
  return db.run(eventById, [within, first, last]);
}

export type RequestHit = {
  subaccount_id: string;
  id: string;
  method: string;
  route: string;
  status: number;
};

const requestById = statement<RequestHit>(
  "search-request",
  `select q.* from ${each} (
     select subaccount_id, id, method, route, status from request_log q
     where q.subaccount_id = within.subaccount_id and q.id between $2 and $3 order by q.id desc ${limit}
   ) q ${limit}`,
);

export function searchRequest(
  db: Runner,
  within: Within,
  { first, last }: IdPrefix,
): Promise<RequestHit[]> {
  return db.run(requestById, [within, first, last]);
}
