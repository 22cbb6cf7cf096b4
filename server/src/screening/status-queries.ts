// The SQL of the completeness of screening: how many records are at or below each set.

import { type Runner, statement } from "../db/connect.ts";

const countBelow = statement<{ count: number }>(
  "screening-records-count",
  `select count(*)::int as count from (
     select r.subaccount_id from screening_record r where r.set_id < $1 limit $2
   ) behind`,
);

/** Records below a set, counted up to `most`. */
export async function countRecordsBehind(db: Runner, setId: number, most: number): Promise<number> {
  return (await db.run(countBelow, [setId, most]))[0]?.count ?? 0;
}

const countOfSets = statement<{ set_id: string; subject_kind: string; records: string }>(
  "screening-records-by-set",
  `select r.set_id, r.subject_kind, count(*) as records from screening_record r
   where $1::uuid is null or r.subaccount_id = $1
   group by r.set_id, r.subject_kind order by r.set_id, r.subject_kind`,
);

export type RecordCount = { setId: number; kind: string; records: number };

/** The records of each set. With `subaccountId`, of that subaccount only. */
export async function countRecordsBySet(db: Runner, subaccountId?: string): Promise<RecordCount[]> {
  const rows = await db.run(countOfSets, [subaccountId ?? null]);
  return rows.map(({ set_id, subject_kind, records }) => ({
    setId: Number(set_id),
    kind: subject_kind,
    records: Number(records),
  }));
}
