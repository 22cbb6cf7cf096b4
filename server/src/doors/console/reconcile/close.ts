// Closes a month: stores its figures for good. Later verifications compare the books with them.

import Type from "typebox";
import { listConnections, railIdOf } from "../../../banking/connections/index.ts";
import { listClosings } from "../../../banking/statements/index.ts";
import { insertClosedMonth } from "../../../money/ledger/index.ts";
import { isUniqueViolation, type Runner } from "../../../platform/db/index.ts";
import { input, monthPattern, required } from "../../../platform/fields/index.ts";
import { Refusal } from "../../../platform/refusals/index.ts";
import { type ActParts, call, callerOf } from "../../../tenants/acts/index.ts";
import { audited } from "../../../tenants/audit/index.ts";
import { insertRequestedEvent, monthClosed } from "../../../webhooks/events/index.ts";
import { isOver, monthOf } from "./period.ts";
import { findEndBefore, listBankAccounts, type TransferRange } from "./queries.ts";
import { type ReconcileParts, reconcile } from "./reconcile.ts";
import { ClosedAnswer, type ReconciledBalance } from "./schema.ts";

export const closeMonthAct = call({
  name: "month.close",
  summary: "close a month of a balance: its figures are stored for good",
  object: "month",
  may: "months.close",
  stepUp: true,
  in: "subaccount",
  doors: ["console"],
  input: input({
    month: required(Type.String({ pattern: monthPattern })),
    currency: required(Type.String({ format: "currency" })),
  }),
  output: ClosedAnswer,
  async perform(parts: ActParts & ReconcileParts, by, { month, currency }) {
    const { db, seal, clock } = parts;
    const { actor } = by;
    const { subaccountId, mode } = callerOf(by);
    const period = monthOf(month);
    const nowMs = clock();
    if (!isOver(period, nowMs)) throw new Refusal("CONS802");
    const { balances } = await reconcile(parts, { subaccountId, currency, period });
    const [balance] = balances;
    if (!balance) throw new Refusal("CONS110");
    requireClosable(balance);
    const key = { subaccountId, currency };
    // A past month gets no more transfers, so these numbers still belong to the figures above.
    const before = await findEndBefore(db, key, period.fromMs);
    const last = await findEndBefore(db, key, period.toMs);
    const after_number = before?.last_number ?? "0";
    const last_number = last?.last_number ?? "0";
    if (mode === "live") {
      await requireBanksClosed(db, { ...key, after: after_number, upTo: last_number }, month);
    }
    const { opening, closing } = balance;
    const closed = { at: nowMs, by: actor.who };
    try {
      const object = { kind: "month", id: `${month} ${currency}` };
      const entry = { action: "month.close", object, after: { opening, closing, last_number } };
      const figures = { subaccountId, month, currency, closing: BigInt(closing), atMs: nowMs };
      const event = { ...monthClosed(figures), subaccountId, orderKey: subaccountId, atMs: nowMs };
      await audited({ db, seal }, actor).transaction(entry, async (tx) => {
        await insertRequestedEvent(tx, event);
        await insertClosedMonth(tx, {
          ...rowOf(balance),
          after_number,
          last_number,
          subaccount_id: subaccountId,
          currency,
          month,
          closed_at_ms: String(closed.at),
          closed_by: closed.by,
        });
      });
    } catch (error) {
      throw isUniqueViolation(error, "closed_month_pkey") ? new Refusal("CONS803") : error;
    }
    return { month, currency, closing, closed };
  },
});

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
