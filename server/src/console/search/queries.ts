// The SQL of the search. Each statement scans an index within the given subaccounts.

import { type Runner, statement } from "../../db/connect.ts";
import { limits } from "../../limits.ts";
import type { NameParts } from "../receivers/filter.ts";
import { nameBegins, nameKey } from "../receivers/queries.ts";

/** The caller passes only subaccounts that the user may see. */
export type Within = readonly string[];

const limit = `limit ${limits.searchHitsOfKindMax}`;
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

const payoutHit = (found: string) => `
  select p.subaccount_id, p.id, p.amount, p.currency, p.status, p.reference, r.first_name, r.last_name
  from ${each} (
    select * from payout p where ${found} order by p.id desc ${limit}
  ) p cross join lateral (
    select first_name, last_name from receiver r
    where r.subaccount_id = p.subaccount_id and r.id = p.receiver_id limit 1
  ) r ${limit}`;

const payoutById = statement<PayoutHit>(
  "search-payout",
  payoutHit("p.subaccount_id = within.subaccount_id and p.id = $2"),
);
const payoutByReference = statement<PayoutHit>(
  "search-payout-reference",
  payoutHit("p.subaccount_id = within.subaccount_id and p.reference = $2"),
);

export function searchPayout(db: Runner, within: Within, id: string): Promise<PayoutHit[]> {
  return db.run(payoutById, [within, id]);
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
    receiverHit("r.subaccount_id = within.subaccount_id and r.id = $2"),
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

export function searchReceiver(
  db: Runner,
  within: Within,
  by: keyof typeof receiverStatements,
  text: string,
): Promise<ReceiverHit[]> {
  return db.run(receiverStatements[by], [within, text]);
}

const receiverByName = statement<ReceiverHit>(
  "search-receiver-name",
  `select r.subaccount_id, r.id, r.first_name, r.last_name, r.email, r.kyc_status
   from unnest($2::text[], $3::text[]) as wanted(first, last) cross join lateral (
     select * from (
       select * from receiver r where r.subaccount_id = $1 and ${nameBegins("wanted.last")}
       order by ${nameKey}, r.dob, r.id limit ${limits.consoleCountedMax}
     ) r where starts_with(lower(r.first_name), lower(wanted.first)) ${limit}
   ) r ${limit}`,
);

/** Within one subaccount, because names are not unique. */
export function searchName(
  db: Runner,
  subaccountId: string,
  names: readonly NameParts[],
): Promise<ReceiverHit[]> {
  const firsts = names.map(({ first }) => first);
  return db.run(receiverByName, [subaccountId, firsts, names.map(({ last }) => last)]);
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
    "select * from receiver_account a where a.subaccount_id = within.subaccount_id and a.id = $2 limit 1",
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

export function searchAccount(db: Runner, within: Within, id: string): Promise<AccountHit[]> {
  return db.run(accountById, [within, id]);
}

export function searchTail(db: Runner, within: Within, tail: string): Promise<AccountHit[]> {
  return db.run(accountByTail, [within, tail]);
}

export type EventHit = { subaccount_id: string; id: string; type: string; created_at_ms: string };

const eventById = statement<EventHit>(
  "search-event",
  `select e.* from ${each} (
     select subaccount_id, id, type, created_at_ms from event e
     where e.subaccount_id = within.subaccount_id and e.id = $2 limit 1
   ) e ${limit}`,
);

export function searchEvent(db: Runner, within: Within, id: string): Promise<EventHit[]> {
  return db.run(eventById, [within, id]);
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
     where q.subaccount_id = within.subaccount_id and q.id = $2 limit 1
   ) q ${limit}`,
);

export function searchRequest(db: Runner, within: Within, id: string): Promise<RequestHit[]> {
  return db.run(requestById, [within, id]);
}
