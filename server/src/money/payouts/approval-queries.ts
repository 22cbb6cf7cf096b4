// The SQL of payouts that wait for approval.

import { type HolderColumns, holderColumns } from "../../people/person/index.ts";
import { type Runner, statement, type Tx } from "../../platform/db/index.ts";
import type { ApprovalRequirement, ApprovalState } from "./approval.ts";
import { reasonsOf } from "./approval-reason-queries.ts";
import type { PayoutKey } from "./list-queries.ts";
import type { ApprovalReason } from "./payout.ts";
import { type PayoutRow, payoutColumns } from "./queries.ts";
import { approvalRulesOf, type RuleMatchRow } from "./rule-match-queries.ts";

export type PayoutToDecide = PayoutRow & {
  created_by: string;
  /** Who wrote the bank details that it is the first to be paid to, and who changed those it has. */
  details_by: string[];
};

/**
 * SQL: the authors of the bank details of the payout `p`. A version keeps what the versions before it say, so all since
 * the last one that was paid count. Of a version that was paid, only the author who changed the account counts.
 */
export const detailsBySql = `array(select distinct author from bank_details d
  cross join lateral unnest(array[d.created_by, d.confirmed_by]) author
  where author <> '' and d.subaccount_id = p.subaccount_id and d.account_id = p.account_id and d.version <= p.account_version
    and (d.version = p.account_version and d.version > 1 or d.version > coalesce((
      select paid.account_version from payout paid
      where paid.subaccount_id = p.subaccount_id and paid.account_id = p.account_id
        and paid.account_version <= p.account_version and paid.status = 'successful'
      order by paid.account_version desc limit 1), 0)))`;

const lockOne = statement<PayoutToDecide>(
  "payout-lock-to-decide",
  `select ${payoutColumns}, p.created_by, ${detailsBySql} as details_by from payout p
   where p.subaccount_id = $1 and p.id = $2 for update`,
);

/** Locks it, so that of two users who decide at once the second sees the decision of the first. */
export async function lockPayoutToDecide(
  tx: Tx,
  { subaccountId, id }: PayoutKey,
): Promise<PayoutToDecide | undefined> {
  return (await tx.run(lockOne, [subaccountId, id]))[0];
}

const stateOf = statement<{
  has_reasons: boolean;
  rules: ApprovalRequirement[] | null;
  approvals: ApprovalState["approvals"] | null;
}>(
  "payout-approval-state",
  `select exists (select from payout_approval_reason where subaccount_id = $1 and payout_id = $2) as has_reasons,
          (select json_agg(json_build_object('count', coalesce(approvals, 1), 'role', role)) from payout_rule_match
           where subaccount_id = $1 and payout_id = $2 and act <> 'hold') as rules,
          (select json_agg(json_build_object('who', a.who, 'role',
                    case when u.id is null then a.role when u.disabled_at is null then u.role end))
           from payout_approval a left join console_user u on a.who = 'operator:' || u.email
           where a.subaccount_id = $1 and a.payout_id = $2) as approvals`,
);

/** The approvals that a payout needs by thresholds and rules, and those that it has. */
export async function findApprovalState(
  db: Runner,
  { subaccountId, id }: PayoutKey,
): Promise<ApprovalState> {
  const [row] = await db.run(stateOf, [subaccountId, id]);
  const secondUser: ApprovalRequirement = { count: 1, role: null };
  return {
    requirements: [...(row?.has_reasons ? [secondUser] : []), ...(row?.rules ?? [])],
    approvals: row?.approvals ?? [],
  };
}

const insertOne = statement<never>(
  "payout-approval-insert",
  `insert into payout_approval (subaccount_id, payout_id, who, role, at_ms) values ($1, $2, $3, $4, $5)`,
);

/** The key refuses a second approval by the same user. */
export async function insertApproval(
  tx: Tx,
  { subaccountId, id }: PayoutKey,
  { who, role, atMs }: { who: string; role: string; atMs: number },
): Promise<void> {
  await tx.run(insertOne, [subaccountId, id, who, role, atMs]);
}

export type WaitingPayout = HolderColumns & {
  subaccount_id: string;
  id: string;
  amount: string;
  currency: string;
  reference: string;
  note: string;
  batch_id: string | null;
  receiver_id: string;
  account_id: string;
  account_number_tail: string;
  bank_name: string;
  country: string;
  created_by: string;
  details_by: string[];
  created_at_ms: string;
  reasons: { rule: ApprovalReason["rule"]; above: number | null }[];
  /** The rules that ask for approval. */
  rules: RuleMatchRow[];
  approved_by: string[];
};

const waitingOf = (source: string) => `
  select p.subaccount_id, p.id, p.amount, p.currency, p.reference, p.note, p.batch_id, p.receiver_id, p.account_id,
         r.first_name, r.last_name, ${holderColumns}, d.account_number_tail, d.bank_name, d.country, p.created_by, p.created_at_ms,
         ${detailsBySql} as details_by, ${reasonsOf} as reasons, ${approvalRulesOf} as rules,
         array(select a.who from payout_approval a where a.subaccount_id = p.subaccount_id and a.payout_id = p.id
               order by a.at_ms) as approved_by
  from (${source}) p
  cross join lateral (
    select * from receiver r where r.subaccount_id = p.subaccount_id and r.id = p.receiver_id limit 1
  ) r
  cross join lateral (
    select * from bank_details d where d.subaccount_id = p.subaccount_id and d.account_id = p.account_id
      and d.version = p.account_version limit 1
  ) d`;

type First = "oldest" | "newest";
/** Undefined: over all subaccounts, only for users who see all of them. subaccount_id is in each row. */
type SubaccountParameter = "$2" | "$3" | "$6" | undefined;

const nameOf = (first: First, subaccount: SubaccountParameter) =>
  `payouts-waiting${subaccount ? "-of-subaccount" : ""}${first === "newest" ? "-newest" : ""}`;

/** SQL: the payouts of no batch that wait: a batch is decided as one. */
const aloneOf = (subaccount: SubaccountParameter) =>
  `p.stage = 'awaiting_approval' and p.batch_id is null${subaccount ? ` and p.subaccount_id = ${subaccount}` : ""}`;

/** From $1 on, up to $2 of them. */
const listStatement = (first: First, subaccount?: SubaccountParameter) => {
  const [after, down] = first === "newest" ? ["<", " desc"] : [">", ""];
  const source = `select p.* from payout p where ${aloneOf(subaccount)} and p.id ${after} $1 order by p.id${down} limit $2`;
  return statement<WaitingPayout>(
    nameOf(first, subaccount),
    `${waitingOf(source)} order by p.id${down}`,
  );
};
const lists = {
  oldest: { all: listStatement("oldest"), one: listStatement("oldest", "$3") },
  newest: { all: listStatement("newest"), one: listStatement("newest", "$3") },
};

type WaitingPage = {
  /** Only those after this one, or before it if the newest come first. */
  afterId: string;
  isNewestFirst?: boolean;
  /** Undefined: of all of them. */
  subaccountId: string | undefined;
  limit: number;
};

/** Those of no batch, oldest or newest first. */
export function listWaitingPayouts(
  db: Runner,
  { afterId, isNewestFirst, subaccountId, limit }: WaitingPage,
): Promise<WaitingPayout[]> {
  const { all, one } = lists[isNewestFirst ? "newest" : "oldest"];
  return subaccountId === undefined
    ? db.run(all, [afterId, limit])
    : db.run(one, [afterId, limit, subaccountId]);
}

type SortedWaiting = WaitingPayout & { scanned: number; top_id: string };

/** The newest payouts that wait, also those of batches. Those of one subaccount are read alone. */
const newestOf = (subaccount: SubaccountParameter) => {
  const waits = "p.stage = 'awaiting_approval' and p.id < $1 order by p.id desc limit $2";
  if (!subaccount) return `select p.* from payout p where ${waits}`;
  return `select p.* from ledger_balance b cross join lateral (
     select * from payout p where p.subaccount_id = ${subaccount} and p.currency = b.currency and ${waits}
   ) p where b.subaccount_id = ${subaccount} order by p.id desc limit $2`;
};

const sortStatement = (isDescending: boolean, subaccount?: SubaccountParameter) => {
  const [down, after] = isDescending ? [" desc", "<"] : ["", ">"];
  const ofPicked = `select p.* from picked k cross join lateral (
     select * from payout p where p.subaccount_id = k.subaccount_id and p.id = k.id limit 1
   ) p`;
  return statement<SortedWaiting>(
    `${nameOf("newest", subaccount)}-by-amount${isDescending ? "-desc" : ""}`,
    `with scanned as materialized (
       select p.subaccount_id, p.id, p.amount from (${newestOf(subaccount)}) p
     ), picked as (
       select p.subaccount_id, p.id from scanned p
       where $4::uuid is null or (p.amount, p.id) ${after} ($5::bigint, $4::uuid)
       order by p.amount${down}, p.id${down} limit $3
     )
     select w.*, (select count(*)::int from scanned) as scanned,
            (select s.id from scanned s order by s.id desc limit 1) as top_id
     from (${waitingOf(ofPicked)}) w order by w.amount${down}, w.id${down}`,
  );
};
const sorts = {
  ascending: { all: sortStatement(false), one: sortStatement(false, "$6") },
  descending: { all: sortStatement(true), one: sortStatement(true, "$6") },
};

/** Sorts the newest payouts that wait by amount. `after`: the last one of the page before, and its amount. */
export async function sortWaitingPayouts(
  db: Runner,
  page: Omit<WaitingPage, "afterId" | "isNewestFirst"> & {
    isDescending: boolean;
    beforeId: string;
    scannedMax: number;
    after: { id: string; key: bigint } | undefined;
  },
): Promise<{ rows: WaitingPayout[]; scanned: number; topId: string | undefined }> {
  const { subaccountId, isDescending, beforeId, scannedMax, after, limit } = page;
  const { all, one } = sorts[isDescending ? "descending" : "ascending"];
  const place = [after?.id ?? null, after?.key.toString() ?? null];
  const values = [beforeId, scannedMax, limit, ...place];
  const rows =
    subaccountId === undefined
      ? await db.run(all, values)
      : await db.run(one, [...values, subaccountId]);
  return { rows, scanned: rows[0]?.scanned ?? 0, topId: rows[0]?.top_id };
}

const countStatement = (subaccount?: "$2") =>
  statement<{ count: number }>(
    `payouts-waiting-count${subaccount ? "-of-subaccount" : ""}`,
    // Over all subaccounts, as the list: there is no condition on subaccount_id.
    `select count(*)::int as count from (
       select from payout p where ${aloneOf(subaccount)} order by p.id limit $1
     ) waiting`,
  );
const countOfAll = countStatement();
const countOfOne = countStatement("$2");

/** Those of no batch. Never more than `most`. */
export async function countWaitingPayouts(
  db: Runner,
  { subaccountId, most }: { subaccountId: string | undefined; most: number },
): Promise<number> {
  const [row] =
    subaccountId === undefined
      ? await db.run(countOfAll, [most])
      : await db.run(countOfOne, [most, subaccountId]);
  return row?.count ?? 0;
}
