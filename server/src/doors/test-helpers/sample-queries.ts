// The SQL of sample data: which receivers are samples, and what of theirs can still be ended.

import { type Runner, statement } from "../../platform/db/index.ts";

/** The reference of a receiver marks it as a sample. */
export const sampleReference = (number: number) => `sample-data-${number}`;
const references = [1, 2, 3].map(sampleReference);

const findState = statement<{ is_empty: boolean; is_present: boolean }>(
  "samples-state",
  `select not exists (select from receiver where subaccount_id = $1) as is_empty,
     exists (select from receiver
       where subaccount_id = $1 and reference = any($2) and status not in ('inactive', 'failed')) as is_present`,
);

/** Whether the subaccount has no receivers yet, and whether it has samples that were not removed. */
export async function findSampleState(db: Runner, subaccountId: string) {
  const [row] = await db.run(findState, [subaccountId, references]);
  return { isEmpty: row?.is_empty === true, isPresent: row?.is_present === true };
}

type SampleRows = { receivers: string[]; accounts: string[]; payouts: string[] };

const findRows = statement<SampleRows>(
  "samples-rows",
  `with sample as (
     select id from receiver
     where subaccount_id = $1 and reference = any($2) and status not in ('inactive', 'failed')
   )
   select array(select id::text from sample order by id) as receivers,
     array(select a.id::text from receiver_account a join sample s on s.id = a.receiver_id
       where a.subaccount_id = $1 and a.status = 'active') as accounts,
     array(select p.id::text from payout p join sample s on s.id = p.receiver_id
       where p.subaccount_id = $1 and p.stage = any($3)) as payouts`,
);

/** The samples: receivers, their open accounts, and the payouts that can still be cancelled. */
export async function findSampleRows(db: Runner, subaccountId: string): Promise<SampleRows> {
  const stages = ["queued", "on_hold", "awaiting_approval"];
  const [row] = await db.run(findRows, [subaccountId, references, stages]);
  return row ?? { receivers: [], accounts: [], payouts: [] };
}
