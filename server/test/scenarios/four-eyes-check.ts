// What one user alone must never reach: sent payouts above a threshold or a rule, and released holds.

import type { Db } from "../../src/platform/db/connect.ts";
import { limits } from "../../src/platform/limits/limits.ts";
import { ruleOf } from "../support/rules.ts";

/** 1,000.00 AUD, the default of a live subaccount. */
export const threshold = limits.liveThresholdUnits * 100;

/** In force for all: a third payout to an account within an hour is held, and large sums need two approvals. */
export const rulesInForce = [
  ruleOf({
    id: "third",
    mode: "live",
    when: { fact: "count", of: "account", window: "hour", above: 2 },
  }),
  ruleOf({
    id: "large",
    mode: "live",
    currency: "AUD",
    when: { fact: "sum", of: "receiver", window: "day", above: 5 * threshold },
    act: { act: "approvals", count: 2, role: "" },
  }),
];

/**
 * Payouts that no longer wait for approval and exceed the threshold: alone, per batch, per receiver and day or per day and
 * account at a bank, whose last digits tell the few accounts of a sequence apart. And payouts to accounts that the attacker
 * added or changed: no user approves the first one.
 */
export async function complaintsOf(
  db: Db,
  {
    subaccountId,
    accountingKey,
    knownAccounts,
  }: { subaccountId: string; accountingKey: string; knownAccounts: readonly string[] },
): Promise<string | undefined> {
  const { rows } = await db.pool.query(
    `with gone as (
       select p.*, d.bsb || d.bank_code || d.account_number_tail as destination,
         p.created_at_ms / 86400000 as day
       from payout p join bank_details d on d.subaccount_id = p.subaccount_id and d.account_id = p.account_id
         and d.version = p.account_version
       where p.subaccount_id = $1 and p.status <> 'failed' and p.stage not in ('awaiting_approval', 'on_hold')
         and p.created_by <> $3
     )
     select 'payout ' || id::text as what, amount::text from gone where amount > $2
     union all
     select 'receiver ' || receiver_id::text, sum(amount)::text from gone group by receiver_id, currency, day
     having sum(amount) > $2
     union all
     select 'account ' || destination, sum(amount)::text from gone group by destination, currency, day
     having sum(amount) > $2
     union all
     select 'new account ' || account_id::text, amount::text from gone
     where account_version > 1 or account_id <> all($4::uuid[])
     union all
     select 'batch ' || batch_id::text, sum(amount)::text from gone where batch_id is not null
     group by batch_id having sum(amount) > $2
     union all
     -- The attacker made all other payouts here, so that no other user can have released one.
     select 'released ' || h.payout_id::text, h.decided_by from payout_hold h
     join payout p on p.subaccount_id = h.subaccount_id and p.id = h.payout_id
     where h.subaccount_id = $1 and h.decision = 'released' and p.created_by <> $3
     union all
     -- Approved by fewer users than the rule asks for.
     select 'approvals of ' || p.id::text, count(a.who)::text
     from gone p join payout_rule_match m on m.subaccount_id = p.subaccount_id and m.payout_id = p.id
     left join payout_approval a on a.subaccount_id = p.subaccount_id and a.payout_id = p.id
     where m.act = 'approvals' group by p.id, m.rule_id, m.approvals having count(a.who) < m.approvals`,
    // A user may approve what the company's own program pays.
    [subaccountId, threshold, `key:${accountingKey}`, knownAccounts],
  );
  return rows.length === 0
    ? undefined
    : rows.map(({ what, amount }) => `${what}: ${amount}`).join("; ");
}
