// Payouts of the past, for tests: written by the service's own statements, at times that the test chooses.

import { randomUUID } from "node:crypto";
import { fund } from "../../src/money/ledger/fund.ts";
import { findPayouts } from "../../src/money/payouts/list-queries.ts";
import { type MoveRequest, toPayoutMove } from "../../src/money/payouts/move.ts";
import { movePayouts } from "../../src/money/payouts/move-queries.ts";
import { dayOf } from "../../src/money/payouts/payout.ts";
import { insertPayouts, type PayoutToInsert } from "../../src/money/payouts/queries.ts";
import type { MoveName } from "../../src/money/payouts/states.ts";
import { firstIdOf } from "../../src/platform/base/cursor.ts";
import { newId } from "../../src/platform/base/ids.ts";
import { ada, addAccount, type Service, type TestCaller } from "./service.ts";

const dayMs = 86_400_000;
export const september = Date.UTC(2026, 8);
export const october = Date.UTC(2026, 9);

export type Past = Awaited<ReturnType<typeof pastOf>>;

/** A subaccount's past: a receiver to pay, and payouts at chosen times. */
export async function pastOf(
  { db, seal }: Pick<Service, "db" | "seal">,
  { disburse, subaccountId }: TestCaller,
) {
  const { receiver_id: receiverId } = await disburse.receivers.create(ada());
  const accountId = await addAccount({ db, seal }, subaccountId, receiverId);
  const who = "service";

  return {
    receiverId,
    async fund(atMs: number, amount: number, currency = "AUD"): Promise<string> {
      const reference = randomUUID();
      const funding = { subaccountId, currency, amount: BigInt(amount), reference, who, atMs };
      return db.transaction((tx) => fund(tx, funding));
    },
    /** Creates a payout at a chosen time and returns its id. */
    async make(atMs: number, amount: number, currency = "AUD", fee = 0): Promise<string> {
      const id = firstIdOf(atMs).slice(0, 14) + randomUUID().replace(/^.{14}./, "7");
      const row: PayoutToInsert = {
        subaccount_id: subaccountId,
        id,
        batch_id: undefined,
        receiver_id: receiverId,
        account_id: accountId,
        account_version: 1,
        amount: String(amount),
        currency,
        reference: id,
        note: "",
        stage: "queued",
        rail: "sandbox",
        created_by: who,
        created_at_ms: atMs,
        due_at_ms: undefined,
        event_id: newId(),
        event_body: "{}",
        send_on: "",
        statement_reference: "",
        purpose: "",
        process_date: "",
        expected_arrival: "",
        transfer_id: newId(),
        ...(fee > 0 && { fee: String(fee), fee_transfer_id: newId() }),
      };
      await db.transaction((tx) =>
        insertPayouts(tx, [row], { day: dayOf(atMs), counts: undefined, dayTotals: [] }),
      );
      return id;
    },
    /** Whether the payout was moved. */
    async move(id: string, move: MoveName, atMs: number, cause = ""): Promise<boolean> {
      const [payout] = await findPayouts(db, [{ subaccountId, id }]);
      if (!payout) throw new Error("no such payout");
      const request: MoveRequest = { move, who, reason: cause, cause, atMs };
      const moved = await movePayouts(db, [
        toPayoutMove({ ...payout, subaccount_id: subaccountId }, request),
      ]);
      return moved.has(id);
    },
  };
}

/** Two months whose sums are easy to check: funded in September, paid in both months, returned in October. */
export async function twoMonthsOf(service: Pick<Service, "db" | "seal">, caller: TestCaller) {
  const past = await pastOf(service, caller);
  await past.fund(september, 10_000);
  await past.fund(september, 500, "NZD");
  const paid = await past.make(september + dayMs, 1_000);
  await past.move(paid, "submit", september + dayMs);
  await past.move(paid, "settle", september + 2 * dayMs);
  const cancelled = await past.make(september + 3 * dayMs, 70);
  await past.move(cancelled, "cancel", september + 3 * dayMs, "changed my mind");
  const sent = await past.make(october - 1, 200);
  await past.move(sent, "submit", october - 1);
  await past.move(sent, "settle", october);
  await past.move(paid, "return", october + dayMs, "account closed");
  await past.make(october + dayMs, 30);
  return { past, paid, sent };
}
