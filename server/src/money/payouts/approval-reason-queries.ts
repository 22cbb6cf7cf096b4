// The SQL of the reasons why payouts need approval.

import { statement, type Tx } from "../../platform/db/index.ts";
import { type ApprovalReason, approvalRules } from "./payout.ts";

/** The reasons why payouts wait for approval, by the payout's id. */
export type ReasonsById = Map<string, readonly ApprovalReason[]>;

const insertMany = statement<never>(
  "payout-approval-reasons",
  `insert into payout_approval_reason (subaccount_id, payout_id, rule, above)
   select * from unnest($1::uuid[], $2::uuid[], $3::text[], $4::bigint[])`,
);

/** Runs no statement where no payout needs approval. */
export async function insertApprovalReasons(
  tx: Tx,
  payouts: readonly { subaccount_id: string; id: string }[],
  reasons: ReasonsById,
): Promise<void> {
  if (reasons.size === 0) return;
  const rows = payouts.flatMap(({ subaccount_id, id }) =>
    (reasons.get(id) ?? []).map(({ rule, above }) => ({ subaccount_id, id, rule, above })),
  );
  await tx.run(insertMany, [
    rows.map(({ subaccount_id }) => subaccount_id),
    rows.map(({ id }) => id),
    rows.map(({ rule }) => rule),
    rows.map(({ above }) => above?.toString() ?? null),
  ]);
}

/** The reasons of the payout `p` as JSON, in the order of the rules. Older versions stored none. */
export const reasonsOf = `(select coalesce(json_agg(json_build_object('rule', w.rule, 'above', w.above)
    order by array_position('{${approvalRules}}'::text[], w.rule)), '[]')
  from payout_approval_reason w where w.subaccount_id = p.subaccount_id and w.payout_id = p.id)`;
