// The SQL of the console's list of receivers.

import { type KycStatus, nameKey, type ReceiverStatus } from "../../../people/receivers/index.ts";
import { firstIdOf, idAfter, newestId } from "../../../platform/base/index.ts";
import { type Runner, statement } from "../../../platform/db/index.ts";
import { limits } from "../../../platform/limits/index.ts";
import type { ReceiverOrder, ReceiverScan } from "./filter.ts";

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

// Counts are in the order of an index: without one, PostgreSQL may look through the whole table.
const paymentsOf = (receiver: string) => `
  cross join lateral (
    select count(*)::int as accounts from (
      select from receiver_account a where a.subaccount_id = $1 and a.receiver_id = ${receiver}
      order by a.id limit ${limits.consoleCountedMax}
    ) a
  ) a
  cross join lateral (
    select count(*)::int as payouts from (
      select from receiver_account a cross join lateral (
        select from payout p where p.subaccount_id = $1 and p.account_id = a.id
        order by p.id limit ${limits.consoleCountedMax}
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

const thin = "r.id, r.status, r.kyc_status, r.country, r.reference, r.email_key";
const inTime = "r.subaccount_id = $1 and r.id < $2 and r.id >= $3";
const orders: Record<ReceiverOrder, string> = {
  newest: "order by r.id desc",
  oldest: "order by r.id",
  ascending: "order by r.name_key, r.dob, r.id",
  descending: "order by r.name_key desc, r.dob desc, r.id desc",
};
const columnsOf = (way: ReceiverScan["way"]) =>
  way === "name" ? `${thin}, r.dob, ${nameKey} as name_key` : thin;

/** Each reads at most $4 rows. */
function walkOf(way: ReceiverScan["way"], order: ReceiverOrder): string {
  const inOrder = `${orders[order]} limit $4`;
  switch (way) {
    case "all":
      return `select ${thin} from receiver r where ${inTime} ${inOrder}`;
    case "states":
      // One short scan per pair of states, merged.
      return `select r.*
    from unnest($5::text[], $6::text[]) as wanted(status, kyc_status) cross join lateral (
      select ${thin} from receiver r
      where ${inTime} and r.status = wanted.status and r.kyc_status = wanted.kyc_status ${inOrder}
    ) r ${inOrder}`;
    case "email":
      return `select ${thin} from receiver r where ${inTime} and r.email_key = $10 ${inOrder}`;
    case "reference":
      return `select ${thin} from receiver r
    where ${inTime} and r.reference = $8 and r.reference <> '' ${inOrder}`;
    case "metadata":
      return `select r.* from metadata_entry e cross join lateral (
      select ${thin} from receiver r where r.subaccount_id = $1 and r.id = e.object_id limit 1
    ) r
    where e.subaccount_id = $1 and e.hash = $12 and e.object_id < $2 and e.object_id >= $3
    ${inOrder.replace("r.id", "e.object_id")}`;
    case "found":
      return `select r.* from unnest($11::uuid[]) as found(id) cross join lateral (
      select ${thin} from receiver r where ${inTime} and r.id = found.id limit 1
    ) r ${inOrder}`;
    case "name": {
      const [after, down] = order === "descending" ? ["<", " desc"] : [">", ""];
      return `select ${columnsOf(way)} from receiver r
    where r.subaccount_id = $1 and (${nameKey}, r.dob, r.id) ${after} ($13::text collate "C", $14::text, $15::uuid)
    order by ${nameKey}${down}, r.dob${down}, r.id${down} limit $4`;
    }
  }
}

const pageOf = (way: ReceiverScan["way"], order: ReceiverOrder) =>
  statement<Partial<LineRow> & { end_id: string | null }>(
    `console-receivers-by-${way}-${order}`,
    // The scan reads only the columns that filters need.
    `with looked as materialized (${walkOf(way, order)}), picked as (
       select r.* from looked r
       where r.id < $2 and r.id >= $3 and ($7::text is null or r.country = $7)
         and ($8::text is null or r.reference = $8)
         and ($10::text is null or r.email_key = $10) and ($11::uuid[] is null or true)
         and ($12::bytea is null or exists (
           select from metadata_entry e where e.subaccount_id = $1 and e.hash = $12 and e.object_id = r.id))
         and ($5::text[] is null or exists (
           select from unnest($5::text[], $6::text[]) as wanted(status, kyc_status)
           where r.status = wanted.status and r.kyc_status = wanted.kyc_status))
       ${orders[order]} limit $9
     )
     select looking.end_id, r.*
     from (select (select r.id from looked r ${orders[order]} offset $4 - 1 limit 1) as end_id) looking
     left join lateral (
       select ${way === "name" ? "k.name_key, k.dob, " : ""}r.id, r.first_name, r.last_name, r.email, r.country, r.reference, r.status,
              r.kyc_status, r.created_at_ms, a.accounts, p.payouts, last.*
       from picked k cross join lateral (
         select * from receiver r where r.subaccount_id = $1 and r.id = k.id limit 1
       ) r ${paymentsOf("k.id")}
     ) r on true
     ${orders[order]}`,
  );
const ways = ["all", "states", "email", "reference", "found", "metadata"] as const;
const pages = new Map(
  [
    ...ways.flatMap((way) => [pageOf(way, "newest"), pageOf(way, "oldest")]),
    pageOf("name", "ascending"),
    pageOf("name", "descending"),
  ].map((page) => [page.name, page]),
);

type NamePlace = { name_key: string; dob: string; id: string };
const findPlace = statement<NamePlace>(
  "console-receiver-place",
  `select ${nameKey} as name_key, r.dob, r.id from receiver r where r.subaccount_id = $1 and r.id = $2`,
);
const ends: Partial<Record<ReceiverOrder, NamePlace>> = {
  ascending: { name_key: "", dob: "", id: firstIdOf(0) },
  descending: { name_key: "\u{10ffff}", dob: "", id: newestId },
};

/** Where a page by name starts: after the last receiver of the page before. */
async function placeOf(
  db: Runner,
  { subaccountId, afterId, order }: ReceiverScan,
): Promise<string[]> {
  const [place = ends[order]] = afterId ? await db.run(findPlace, [subaccountId, afterId]) : [];
  return place ? [place.name_key, place.dob, place.id] : [];
}

type Listed = {
  rows: LineRow[];
  /** The last row of the scan, if there may be more. */
  endId: string | undefined;
};

/** Newest first, or in the order of the scan. */
export async function listLines(db: Runner, walk: ReceiverScan): Promise<Listed> {
  const { subaccountId, way, order, states, afterId, beforeId, fromId } = walk;
  const until = order === "newest" && afterId && afterId < beforeId ? afterId : beforeId;
  const since = order === "oldest" && afterId && afterId >= fromId ? idAfter(afterId) : fromId;
  const values: unknown[] = [
    ...[subaccountId, until, since, walk.scannedMax],
    states?.map(({ status }) => status) ?? null,
    states?.map(({ kycStatus }) => kycStatus) ?? null,
    ...[walk.country ?? null, walk.reference ?? null, walk.limit],
    ...[walk.emailKey ?? null, walk.foundIds ?? null, walk.metadataHash ?? null],
  ];
  if (way === "name") values.push(...(await placeOf(db, walk)));
  const page = pages.get(`console-receivers-by-${way}-${order}`);
  if (!page) throw new Error("each way has a statement for its orders");
  const found = await db.run(page, values);
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
