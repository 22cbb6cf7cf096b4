// The SQL of the console's list of receivers.

import { type Runner, statement } from "../../db/connect.ts";
import { limits } from "../../limits.ts";
import type { KycStatus, ReceiverStatus } from "../../receivers/receiver.ts";
import type { ReceiverScan } from "./filter.ts";

export type LineRow = {
  id: string;
  first_name: string;
  last_name: string;
  email: string;
  country: string;
  reference: string;
  status: ReceiverStatus;
  kyc_status: KycStatus;
  created_at_ms: string;
} & PaidRow;

export type PaidRow = {
  accounts: number;
  payouts: number;
  last_payout_id: string | null;
  last_payout_amount: string | null;
  last_payout_currency: string | null;
  last_payout_status: string | null;
  last_payout_at_ms: string | null;
};

const paymentsOf = (receiver: string) => `
  cross join lateral (
    select count(*)::int as accounts from (
      select from receiver_account a where a.subaccount_id = $1 and a.receiver_id = ${receiver}
      limit ${limits.consoleCountedMax}
    ) a
  ) a
  cross join lateral (
    select count(*)::int as payouts from (
      select from receiver_account a cross join lateral (
        select from payout p where p.subaccount_id = $1 and p.account_id = a.id
        limit ${limits.consoleCountedMax}
      ) p
      where a.subaccount_id = $1 and a.receiver_id = ${receiver} limit ${limits.consoleCountedMax}
    ) p
  ) p
  left join lateral (
    select p.id as last_payout_id, p.amount as last_payout_amount, p.currency as last_payout_currency,
           p.status as last_payout_status, p.created_at_ms as last_payout_at_ms
    from receiver_account a cross join lateral (
      select * from payout p where p.subaccount_id = $1 and p.account_id = a.id order by p.id desc limit 1
    ) p
    where a.subaccount_id = $1 and a.receiver_id = ${receiver} order by p.id desc limit 1
  ) last on true`;

/** The last name as its index stores it: in lower case, compared byte by byte. */
export const nameKey = `lower(r.last_name) collate "C"`;

const thin = "r.id, r.status, r.kyc_status, r.country, r.reference, r.email_key";
const inTime = "r.subaccount_id = $1 and r.id < $2 and r.id >= $3";
const newestFirst = "order by r.id desc limit $4";

/** Each reads at most $4 rows. */
const walks = {
  all: `select ${thin} from receiver r where ${inTime} ${newestFirst}`,
  // One short scan per pair of states, merged.
  states: `select r.*
    from unnest($5::text[], $6::text[]) as wanted(status, kyc_status) cross join lateral (
      select ${thin} from receiver r
      where ${inTime} and r.status = wanted.status and r.kyc_status = wanted.kyc_status ${newestFirst}
    ) r ${newestFirst}`,
  email: `select ${thin} from receiver r where ${inTime} and r.email_key = $10 ${newestFirst}`,
  reference: `select ${thin} from receiver r
    where ${inTime} and r.reference = $8 and r.reference <> '' ${newestFirst}`,
  found: `select r.* from unnest($11::uuid[]) as found(id) cross join lateral (
      select ${thin} from receiver r where ${inTime} and r.id = found.id limit 1
    ) r ${newestFirst}`,
};

const pageOf = (way: ReceiverScan["way"]) =>
  statement<Partial<LineRow> & { end_id: string | null }>(
    `console-receivers-by-${way}`,
    // The scan reads only the columns that filters need.
    `with looked as materialized (${walks[way]}), picked as (
       select r.* from looked r
       where ($7::text is null or r.country = $7)
         and ($8::text is null or r.reference = $8)
         and ($10::text is null or r.email_key = $10) and ($11::uuid[] is null or true)
         and ($5::text[] is null or exists (
           select from unnest($5::text[], $6::text[]) as wanted(status, kyc_status)
           where r.status = wanted.status and r.kyc_status = wanted.kyc_status))
       order by r.id desc limit $9
     )
     select looking.end_id, r.*
     from (select (select r.id from looked r order by r.id desc offset $4 - 1 limit 1) as end_id) looking
     left join lateral (
       select r.id, r.first_name, r.last_name, r.email, r.country, r.reference, r.status,
              r.kyc_status, r.created_at_ms, a.accounts, p.payouts, last.*
       from picked k cross join lateral (
         select * from receiver r where r.subaccount_id = $1 and r.id = k.id limit 1
       ) r ${paymentsOf("k.id")}
     ) r on true
     order by r.id desc`,
  );
const pages = {
  all: pageOf("all"),
  states: pageOf("states"),
  email: pageOf("email"),
  reference: pageOf("reference"),
  found: pageOf("found"),
};

type Listed = {
  rows: LineRow[];
  /** The last row of the scan, if there may be more. */
  endId: string | undefined;
};

/** Newest first. */
export async function listLines(db: Runner, walk: ReceiverScan): Promise<Listed> {
  const { subaccountId, way, states, afterId, beforeId, fromId } = walk;
  const until = afterId && afterId < beforeId ? afterId : beforeId;
  const values: unknown[] = [
    ...[subaccountId, until, fromId, walk.scannedMax],
    states?.map(({ status }) => status) ?? null,
    states?.map(({ kycStatus }) => kycStatus) ?? null,
    ...[walk.country ?? null, walk.reference ?? null, walk.limit],
    ...[walk.emailKey ?? null, walk.foundIds ?? null],
  ];
  const found = await db.run(pages[way], values);
  const rows = found.filter((row): row is LineRow & { end_id: string | null } => !!row.id);
  return { rows, endId: found[0]?.end_id ?? undefined };
}

const findOne = statement<PaidRow & DetailRow>(
  "console-receiver",
  `select r.reference, r.created_by, r.kyc_provider, r.kyc_step, r.kyc_needs_review, r.created_at_ms, r.erased_at_ms,
          greatest(r.created_at_ms, r.kyc_reported_at_ms) as since_ms, a.accounts, p.payouts, last.*
   from receiver r ${paymentsOf("r.id")}
   where r.subaccount_id = $1 and r.id = $2`,
);

/** The fields of a receiver that the API doesn't return. */
type DetailRow = {
  reference: string;
  created_by: string;
  kyc_provider: string;
  kyc_step: string | null;
  kyc_needs_review: boolean;
  created_at_ms: string;
  erased_at_ms: string | null;
  since_ms: string;
};

export async function findReceiverDetail(
  db: Runner,
  key: { subaccountId: string; id: string },
): Promise<(PaidRow & DetailRow) | undefined> {
  return (await db.run(findOne, [key.subaccountId, key.id]))[0];
}
