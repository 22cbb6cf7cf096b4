// The SQL of the completeness of screening: how many records are at or below each set.

import { type Runner, statement } from "../../platform/db/index.ts";

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

const versions = statement<{
  list: string;
  published_day: string;
  entries: number;
  set_id: string;
  complete: string;
  behind: string;
}>(
  "screening-versions-complete",
  // A record at a set was screened against every version that was activated with it or before. Records below the first
  // set of a version are behind it.
  `with at_set as (
     select r.set_id, count(*) as records from screening_record r
     where $1::uuid is null or r.subaccount_id = $1 group by r.set_id
   )
   select v.list, v.published_day, v.entries, v.set_id,
          coalesce(sum(a.records) filter (where a.set_id >= v.set_id), 0) as complete,
          coalesce(sum(a.records) filter (where a.set_id < v.set_id), 0) as behind
   from screening_list_version v left join at_set a on true
   where v.status = 'active' group by v.id order by v.list`,
);

export type VersionStatus = {
  list: string;
  publishedDay: string;
  entries: number;
  setId: number;
  complete: number;
  behind: number;
};

/** The active version of each list: how many receivers and accounts were screened against it, and how many were not. */
export async function listVersionStatus(
  db: Runner,
  subaccountId?: string,
): Promise<VersionStatus[]> {
  const rows = await db.run(versions, [subaccountId ?? null]);
  return rows.map((row) => ({
    list: row.list,
    publishedDay: row.published_day,
    entries: row.entries,
    setId: Number(row.set_id),
    complete: Number(row.complete),
    behind: Number(row.behind),
  }));
}
