// The SQL of a subaccount's limits and approval thresholds.

import { type Mode, toNumber } from "../../platform/base/index.ts";
import { type Runner, statement, type Tx } from "../../platform/db/index.ts";
import { lockSubaccount } from "../../tenants/api-keys/index.ts";
import type { BalanceKey } from "../ledger/index.ts";
import { defaultThresholds, type Thresholds } from "./payout.ts";

/** Undefined: no limit. */
export type PayoutLimit = Thresholds & {
  perPayoutMax: bigint | undefined;
  perDayMax: bigint | undefined;
};

/** An absent field stays as it is; null removes the limit. */
export type LimitChange = { [Field in keyof PayoutLimit]?: bigint | null | undefined };

/** Their names on the wire, in the audit log and in the database. */
const limitFields = {
  per_payout_max: "perPayoutMax",
  per_day_max: "perDayMax",
  approval_above: "approvalAbove",
  batch_approval_above: "batchApprovalAbove",
  receiver_day_approval_above: "receiverDayApprovalAbove",
  account_day_approval_above: "accountDayApprovalAbove",
} as const satisfies Record<string, keyof PayoutLimit>;
type LimitField = keyof typeof limitFields;
const fieldNames = Object.keys(limitFields) as LimitField[];

/** SQL: the threshold per destination account and day. -1 means that per receiver and day: an older version wrote the row. */
export const accountDayAbove = (limit: string) => `case ${limit}.account_day_approval_above
            when -1 then ${limit}.receiver_day_approval_above else ${limit}.account_day_approval_above end`;

type LimitRow = { currency: string } & Record<LimitField, string | null>;
const columns = fieldNames.join(", ");
const readColumns = fieldNames
  .map((name) =>
    name === "account_day_approval_above" ? `${accountDayAbove("l")} as ${name}` : `l.${name}`,
  )
  .join(", ");

const upsert = statement<never>(
  "payout-limit-set",
  `insert into payout_limit (subaccount_id, currency, ${columns})
   values ($1, $2, ${fieldNames.map((_, index) => `$${index + 3}`).join(", ")})
   on conflict (subaccount_id, currency)
   do update set ${fieldNames.map((name) => `${name} = excluded.${name}`).join(", ")}`,
);

export async function setPayoutLimit(
  tx: Tx,
  balance: BalanceKey,
  limit: PayoutLimit,
): Promise<void> {
  const amounts = fieldNames.map((name) => limit[limitFields[name]]?.toString() ?? null);
  await tx.run(upsert, [balance.subaccountId, balance.currency, ...amounts]);
}

const findOne = statement<LimitRow>(
  "payout-limit",
  `select l.currency, ${readColumns} from payout_limit l where l.subaccount_id = $1 and l.currency = $2`,
);

/** The limit before and after the change, locked until the end of the transaction. */
export async function lockPayoutLimit(
  tx: Tx,
  { mode, ...balance }: BalanceKey & { mode: Mode },
  change: LimitChange = {},
): Promise<{ before: PayoutLimit; after: PayoutLimit }> {
  const { subaccountId, currency } = balance;
  await lockSubaccount(tx, subaccountId);
  const [row] = await tx.run(findOne, [subaccountId, currency]);
  const unset = {
    ...defaultThresholds(mode, currency),
    perPayoutMax: undefined,
    perDayMax: undefined,
  };
  const before = row ? toLimit(row) : unset;
  const after = { ...before };
  for (const field of Object.values(limitFields)) {
    const given = change[field];
    if (given !== undefined) after[field] = given ?? undefined;
  }
  return { before, after };
}

/** The change without the limits that are higher than before, or gone: it applies without a second admin. */
export function stricterPart(before: PayoutLimit, after: PayoutLimit): PayoutLimit {
  const part = { ...after };
  for (const field of Object.values(limitFields)) {
    const [from, to] = [before[field], after[field]];
    if (from !== undefined && (to === undefined || to > from)) part[field] = from;
  }
  return part;
}

export function areSameLimits(one: PayoutLimit, other: PayoutLimit): boolean {
  return Object.values(limitFields).every((field) => one[field] === other[field]);
}

const limitsOf = statement<LimitRow>(
  "payout-limits",
  `select l.currency, ${readColumns} from payout_limit l where l.subaccount_id = $1 order by l.currency`,
);

export async function listPayoutLimits(
  db: Runner,
  subaccountId: string,
): Promise<(PayoutLimit & { currency: string })[]> {
  const rows = await db.run(limitsOf, [subaccountId]);
  return rows.map((row) => ({ currency: row.currency, ...toLimit(row) }));
}

const anyThreshold = statement<{ found: boolean }>(
  "payout-limits-any-threshold",
  `select exists (
     select from payout_limit l where l.subaccount_id = $1
       and coalesce(l.approval_above, l.batch_approval_above, l.receiver_day_approval_above,
                    ${accountDayAbove("l")}) is not null
   ) as found`,
);

/** Whether some payouts of the subaccount may need approval. */
export async function hasThreshold(db: Runner, subaccountId: string): Promise<boolean> {
  return (await db.run(anyThreshold, [subaccountId]))[0]?.found === true;
}

function toLimit(row: LimitRow): PayoutLimit {
  const read = (text: string | null) => (text === null ? undefined : BigInt(text));
  return {
    perPayoutMax: read(row.per_payout_max),
    perDayMax: read(row.per_day_max),
    approvalAbove: read(row.approval_above),
    batchApprovalAbove: read(row.batch_approval_above),
    receiverDayApprovalAbove: read(row.receiver_day_approval_above),
    accountDayApprovalAbove: read(row.account_day_approval_above),
  };
}

/** The limits in the format of the wire and the audit log: null if there is no limit. */
export function limitsOnWire(limit: PayoutLimit): Record<LimitField, number | null> {
  const number = (amount: bigint | undefined) => (amount === undefined ? null : toNumber(amount));
  return {
    per_payout_max: number(limit.perPayoutMax),
    per_day_max: number(limit.perDayMax),
    approval_above: number(limit.approvalAbove),
    batch_approval_above: number(limit.batchApprovalAbove),
    receiver_day_approval_above: number(limit.receiverDayApprovalAbove),
    account_day_approval_above: number(limit.accountDayApprovalAbove),
  };
}

/** From the wire: null removes a limit, and an absent field leaves it. */
export function limitChangeOf(wire: Partial<Record<LimitField, number | null>>): LimitChange {
  const change: LimitChange = {};
  for (const name of fieldNames) {
    const amount = wire[name];
    if (amount !== undefined) change[limitFields[name]] = amount === null ? null : BigInt(amount);
  }
  return change;
}
