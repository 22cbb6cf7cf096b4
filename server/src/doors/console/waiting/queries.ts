// The SQL of what waits for a second user, over all tables. A new kind is a line here and one in expire.ts.

import { firstIdOf } from "../../../platform/base/index.ts";
import { type Runner, statement, worksHere } from "../../../platform/db/index.ts";

type Source = {
  table: string;
  /** SQL: the row waits. */
  waits: string;
  /** The rows belong to the installation, not to a subaccount. */
  isShared?: true;
  /** When it was made. */
  madeAt?: string;
  /** Its ids grow with time, unless this says otherwise. */
  isIdByTime?: false;
  id?: string;
};

const changeRequest = (kind: string): Source => ({
  table: "change_request",
  waits: `status = 'waiting' and kind = '${kind}'`,
});

const sources = {
  payout: { table: "payout", waits: "stage = 'awaiting_approval'", madeAt: "created_at_ms" },
  resolution: {
    table: "payout_resolution",
    waits: "true",
    madeAt: "proposed_at_ms",
    id: "payout_id",
    isIdByTime: false,
  },
  bank_change: { table: "bank_details_change", waits: "status = 'waiting'" },
  key: changeRequest("key"),
  rotation: changeRequest("rotation"),
  limits: changeRequest("limits"),
  erasure: changeRequest("erasure"),
  bank_connection: {
    table: "bank_connection_request",
    waits: "status = 'waiting'",
    isShared: true,
  },
  bank_request: { table: "bank_request", waits: "status = 'waiting'", isShared: true },
  bank_discard: {
    table: "bank_batch",
    waits: "discard_by <> '' and status in ('frozen', 'approved', 'sending')",
    isShared: true,
    madeAt: "discard_asked_at_ms",
    isIdByTime: false,
  },
  finance_approval: {
    table: "installation",
    waits: "finance_asked_by is not null",
    isShared: true,
    madeAt: "finance_asked_at_ms",
    id: "finance_asked_by",
    isIdByTime: false,
  },
  token: {
    table: "operator_token",
    waits: "awaiting_approval and revoked_at is null",
    isShared: true,
    madeAt: "(extract(epoch from created_at) * 1000)::bigint",
  },
  rules: {
    table: "payout_rule_set",
    waits: "status = 'proposed'",
    isShared: true,
    id: "version",
    isIdByTime: false,
  },
  screening_list: {
    table: "screening_list_version",
    waits: "status = 'waiting'",
    isShared: true,
    madeAt: "at_ms",
  },
} satisfies Record<string, Source>;

export type WaitingKind = keyof typeof sources;
export const waitingKinds = Object.keys(sources) as WaitingKind[];

export type WaitingItem = {
  kind: WaitingKind;
  /** Null: it belongs to the installation. */
  subaccount_id: string | null;
  id: string;
  made_at_ms: string;
};

/** The oldest rows of one kind, made before $1, whose first id is $2. */
function oldestOf(kind: string, source: Source): string {
  const { table, waits, isShared, madeAt = "made_at_ms", isIdByTime = true, id = "id" } = source;
  const subaccount = isShared ? "null::uuid" : "subaccount_id";
  const ofOne = isShared
    ? "true"
    : `($3::uuid is null or subaccount_id = $3) and ${worksHere("subaccount_id")}`;
  const before = isIdByTime ? `${id} < $2` : `${madeAt} < $1`;
  return `(select '${kind}' as kind, ${subaccount} as subaccount_id, ${id}::text as id, ${madeAt} as made_at_ms
    from ${table} where ${waits} and ${before} and ${ofOne} order by ${id} limit $4)`;
}

const listOldest = statement<WaitingItem>(
  "waiting-oldest",
  // Over all subaccounts, for the metrics and the worker of the installation, or of the one in $3.
  `select kind, subaccount_id, id, made_at_ms from (
     ${Object.entries(sources)
       .map(([kind, source]) => oldestOf(kind, source))
       .join("\n union all ")}
   ) oldest`,
);

/** The oldest of each kind that were made before then. */
export function listOldestWaiting(
  db: Runner,
  {
    beforeMs,
    subaccountId,
    limit,
  }: { beforeMs: number; subaccountId?: string | undefined; limit: number },
): Promise<WaitingItem[]> {
  return db.run(listOldest, [beforeMs, firstIdOf(beforeMs), subaccountId ?? null, limit]);
}
