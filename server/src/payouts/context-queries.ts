// The SQL of the facts that a payout is decided on: its receiver, its account, an earlier duplicate, the rules in force.

import { type Runner, statement } from "../db/connect.ts";
import type { BalanceKey } from "../ledger/queries.ts";
import { activeRulesHash } from "../rules/queries.ts";
import { isInScreeningReview } from "./hold-queries.ts";
import type { PayoutContext } from "./payout.ts";

type ContextRow = {
  call: number;
  receiver_status: string | null;
  kyc_status: string | null;
  account_receiver_id: string | null;
  account_status: string;
  accepted: boolean;
  country: string;
  version: number;
  is_unpaid_change: boolean;
  duplicate_of_id: string | null;
  receiver_country: string;
  has_screening_review: boolean;
  has_identity_review: boolean;
  details_at_ms: string;
  rules_hash: string | null;
};

const findContexts = statement<ContextRow>(
  "payouts-context",
  // Runs after the lock of the balances, so that it sees the payouts accepted before.
  `select input.call::int, r.status as receiver_status, r.kyc_status, a.receiver_id as account_receiver_id,
          a.status as account_status, a.receiver_accepted as accepted, d.country, a.version,
          a.version > 1 and not exists (select from payout p
            where p.subaccount_id = a.subaccount_id and p.account_id = a.id and p.account_version = a.version
              and p.status = 'successful') as is_unpaid_change,
          (select p.id from payout p
           where p.subaccount_id = input.subaccount_id and p.reference = input.reference
             and p.account_id = input.account_id and p.amount = input.amount
             and p.currency = input.currency and p.receiver_id = input.receiver_id
             and p.created_at_ms > $7
           order by p.id desc limit 1) as duplicate_of_id,
          r.country as receiver_country, r.kyc_needs_review as has_identity_review,
          ${isInScreeningReview("input")} as has_screening_review,
          d.created_at_ms as details_at_ms, ${activeRulesHash} as rules_hash
   from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::bigint[], $5::text[], $6::text[]) with ordinality
     as input(subaccount_id, receiver_id, account_id, amount, currency, reference, call)
   left join receiver r on r.subaccount_id = input.subaccount_id and r.id = input.receiver_id
   left join receiver_account a on a.subaccount_id = input.subaccount_id and a.id = input.account_id
   left join bank_details d on d.subaccount_id = a.subaccount_id and d.account_id = a.id
     and d.version = a.version`,
);

type ContextKey = BalanceKey & {
  receiverId: string;
  accountId: string;
  amount: bigint;
  reference: string;
};

/**
 * One context for each key, in their order, and the hash of the rules in force. All are read after the lock, so that a
 * payout is never decided on by rules that had ended before.
 */
export async function findPayoutContexts(
  db: Runner,
  keys: readonly ContextKey[],
  sinceMs: number,
): Promise<{ contexts: PayoutContext[]; rulesHash: string | undefined }> {
  const rows = await db.run(findContexts, [
    keys.map(({ subaccountId }) => subaccountId),
    keys.map(({ receiverId }) => receiverId),
    keys.map(({ accountId }) => accountId),
    keys.map(({ amount }) => amount.toString()),
    keys.map(({ currency }) => currency),
    keys.map(({ reference }) => reference),
    sinceMs,
  ]);
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
              isUnpaidChange: row.is_unpaid_change,
              detailsChangedAtMs: row.version > 1 ? Number(row.details_at_ms) : undefined,
            },
      duplicateOfId: row.duplicate_of_id ?? undefined,
    };
  }
  return { contexts, rulesHash: rows[0]?.rules_hash ?? undefined };
}
