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
/** The upper bound of a prefix: the prefix followed by the highest character. */
const nameEnds = (last: string) => `${nameKey} < (lower(${last}) || chr(1114111)) collate "C"`;
export const nameBegins = (last: string) =>
  `${nameKey} >= lower(${last}) collate "C" and ${nameEnds(last)}`;
const firstOfAll = "00000000-0000-0000-0000-000000000000";

const thin = `r.id, r.status, r.kyc_status, r.country, r.reference, r.first_name, r.dob, ${nameKey} as name_key`;
const inTime = "r.subaccount_id = $1 and r.id < $2 and r.id >= $3";
const newestFirst = "order by r.id desc limit $4";
const byName = "r.name_key, r.dob, r.id";

/** Each reads at most $4 rows. */
const walks = {
  all: `select ${thin}, '' as first_wanted from receiver r where ${inTime} ${newestFirst}`,
  // One short scan per pair of states, merged.
  states: `select r.*, '' as first_wanted
    from unnest($5::text[], $6::text[]) as wanted(status, kyc_status) cross join lateral (
      select ${thin} from receiver r
      where ${inTime} and r.status = wanted.status and r.kyc_status = wanted.kyc_status ${newestFirst}
    ) r ${newestFirst}`,
  email: `select ${thin}, '' as first_wanted from receiver r
    where ${inTime} and r.email_key = $10 ${newestFirst}`,
  reference: `select ${thin}, '' as first_wanted from receiver r
    where ${inTime} and r.reference = $8 and r.reference <> '' ${newestFirst}`,
  // One lower bound: the prefix, or the end of the previous page. With two lower bounds PostgreSQL might start at the
  // wrong one.
  name: `select distinct on (${byName}) r.*
    from unnest($10::text[], $11::text[]) as wanted(first, last)
    cross join lateral (
      select case when went then $12::text else lower(wanted.last) end as name_key,
             case when went then $13::text else '' end as dob,
             case when went then $14::uuid else '${firstOfAll}' end as id
      from (select $12::text collate "C" >= lower(wanted.last) collate "C" as went) been
    ) start
    cross join lateral (
      select ${thin}, wanted.first as first_wanted from receiver r
      where r.subaccount_id = $1 and ${nameEnds("wanted.last")}
        and (${nameKey}, r.dob, r.id) > (start.name_key collate "C", start.dob, start.id)
      order by ${nameKey}, r.dob, r.id limit $4
    ) r order by ${byName} limit $4`,
};

const pageOf = (way: ReceiverScan["way"]) => {
  const order = way === "name" ? byName : "r.id desc";
  return statement<Partial<LineRow> & { end_id: string | null }>(
    `console-receivers-by-${way}`,
    // The scan reads only the columns that filters need.
    `with looked as materialized (${walks[way]}), picked as (
       select r.* from looked r
       where r.id < $2 and r.id >= $3 and ($7::text is null or r.country = $7)
         and ($8::text is null or r.reference = $8)
         and ($5::text[] is null or exists (
           select from unnest($5::text[], $6::text[]) as wanted(status, kyc_status)
           where r.status = wanted.status and r.kyc_status = wanted.kyc_status))
         and starts_with(lower(r.first_name), lower(r.first_wanted))
       order by ${order} limit $9
     )
     select looking.end_id, r.*
     from (select (select r.id from looked r order by ${order} offset $4 - 1 limit 1) as end_id) looking
     left join lateral (
       select k.name_key, k.dob, r.id, r.first_name, r.last_name, r.email, r.country, r.reference, r.status,
              r.kyc_status, r.created_at_ms, a.accounts, p.payouts, last.*
       from picked k cross join lateral (
         select * from receiver r where r.subaccount_id = $1 and r.id = k.id limit 1
       ) r ${paymentsOf("k.id")}
     ) r on true
     order by ${order}`,
  );
};
const pages = {
  all: pageOf("all"),
  states: pageOf("states"),
  email: pageOf("email"),
  reference: pageOf("reference"),
  name: pageOf("name"),
};

type Listed = {
  rows: LineRow[];
  /** The last row of the scan, if there may be more. */
  endId: string | undefined;
};

/** Newest first. With a name filter: by name. */
export async function listLines(db: Runner, walk: ReceiverScan): Promise<Listed> {
  const { subaccountId, way, states, afterId, beforeId, fromId, names } = walk;
  const isByName = way === "name";
  const until = !isByName && afterId && afterId < beforeId ? afterId : beforeId;
  const values: unknown[] = [
    ...[subaccountId, until, fromId, walk.scannedMax],
    states?.map(({ status }) => status) ?? null,
    states?.map(({ kycStatus }) => kycStatus) ?? null,
    ...[walk.country ?? null, walk.reference ?? null, walk.limit],
  ];
  if (way === "email") values.push(walk.emailKey);
  if (isByName) {
    values.push(names.map(({ first }) => first));
    values.push(names.map(({ last }) => last));
    values.push(...(await placeOf(db, subaccountId, afterId)));
  }
  const found = await db.run(pages[way], values);
  const rows = found.filter((row): row is LineRow & { end_id: string | null } => !!row.id);
  return { rows, endId: found[0]?.end_id ?? undefined };
}

const findPlace = statement<{ name_key: string; dob: string; id: string }>(
  "console-receiver-place",
  `select ${nameKey} as name_key, r.dob, r.id from receiver r where r.subaccount_id = $1 and r.id = $2`,
);

/** The position of a receiver in the order by name. */
async function placeOf(db: Runner, subaccountId: string, id: string | undefined) {
  const [place] = id ? await db.run(findPlace, [subaccountId, id]) : [];
  return [place?.name_key ?? "", place?.dob ?? "", place?.id ?? firstOfAll];
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
