// Claims due work fairly: each subaccount gets an equal share of a claim, and unused shares go to subaccounts with more
// due work. So a subaccount with a long queue does not delay the others.

import { limits } from "../limits/index.ts";
import { type Runner, statement } from "./connect.ts";
import { worksHere } from "./moving.ts";

type DueTable = { table: "payout" | "receiver" | "payee_name_check"; queue: string; dueAt: string };

type DueSubaccount = { subaccount_id: string; is_due: boolean };

/**
 * The subaccounts after $2 that have work in queue $1, by id, at most $4, and whether any of it is due at $3. It takes one
 * index lookup for each subaccount, however many rows it has.
 */
function dueSubaccounts({ table, queue, dueAt }: DueTable): string {
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
   from waiting w where w.subaccount_id is not null and ${worksHere("w.subaccount_id")} limit $4`;
}

/**
 * The CTE `locked` of a claim: the places of rows that are due at $2 in queue $1, of the subaccounts $5, at most $4. First the
 * oldest $6 of each subaccount; the rest goes to the first subaccounts that have more. They are locked in the order of their
 * keys, as by `lockedInOrder`. A row that is changed at the same moment is at another place then, and has its turn later.
 */
export function dueInTurns({ table, queue, dueAt }: DueTable): string {
  const ofOne = (bounds: string) => `cross join lateral (
       select q.subaccount_id, q.id, q.ctid as place from ${table} q
       where q.${queue} = $1 and q.subaccount_id = turn.subaccount_id and q.${dueAt} <= $2
       order by q.${dueAt} ${bounds}
     ) q`;
  return `turn as materialized (
     select subaccount_id from unnest($5::uuid[]) with ordinality as t(subaccount_id, place)
     where ${worksHere("t.subaccount_id")} order by place
   ), share as materialized (
     select q.* from turn ${ofOne("limit $6")} limit $4
   ), left_over as materialized (
     select q.* from turn ${ofOne("limit $4 offset $6")}
     limit $4 - (select count(*) from share)
   ), due as (
     select * from share union all select * from left_over
   ), locked as materialized (
     select row.ctid as place from (select place from due order by subaccount_id, id) key
     cross join lateral (select ctid from ${table} where ctid = key.place for no key update) row
   )`;
}

export type DueClaim = {
  nowMs: number;
  leaseUntilMs: number;
  limit: number;
  turn: Pick<DueTurn, "subaccountIds" | "share">;
};

/** The values of a statement with `dueInTurns`. */
export function claimValues(queue: string, { nowMs, leaseUntilMs, limit, turn }: DueClaim) {
  return [queue, nowMs, leaseUntilMs, limit, turn.subaccountIds, turn.share];
}

type DueTurn = {
  subaccountIds: string[];
  /** Rows for each subaccount in the first step. */
  share: number;
  /** There are more subaccounts to check. */
  isMore: boolean;
};

const beforeAll = "00000000-0000-0000-0000-000000000000";

type Page = { after: string; nowMs: number; limit: number };

/** Chooses the subaccounts whose work is claimed next. */
export function dueTurns(name: string, due: DueTable) {
  const find = statement<DueSubaccount>(name, dueSubaccounts(due), { followsIndexes: true });
  return (db: Runner, queue: string) =>
    turnsOf(({ after, nowMs, limit }) => db.run(find, [queue, after, nowMs, limit]));
}

/** Cycles through the subaccounts, one page at a time. */
export function turnsOf(find: (page: Page) => Promise<DueSubaccount[]>) {
  let after = beforeAll;
  let rounds = 0;
  return async (nowMs: number, limit: number): Promise<DueTurn> => {
    const page = await find({ after, nowMs, limit: limits.dueSubaccountsMax });
    const due = page.filter(({ is_due }) => is_due).map((row) => row.subaccount_id);
    const served = due.slice(0, limit);
    const isCut = served.length < due.length;
    const isMore = isCut || page.length === limits.dueSubaccountsMax;
    after = (isMore && (isCut ? served : page.map((row) => row.subaccount_id)).at(-1)) || beforeAll;
    // Each round starts with another subaccount, so that the rest is shared fairly too.
    rounds += 1;
    const first = served.length === 0 ? 0 : rounds % served.length;
    return {
      subaccountIds: [...served.slice(first), ...served.slice(0, first)],
      share: Math.max(1, Math.floor(limit / Math.max(1, served.length))),
      isMore,
    };
  };
}
