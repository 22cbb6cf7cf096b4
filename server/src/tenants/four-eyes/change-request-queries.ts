// The SQL of change requests: keys and rotated secrets to activate, limits to loosen, receivers to erase.

import { isUuid } from "../../platform/base/index.ts";
import { type Runner, statement, type Tx } from "../../platform/db/index.ts";

export const changeRequestKinds = ["key", "rotation", "limits", "erasure"] as const;
export type ChangeRequestKind = (typeof changeRequestKinds)[number];
export type ChangeRequestStatus = "waiting" | "applied" | "declined" | "withdrawn" | "expired";
export type ChangeFields = Record<string, unknown>;

export type ChangeRequest = {
  subaccount_id: string;
  id: string;
  kind: ChangeRequestKind;
  /** The key, the currency, or the receiver. */
  object_id: string;
  before: ChangeFields;
  after: ChangeFields;
  made_by: string;
  made_at_ms: string;
  status: ChangeRequestStatus;
};

const columns = "subaccount_id, id, kind, object_id, before, after, made_by, made_at_ms, status";

type NewChangeRequest = {
  subaccountId: string;
  id: string;
  kind: ChangeRequestKind;
  objectId: string;
  before: ChangeFields;
  after: ChangeFields;
  madeBy: string;
  madeAtMs: number;
};

const insertOne = statement<never>(
  "change-request-insert",
  `insert into change_request (subaccount_id, id, kind, object_id, before, after, made_by, made_at_ms)
   values ($1, $2, $3, $4, $5, $6, $7, $8)`,
);

export async function insertChangeRequest(tx: Tx, request: NewChangeRequest): Promise<void> {
  const { subaccountId, id, kind, objectId, madeBy, madeAtMs } = request;
  const [before, after] = [request.before, request.after].map((fields) => JSON.stringify(fields));
  await tx.run(insertOne, [subaccountId, id, kind, objectId, before, after, madeBy, madeAtMs]);
}

const lockOne = statement<ChangeRequest>(
  "change-request-lock",
  `select ${columns} from change_request where subaccount_id = $1 and id = $2 for update`,
);

/** Locks the row, so that the second of two approvers sees the first decision. */
export async function lockChangeRequest(
  tx: Tx,
  { subaccountId, id }: { subaccountId: string; id: string },
): Promise<ChangeRequest | undefined> {
  return isUuid(id) ? (await tx.run(lockOne, [subaccountId, id]))[0] : undefined;
}

const decideOne = statement<never>(
  "change-request-decide",
  `update change_request set status = $3, decided_by = $4, decided_at_ms = $5
   where subaccount_id = $1 and id = $2`,
);

export async function updateChangeRequestDecided(
  tx: Tx,
  { subaccount_id, id }: ChangeRequest,
  decision: { status: ChangeRequestStatus; who: string; atMs: number },
): Promise<void> {
  await tx.run(decideOne, [subaccount_id, id, decision.status, decision.who, decision.atMs]);
}

const withdrawOfKey = statement<never>(
  "change-request-withdraw",
  `update change_request set status = 'withdrawn', decided_by = $4, decided_at_ms = $5
   where subaccount_id = $1 and kind = $2 and object_id = $3 and status = 'waiting'`,
);

/** It is outdated: the key was revoked or rotated again, or the limits were set since. */
export async function withdrawChangeRequests(
  tx: Tx,
  about: { subaccountId: string; kind: ChangeRequestKind; objectId: string },
  { who, atMs }: { who: string; atMs: number },
): Promise<void> {
  await tx.run(withdrawOfKey, [about.subaccountId, about.kind, about.objectId, who, atMs]);
}

/** With the receiver that is to be erased. */
export type WaitingRequest = ChangeRequest & { receiver_name: string; country: string };

const waitingStatement = (
  name: string,
  { after, down }: { after: ">" | "<"; down: "" | " desc" },
) =>
  statement<WaitingRequest>(
    name,
    `select w.*, coalesce(r.first_name || ' ' || r.last_name, '') as receiver_name, coalesce(r.country, '') as country
   from (
     select ${columns} from change_request
     where status = 'waiting' and id ${after} $1 and ($2::uuid is null or subaccount_id = $2)
       and ($4::text is null or kind = $4) order by id${down} limit $3
   ) w
   left join receiver r on r.subaccount_id = w.subaccount_id
     and r.id = case w.kind when 'erasure' then w.object_id::uuid end
   order by w.id${down}`,
  );
const listWaiting = waitingStatement("change-requests-waiting", { after: ">", down: "" });
const listNewestWaiting = waitingStatement("change-requests-waiting-newest", {
  after: "<",
  down: " desc",
});

type WaitingPage = {
  afterId: string;
  isNewestFirst?: boolean;
  subaccountId: string | undefined;
  kind: ChangeRequestKind | undefined;
  limit: number;
};

/** Oldest or newest first; of all subaccounts and kinds if none is named. */
export function listWaitingRequests(db: Runner, page: WaitingPage): Promise<WaitingRequest[]> {
  const { afterId, isNewestFirst, subaccountId, kind, limit } = page;
  const list = isNewestFirst ? listNewestWaiting : listWaiting;
  return db.run(list, [afterId, subaccountId ?? null, limit, kind ?? null]);
}

const findWaiting = statement<ChangeRequest>(
  "change-request-waiting",
  `select ${columns} from change_request
   where subaccount_id = $1 and kind = $2 and object_id = $3 and status = 'waiting'`,
);

export async function findWaitingRequest(
  db: Runner,
  about: { subaccountId: string; kind: ChangeRequestKind; objectId: string },
): Promise<ChangeRequest | undefined> {
  return (await db.run(findWaiting, [about.subaccountId, about.kind, about.objectId]))[0];
}

const countWaiting = statement<{ count: number }>(
  "change-requests-waiting-count",
  `select count(*)::int as count from (
     select from change_request where status = 'waiting' and ($1::uuid is null or subaccount_id = $1) limit $2
   ) waiting`,
);

/** Never more than `most`. */
export async function countWaitingRequests(
  db: Runner,
  { subaccountId, most }: { subaccountId: string | undefined; most: number },
): Promise<number> {
  return (await db.run(countWaiting, [subaccountId ?? null, most]))[0]?.count ?? 0;
}
