// The SQL of the facts that a payout is decided on: its receiver, its account, an earlier duplicate, the rules in force, and
// what these look at about the payee.

import type { Mode } from "../caller.ts";
import { firstIdOf, newestId, oldestId } from "../cursor.ts";
import { type Runner, statement } from "../db/connect.ts";
import type { BalanceKey } from "../ledger/queries.ts";
import type { PayeeNameOutcome } from "../payee-checks/checker.ts";
import { activeRulesHash } from "../rules/queries.ts";
import type { PayeeFactsNeeded } from "../rules/rule-set.ts";
import { destinationOf } from "./day-total-queries.ts";
import { isInScreeningReview } from "./hold-queries.ts";
import type { PayeeFacts, PayoutContext } from "./payout.ts";

type ContextRow = {
  call: number;
  receiver_status: string | null;
  kyc_status: string | null;
  account_receiver_id: string | null;
  account_status: string;
  accepted: boolean;
  country: string;
  version: number;
  destination: string;
  is_unpaid: boolean;
  duplicate_of_id: string | null;
  receiver_country: string;
  has_screening_review: boolean;
  has_identity_review: boolean;
  details_at_ms: string;
  rules_hash: string | null;
};

type PayeeFactsRow = {
  is_first: boolean | null;
  other_receivers: number | null;
  last_payouts: string | null;
  payee_name: PayeeNameOutcome | null;
};

/**
 * The condition for rows that have these values in the columns of an index, with the order of the index as `orderBy`. Rows are
 * compared and sorted by columns of one index because that fits no other one. With equations, PostgreSQL also considers indexes
 * with far more rows, and chooses one of them where its statistics are old: if each subaccount had one row when it analysed the
 * table, all indexes seem to cost the same.
 */
const inIndex = (columns: readonly string[], values: readonly string[], upTo = values) =>
  `(${columns.join(", ")}) >= (${values.join(", ")}) and (${columns.join(", ")}) <= (${upTo.join(", ")})`;
const orderBy = (columns: readonly string[], direction = "") =>
  `order by ${columns.map((column) => `${column}${direction}`).join(", ")}`;

const byAccount = ["p.account_id", "p.id"];
const ofAccount = (account: string) => `p.subaccount_id = input.subaccount_id
              and ${inIndex(byAccount, [account, `'${oldestId}'`], [account, `'${newestId}'`])}`;

/**
 * The stages of payouts that no rule stops any more. An expression, because the index of stages must not be used: it
 * holds all payouts of a subaccount, and those of one account are wanted.
 */
const letThrough = "(p.stage || '') in ('queued', 'batched', 'submitted', 'settled')";

type Places = Record<keyof PayeeFactsNeeded, string>;

const byTail = ["d2.account_number_tail", "d2.bsb", "d2.account_id"];
const tailOfDetails = ["d.account_number_tail", "d.bsb"];
const byVersion = (row: string) => [`${row}.subaccount_id`, `${row}.account_id`, `${row}.version`];
const versionOfAccount = ["input.subaccount_id", "a.id", "a.version"];
const byReference = ["p.reference", "p.account_id", "p.amount", "p.id"];
const sameReference = ["input.reference", "input.account_id", "input.amount"];

// "offset 0" keeps the order of the joins: from the account to those with the same number, never through all accounts.
/** Of the payee of `input`, its account `a` and bank details `d`, where each is needed. */
const payeeFacts = ({ first, shared, median, payeeName }: Places) => `
          case when ${first} then (
            select p.id from payout p where ${ofAccount("input.account_id")} and ${letThrough}
            ${orderBy(byAccount)} limit 1) is null end as is_first,
          case when ${shared} then (
            select count(distinct a2.receiver_id)::int from (
              select d2.account_id, d2.version from bank_details d2
              where d2.subaccount_id = input.subaccount_id and d2.account_number_tail <> '' and d2.account_id <> d.account_id
                and ${inIndex(byTail, [...tailOfDetails, `'${oldestId}'`], [...tailOfDetails, `'${newestId}'`])}
                and d2.country = d.country and d2.bank_code = d.bank_code
                and coalesce(d2.account_number_mark = d.account_number_mark, true)
              ${orderBy(byTail)} offset 0
            ) d2 cross join lateral (
              select a2.receiver_id from receiver_account a2
              where ${inIndex(["a2.subaccount_id", "a2.id"], ["input.subaccount_id", "d2.account_id"])}
                and a2.version = d2.version and a2.status = 'active'
              ${orderBy(["a2.subaccount_id", "a2.id"])} limit 1
            ) a2
            where a2.receiver_id <> input.receiver_id) end as other_receivers,
          case when ${median} then (
            select array_to_string(array(
              select p.id || ' ' || p.amount from (
                select a.id from receiver_account a where a.subaccount_id = input.subaccount_id
                  and ${inIndex(["a.receiver_id", "a.id"], ["input.receiver_id", `'${oldestId}'`], ["input.receiver_id", `'${newestId}'`])}
                ${orderBy(["a.receiver_id", "a.id"])} offset 0
              ) a cross join lateral (
                select p.id, p.amount from payout p
                where ${ofAccount("a.id")} and p.currency = input.currency and ${letThrough}
                ${orderBy(byAccount, " desc")} limit 10
              ) p
              order by p.id desc limit 10
            ), ',')) end as last_payouts,
          case when ${payeeName} then (
            select c.outcome from payee_name_check c
            where ${inIndex(byVersion("c"), versionOfAccount)} ${orderBy(byVersion("c"))} limit 1
          ) end as payee_name`;

/** A payout that was paid to the current bank details. */
const paidToDetails = `(select p.account_id from payout p
                 where p.subaccount_id = input.subaccount_id and p.status = 'successful'
                   and ${inIndex(["p.account_id", "p.account_version"], ["a.id", "a.version"])}
                 ${orderBy(["p.account_id", "p.account_version"])} limit 1)`;

/** Of the bank details `d`: not by a key alone, whose secret no user who can sign in has seen, nor by the service. */
const isAddedByUser = `case when d.created_by like 'key:%' then exists (
                 select from api_secret_seen s join console_user u on s.who = 'operator:' || u.email
                 where s.key = substr(d.created_by, 5) and u.disabled_at is null)
               else d.created_by <> 'service' end`;

const contextColumns = `input.call::int, r.status as receiver_status, r.kyc_status, a.receiver_id as account_receiver_id,
          a.status as account_status, a.receiver_accepted as accepted, d.country, a.version,
          ${destinationOf("d")} as destination,
          case when not input.is_live then false
               when ${paidToDetails} is not null then false
               else a.version > 1 or ${isAddedByUser} end as is_unpaid,
          (select p.id from payout p
           where p.subaccount_id = input.subaccount_id
             and ${inIndex(byReference, [...sameReference, "$9"], [...sameReference, `'${newestId}'`])}
             and p.currency = input.currency and p.receiver_id = input.receiver_id and p.created_at_ms > $8
           ${orderBy(byReference, " desc")} limit 1) as duplicate_of_id,
          r.country as receiver_country, r.kyc_needs_review as has_identity_review,
          ${isInScreeningReview("input")} as has_screening_review,
          d.created_at_ms as details_at_ms, ${activeRulesHash} as rules_hash`;

const byId = (row: string) => [`${row}.subaccount_id`, `${row}.id`];
const receiverAndAccount = `left join lateral (
     select * from receiver r where ${inIndex(byId("r"), ["input.subaccount_id", "input.receiver_id"])}
     ${orderBy(byId("r"))} limit 1
   ) r on true
   left join lateral (
     select * from receiver_account a where ${inIndex(byId("a"), ["input.subaccount_id", "input.account_id"])}
     ${orderBy(byId("a"))} limit 1
   ) a on true
   left join lateral (
     select * from bank_details d where ${inIndex(byVersion("d"), versionOfAccount)}
     ${orderBy(byVersion("d"))} limit 1
   ) d on true`;

// Runs after the lock of the balances, so that it sees the payouts accepted before.
const findContexts = statement<ContextRow>(
  "payouts-context",
  `select ${contextColumns}
   from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::bigint[], $5::text[], $6::text[], $7::boolean[])
     with ordinality as input(subaccount_id, receiver_id, account_id, amount, currency, reference, is_live, call)
   ${receiverAndAccount}`,
);

const isNeeded = (place: string) => `(${place}::boolean and input.is_first_call)`;

// The facts of a payee are read once for all payouts to it that are decided on together: with the first of them.
const findRuledContexts = statement<ContextRow & PayeeFactsRow>(
  "payouts-context-ruled",
  `select ${contextColumns}, ${payeeFacts({
    first: isNeeded("$10"),
    shared: isNeeded("$11"),
    median: isNeeded("$12"),
    payeeName: isNeeded("$13"),
  })}
   from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::bigint[], $5::text[], $6::text[], $7::boolean[], $14::boolean[])
     with ordinality as input(subaccount_id, receiver_id, account_id, amount, currency, reference, is_live, is_first_call, call)
   ${receiverAndAccount}`,
);

type ContextKey = BalanceKey & {
  receiverId: string;
  accountId: string;
  amount: bigint;
  reference: string;
  mode: Mode;
};

/**
 * One context for each key, in their order, and the hash of the rules in force. All are read after the lock, so that a
 * payout is never decided on by rules that had ended before.
 */
export async function findPayoutContexts(
  db: Runner,
  keys: readonly ContextKey[],
  sinceMs: number,
  /** The facts about payees that rules need. */
  needed?: PayeeFactsNeeded,
): Promise<{ contexts: PayoutContext[]; rulesHash: string | undefined }> {
  const values = [
    keys.map(({ subaccountId }) => subaccountId),
    keys.map(({ receiverId }) => receiverId),
    keys.map(({ accountId }) => accountId),
    keys.map(({ amount }) => amount.toString()),
    keys.map(({ currency }) => currency),
    keys.map(({ reference }) => reference),
    keys.map(({ mode }) => mode === "live"),
    sinceMs,
    firstIdOf(sinceMs),
  ];
  const firstCalls = needed && firstCallsToPayees(keys);
  const rows: (ContextRow & Partial<PayeeFactsRow>)[] = needed
    ? await db.run(findRuledContexts, [
        ...values,
        ...[needed.first, needed.shared, needed.median, needed.payeeName],
        firstCalls?.map((first, call) => first === call),
      ])
    : await db.run(findContexts, values);
  const contexts: PayoutContext[] = [];
  for (const row of rows) {
    const { receiver_status: status, kyc_status: kycStatus, account_receiver_id: receiverId } = row;
    contexts[row.call - 1] = {
      receiver:
        status === null || kycStatus === null
          ? undefined
          : {
              status,
              kycStatus,
              country: row.receiver_country,
              hasScreeningReview: row.has_screening_review,
              hasIdentityReview: row.has_identity_review,
            },
      account:
        receiverId === null
          ? undefined
          : {
              receiverId,
              status: row.account_status,
              accepted: row.accepted,
              country: row.country,
              version: row.version,
              destination: row.destination,
              isUnpaid: row.is_unpaid,
              detailsChangedAtMs: row.version > 1 ? Number(row.details_at_ms) : undefined,
            },
      duplicateOfId: row.duplicate_of_id ?? undefined,
      payee: needed && toPayeeFacts(row as PayeeFactsRow),
    };
  }
  for (const [call, first] of firstCalls?.entries() ?? []) {
    const [context, payee] = [contexts[call], contexts[first]?.payee];
    if (context && first !== call) contexts[call] = { ...context, payee };
  }
  return { contexts, rulesHash: rows[0]?.rules_hash ?? undefined };
}

/** For each payout, the place of the first one to the same payee. */
function firstCallsToPayees(keys: readonly ContextKey[]): number[] {
  const calls = new Map<string, number>();
  return keys.map(({ accountId, receiverId, currency, subaccountId }, call) => {
    const payee = `${accountId} ${receiverId} ${currency} ${subaccountId}`;
    const first = calls.get(payee);
    if (first === undefined) calls.set(payee, call);
    return first ?? call;
  });
}

/** Of a UUID as text. */
const idLength = 36;

function toPayeeFacts(row: PayeeFactsRow): PayeeFacts {
  const { is_first, other_receivers, last_payouts, payee_name } = row;
  return {
    isFirstPayout: is_first === true,
    otherReceivers: other_receivers ?? 0,
    last:
      (last_payouts || undefined)?.split(",").map((text) => {
        return { id: text.slice(0, idLength), amount: BigInt(text.slice(idLength + 1)) };
      }) ?? [],
    payeeName: payee_name ?? "unavailable",
  };
}
