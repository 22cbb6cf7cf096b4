// What is due is taken in turns by subaccount: each has an equal share of what is taken at once, and what others leave
// of theirs goes to those who have more. However much one subaccount has waiting, the others have their share.

import { limits } from "../limits.ts";

export type DueTable = { table: "payout" | "receiver"; queue: string; dueAt: string };

export type DueSubaccount = { subaccount_id: string; is_due: boolean };

/**
 * The subaccounts after $2 with anything in the queue $1, in the order of their ids, at most $4; and whether it is due
 * at $3. One step down the index for each, however many rows it has.
 */
export function dueSubaccounts({ table, queue, dueAt }: DueTable): string {
  const next = (after: string) =>
    `select q.subaccount_id from ${table} q
     where q.${queue} = $1 and q.${dueAt} is not null and q.subaccount_id > ${after}
     order by q.subaccount_id limit 1`;
  return `with recursive waiting(subaccount_id) as (
     (${next("$2::uuid")})
     union all
     select (${next("w.subaccount_id")}) from waiting w where w.subaccount_id is not null
   )
   select w.subaccount_id,
          (select true from ${table} q
           where q.${queue} = $1 and q.subaccount_id = w.subaccount_id and q.${dueAt} <= $3
           limit 1) is not null as is_due
   from waiting w where w.subaccount_id is not null limit $4`;
}

/**
 * The part `due` of a claim: what is due at $2 in the queue $1, at most $4, of the subaccounts $5. First $6 of each, the
 * oldest; then what is left over goes to the first of them that have more.
 */
export function dueInTurns({ table, queue, dueAt }: DueTable): string {
  const ofOne = (bounds: string) => `cross join lateral (
       select q.subaccount_id, q.id, q.${dueAt} from ${table} q
       where q.${queue} = $1 and q.subaccount_id = turn.subaccount_id and q.${dueAt} <= $2
       order by q.${dueAt} ${bounds}
     ) q`;
  return `turn as materialized (
     select subaccount_id from unnest($5::uuid[]) with ordinality as t(subaccount_id, place) order by place
   ), share as materialized (
     select q.* from turn ${ofOne("limit $6")} limit $4
   ), left_over as materialized (
     select q.* from turn ${ofOne("limit $4 offset $6")}
     limit $4 - (select count(*) from share)
   ), due as materialized (
     select * from share union all select * from left_over
   )`;
}

export type DueTurn = {
  subaccountIds: string[];
  /** How much each may take at first. */
  share: number;
  /** There are further subaccounts to look at. */
  isMore: boolean;
};

type Page = { after: string; nowMs: number; limit: number };

const beforeAll = "00000000-0000-0000-0000-000000000000";

/** Goes through the subaccounts, a page at a time, and begins again after the last. */
export function dueTurns(find: (page: Page) => Promise<DueSubaccount[]>) {
  let after = beforeAll;
  let rounds = 0;
  return async (nowMs: number, limit: number): Promise<DueTurn> => {
    const page = await find({ after, nowMs, limit: limits.dueSubaccountsMax });
    const due = page.filter(({ is_due }) => is_due).map((row) => row.subaccount_id);
    const served = due.slice(0, limit);
    const isCut = served.length < due.length;
    const isMore = isCut || page.length === limits.dueSubaccountsMax;
    after = (isMore && (isCut ? served : page.map((row) => row.subaccount_id)).at(-1)) || beforeAll;
    // What is left over goes to another one first each time.
    rounds += 1;
    const first = served.length === 0 ? 0 : rounds % served.length;
    return {
      subaccountIds: [...served.slice(first), ...served.slice(0, first)],
      share: Math.max(1, Math.floor(limit / Math.max(1, served.length))),
      isMore,
    };
  };
}
