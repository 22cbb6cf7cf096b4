// The SQL of what an embargo of a country touches.

import { type Runner, statement } from "../../../platform/db/index.ts";
import { limits } from "../../../platform/limits/index.ts";

export type Touched = { receivers: number; payouts: number };

const most = limits.countedMax + 1;
const accountIn = `join bank_details d on d.subaccount_id = a.subaccount_id and d.account_id = a.id and d.version = a.version
  where a.subaccount_id = r.subaccount_id and a.receiver_id = r.id and a.status = 'active' and d.country = $1`;

const touched = statement<Touched>(
  "console-embargo-touches",
  `select (select count(*)::int from (
            select from receiver r where r.status = 'active'
              and (r.country = $1 or exists (select from receiver_account a ${accountIn})) limit ${most}
          ) r) as receivers,
          (select count(*)::int from (
            select from payout p
            join receiver r on r.subaccount_id = p.subaccount_id and r.id = p.receiver_id
            join bank_details d on d.subaccount_id = p.subaccount_id and d.account_id = p.account_id
              and d.version = p.account_version
            where p.status = 'pending' and p.stage in ('queued', 'awaiting_approval', 'on_hold')
              and (r.country = $1 or d.country = $1) limit ${most}
          ) p) as payouts`,
);

/** Counted up to a limit. */
export async function countTouched(db: Runner, country: string): Promise<Touched> {
  return (await db.run(touched, [country]))[0] ?? { receivers: 0, payouts: 0 };
}
