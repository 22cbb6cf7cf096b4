// The SQL of the facts that a payout is decided on: its receiver, its account, an earlier duplicate, the rules in force, and
// what these look at about the payee.

import type { PayeeNameOutcome } from "../../people/payee-checks/index.ts";
import { firstIdOf, type Mode, newestId, oldestId } from "../../platform/base/index.ts";
import { inIndex, orderBy, type Runner, rowInIndex, statement } from "../../platform/db/index.ts";
import type { BalanceKey } from "../ledger/index.ts";
import { activeRulesHash, type PayeeFactsNeeded } from "../rules/index.ts";
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
// One number can be written in several ways, and end in other digits. Rows of before may have no keyed hash.
const byMark = ["d2.account_number_mark", "d2.account_id"];
const markOfDetails = ["d.account_number_mark"];
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
              (select d2.account_id, d2.version from bank_details d2
               where d2.subaccount_id = input.subaccount_id and d2.account_number_mark is not null
                 and d2.account_id <> d.account_id
                 and ${inIndex(byMark, [...markOfDetails, `'${oldestId}'`], [...markOfDetails, `'${newestId}'`])}
                 and d2.country = d.country and d2.bsb = d.bsb and d2.bank_code = d.bank_code
               ${orderBy(byMark)})
              union all
              (select d2.account_id, d2.version from bank_details d2
               where d2.subaccount_id = input.subaccount_id and d2.account_number_tail <> '' and d2.account_id <> d.account_id
                 and ${inIndex(byTail, [...tailOfDetails, `'${oldestId}'`], [...tailOfDetails, `'${newestId}'`])}
                 and d2.country = d.country and d2.bank_code = d.bank_code
                 and (d2.account_number_mark is null or d.account_number_mark is null)
               ${orderBy(byTail)})
              offset 0
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

const unconfirmed = (columns: string[], values: string[]) =>
  `(select v.user_id from user_vouch v where ${inIndex(columns, values)} and v.confirmed_at_ms is null ${orderBy(columns)} limit 1) is not null`;

/**
 * Of the user `u`, who has seen a secret as `s`. A disabled user counts on while they count as another user: as the admin who
 * granted their access, or as a user whose access they granted.
 */
const isCurrentUser = `(u.disabled_at is null
                   or ${unconfirmed(["v.user_id"], ["u.id"])}
                   or ${unconfirmed(["v.voucher"], ["s.who"])})`;

/** Of the bank details `d`: not by a key alone, whose secret no current user has seen, nor by the service. */
const isAddedByUser = `case when d.created_by like 'key:%' then exists (
                 select from (
                   select s.who from api_secret_seen s where ${inIndex(["s.key"], ["substr(d.created_by, 5)"])}
                     and s.who like 'operator:%' ${orderBy(["s.key"])} offset 0
                 ) s cross join ${rowInIndex("console_user u", ["u.email"], ["substr(s.who, 10)"])}
                 where ${isCurrentUser})
               else d.created_by <> 'service' end`;

const contextColumns = `input.call::int, r.status as receiver_status, r.kyc_status, a.receiver_id as account_receiver_id,
          a.status as account_status, a.receiver_accepted as accepted, d.country, a.version,
          ${destinationOf("d")} as destination,
          case when not input.is_live or a.id is null then false
               when ${paidToDetails} is not null then false
               else a.version > 1 or ${isAddedByUser} end as is_unpaid,
          (select p.id from payout p
           where p.subaccount_id = input.subaccount_id
             and ${inIndex(byReference, [...sameReference, "$10"], [...sameReference, `'${newestId}'`])}
             and p.currency = input.currency and p.receiver_id = input.receiver_id and p.created_at_ms > $9
           ${orderBy(byReference, " desc")} limit 1) as duplicate_of_id,
          r.country as receiver_country, r.kyc_needs_review as has_identity_review,
          input.is_first and ${isInScreeningReview("input")} as has_screening_review,
          d.created_at_ms as details_at_ms, ${activeRulesHash} as rules_hash`;

const byId = (row: string) => [`${row}.subaccount_id`, `${row}.id`];
const receiverAndAccount = `left join ${rowInIndex("receiver r", byId("r"), ["input.subaccount_id", "input.receiver_id"], "input.is_first")} on true
   left join ${rowInIndex("receiver_account a", byId("a"), ["input.subaccount_id", "input.account_id"], "input.is_first")} on true
   left join ${rowInIndex("bank_details d", byVersion("d"), versionOfAccount)} on true`;

const contextStatement = (name: string, columns: string) =>
  statement<PayeeRow>(
    name,
    `select ${columns}
     from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::bigint[], $5::text[], $6::text[], $7::boolean[], $8::boolean[])
       with ordinality as input(subaccount_id, receiver_id, account_id, amount, currency, reference, is_live, is_first, call)
     ${receiverAndAccount}`,
  );

// They run after the lock of the balances, so that they see the payouts accepted before. Each payee is read once for all
// payouts to it that are decided on together: with the first of them.
const findContexts = contextStatement("payouts-context", contextColumns);

const isNeeded = (place: string) => `(${place}::boolean and input.is_first)`;

const findRuledContexts = contextStatement(
  "payouts-context-ruled",
  `${contextColumns}, ${payeeFacts({
    first: isNeeded("$11"),
    shared: isNeeded("$12"),
    median: isNeeded("$13"),
    payeeName: isNeeded("$14"),
  })}`,
);

type PayeeRow = ContextRow & Partial<PayeeFactsRow>;

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
  const firsts = firstsToPayees(keys);
  const values = [
    keys.map(({ subaccountId }) => subaccountId),
    keys.map(({ receiverId }) => receiverId),
    keys.map(({ accountId }) => accountId),
    keys.map(({ amount }) => amount.toString()),
    keys.map(({ currency }) => currency),
    keys.map(({ reference }) => reference),
    keys.map(({ mode }) => mode === "live"),
    firsts.map((first, call) => first === call),
    sinceMs,
    firstIdOf(sinceMs),
  ];
  const rows: PayeeRow[] = needed
    ? await db.run(findRuledContexts, [
        ...values,
        ...[needed.first, needed.shared, needed.median, needed.payeeName],
      ])
    : await db.run(findContexts, values);
  const rowOf = new Map(rows.map((row) => [row.call - 1, row]));
  const payees = new Map<number, Omit<PayoutContext, "duplicateOfId">>();
  const contexts = firsts.map((first, call): PayoutContext => {
    const payee = payees.get(first) ?? toPayee(rowOf.get(first) as PayeeRow, needed);
    payees.set(first, payee);
    return { ...payee, duplicateOfId: rowOf.get(call)?.duplicate_of_id ?? undefined };
  });
  return { contexts, rulesHash: rows[0]?.rules_hash ?? undefined };
}

/** For each payout, the place of the first one to the same payee. */
function firstsToPayees(keys: readonly ContextKey[]): number[] {
  const calls = new Map<string, number>();
  return keys.map(({ accountId, receiverId, currency, subaccountId }, call) => {
    const payee = `${accountId} ${receiverId} ${currency} ${subaccountId}`;
    const first = calls.get(payee);
    if (first === undefined) calls.set(payee, call);
    return first ?? call;
  });
}

function toPayee(
  row: PayeeRow,
  needed: PayeeFactsNeeded | undefined,
): Omit<PayoutContext, "duplicateOfId"> {
  const { receiver_status: status, kyc_status: kycStatus, account_receiver_id: receiverId } = row;
  return {
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
    payee: needed && toPayeeFacts(row as PayeeFactsRow),
  };
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
