// The SQL of the export of one person: every row that is about a receiver.

import { type PayoutRow, payoutColumns } from "../../money/payouts/index.ts";
import type { ReceiverKey } from "../../people/receivers/index.ts";
import { type Runner, statement } from "../../platform/db/index.ts";
import type { Metadata } from "../../platform/metadata/index.ts";

export type PersonAccountRow = {
  account_id: string;
  status: string;
  aka: string;
  occupation: string;
  reference: string;
  home_dialcode: string;
  home_phone: string;
  address: string;
  address2: string;
  city: string;
  state: string;
  country: string;
  postcode: string;
  version: number;
  bank_country: string;
  individual_or_business: string;
  business_name: string;
  bank_name: string;
  bank_code: string;
  bsb: string;
  abn: string;
  acn: string;
  nzbn: string;
  checking_or_savings: string;
  account_number_sealed: Buffer;
  created_at_ms: string;
  contact_sealed: Buffer | null;
  metadata: Metadata | null;
  person_key: Buffer | null;
};

const accounts = statement<PersonAccountRow>(
  "person-accounts",
  `select a.id as account_id, a.status, a.aka, a.occupation, a.reference, a.home_dialcode, a.home_phone, a.address,
          a.address2, a.city, a.state, a.country, a.postcode, b.version, b.country as bank_country,
          b.individual_or_business, b.business_name, b.bank_name, b.bank_code, b.bsb, b.abn, b.acn, b.nzbn,
          b.checking_or_savings, b.account_number_sealed, b.created_at_ms, a.contact_sealed, a.metadata, r.person_key
   from receiver_account a join bank_details b on b.subaccount_id = a.subaccount_id and b.account_id = a.id
   join receiver r on r.subaccount_id = a.subaccount_id and r.id = a.receiver_id
   where a.subaccount_id = $1 and a.receiver_id = $2 order by a.id, b.version`,
);

/** All versions of all accounts, oldest first. */
export function listPersonAccounts(
  db: Runner,
  { subaccountId, id }: ReceiverKey,
): Promise<PersonAccountRow[]> {
  return db.run(accounts, [subaccountId, id]);
}

const payouts = statement<PayoutRow>(
  "person-payouts",
  `select ${payoutColumns} from receiver_account a
   join payout p on p.subaccount_id = $1 and p.account_id = a.id
   where a.subaccount_id = $1 and a.receiver_id = $2 order by p.id`,
);

export function listPersonPayouts(
  db: Runner,
  { subaccountId, id }: ReceiverKey,
): Promise<PayoutRow[]> {
  return db.run(payouts, [subaccountId, id]);
}

export type PersonReviewRow = {
  payout_id: string;
  since_ms: string;
  decision: string | null;
  decided_at_ms: string | null;
};

const reviews = statement<PersonReviewRow>(
  "person-reviews",
  // Not why: a person who is told that screening stopped a payment is warned, which the law forbids.
  `select h.payout_id, h.since_ms, h.decision, h.decided_at_ms from payout_hold h
   where h.subaccount_id = $1 and h.payout_id = any($2::uuid[]) order by h.since_ms, h.id`,
);

export function listPersonReviews(
  db: Runner,
  subaccountId: string,
  payoutIds: readonly string[],
): Promise<PersonReviewRow[]> {
  return db.run(reviews, [subaccountId, payoutIds]);
}

export type PersonEventRow = { id: string; type: string; body: string; created_at_ms: string };

const events = statement<PersonEventRow>(
  "person-events",
  `select id, type, body, created_at_ms from event where subaccount_id = $1 and receiver_id = $2 order by id`,
);

export function listPersonEvents(
  db: Runner,
  { subaccountId, id }: ReceiverKey,
): Promise<PersonEventRow[]> {
  return db.run(events, [subaccountId, id]);
}

const find = statement<{ reference: string; erased_at_ms: string | null }>(
  "person-receiver",
  "select reference, erased_at_ms from receiver where subaccount_id = $1 and id = $2",
);

/** The columns of a receiver that its JSON of the API does not have. */
export async function findPerson(
  db: Runner,
  { subaccountId, id }: ReceiverKey,
): Promise<{ reference: string; erased_at_ms: string | null } | undefined> {
  return (await db.run(find, [subaccountId, id]))[0];
}
