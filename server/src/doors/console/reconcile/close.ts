// Closes a month: stores its figures for good. Later verifications compare the books with them.

import { listConnections, railIdOf } from "../../../banking/connections/index.ts";
import { listClosings } from "../../../banking/statements/index.ts";
import { type ClosedMonth, insertClosedMonth } from "../../../money/ledger/index.ts";
import type { Mode } from "../../../platform/base/index.ts";
import { isUniqueViolation, type Runner } from "../../../platform/db/index.ts";
import type { Seal } from "../../../platform/encryption/index.ts";
import { Refusal } from "../../../platform/refusals/index.ts";
import { type Actor, audited } from "../../../tenants/audit/index.ts";
import { isOver, monthOf } from "./period.ts";
import { findEndBefore, listBankAccounts, type TransferRange } from "./queries.ts";
import { type ReconcileParts, reconcile } from "./reconcile.ts";
import type { MonthToClose, ReconciledBalance } from "./schema.ts";

export async function closeMonth(
  parts: ReconcileParts & { seal: Seal },
  actor: Actor,
  { month, currency, subaccountId, mode }: MonthToClose & { subaccountId: string; mode: Mode },
): Promise<ClosedMonth> {
  const { db, seal, clock } = parts;
  const period = monthOf(month);
  const nowMs = clock();
  if (!isOver(period, nowMs)) throw new Refusal("CONS802");
  const { balances } = await reconcile(parts, { subaccountId, currency, period });
  const [balance] = balances;
  if (!balance) throw new Refusal("CONS110");
  requireClosable(balance);
  const balanceKey = { subaccountId, currency };
  // A past month gets no more transfers, so these numbers still belong to the figures above.
  const [before, last] = [
    await findEndBefore(db, balanceKey, period.fromMs),
    await findEndBefore(db, balanceKey, period.toMs),
  ];
  const numbers = {
    after_number: before?.last_number ?? "0",
    last_number: last?.last_number ?? "0",
  };
  if (mode === "live") {
    const range = { after: numbers.after_number, upTo: numbers.last_number };
    await requireBanksClosed(db, { ...balanceKey, ...range }, month);
  }
  const closed = { ...rowOf(balance), ...numbers, subaccount_id: subaccountId, currency, month };
  const row: ClosedMonth = { ...closed, closed_at_ms: String(nowMs), closed_by: actor.who };
  try {
    const entry = {
      action: "month.close",
      object: { kind: "month", id: `${month} ${currency}` },
      after: { opening: balance.opening, closing: balance.closing, last_number: row.last_number },
    };
    await audited({ db, seal }, actor).transaction(entry, (tx) => insertClosedMonth(tx, row));
  } catch (error) {
    throw isUniqueViolation(error, "closed_month_pkey") ? new Refusal("CONS803") : error;
  }
  return row;
}

function requireClosable({ closed, behind, drift }: ReconciledBalance): void {
  if (closed) throw new Refusal("CONS803");
  if (behind > 0) throw new Refusal("CONS805");
  if (drift !== 0) throw new Refusal("CONS804");
}

/** Every bank connection that moved money of the balance in the month is closed for it: then the bank agrees too. */
async function requireBanksClosed(db: Runner, range: TransferRange, month: string): Promise<void> {
  const moved = new Set(await listBankAccounts(db, range));
  for (const { id, name } of moved.size === 0 ? [] : await listConnections(db)) {
    if (!moved.has(`bank:${railIdOf(id)}`)) continue;
    const [last] = await listClosings(db, id, 1);
    if (last && last.month >= month) continue;
    throw new Refusal("CONS807", { message: `${name} is not closed for ${month}` });
  }
}

function rowOf(balance: ReconciledBalance) {
  const names = [
    ...(["opening", "funded", "paid", "returned", "fees", "reversed", "closing"] as const),
    ...(["available", "held", "clearing", "returns"] as const),
  ];
  return Object.fromEntries(names.map((name) => [name, String(balance[name])])) as Record<
    (typeof names)[number],
    string
  >;
}
