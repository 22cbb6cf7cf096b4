// Creates many payouts with one call: all of them or none. Every row is checked before any is made.

import type { Tx } from "../db/connect.ts";
import { newId } from "../ids.ts";
import { limits } from "../limits.ts";
import { type Problem, Refusal } from "../refusals.ts";
import type { Caller } from "../subaccounts/subaccount.ts";
import { insertApprovalReasons } from "./approval-reason-queries.ts";
import { decide, lockBook, type PayoutParts, toCreation, toProblem } from "./create.ts";
import type { PayoutWish } from "./payout.ts";
import { insertPayouts } from "./queries.ts";
import type { CreatedPayoutBatch } from "./schema.ts";

export async function createBatch(
  tx: Tx,
  rails: PayoutParts["rails"],
  caller: Caller,
  wishes: readonly PayoutWish[],
): Promise<CreatedPayoutBatch> {
  const batchId = newId();
  // The call as a whole has used up its nonce and its key.
  const each = { ...caller, nonce: undefined, idempotency: undefined };
  const totals = new Map<string, bigint>();
  for (const { currency, amount } of wishes) {
    totals.set(currency, (totals.get(currency) ?? 0n) + amount);
  }
  const asked = wishes.map((wish) => ({ caller: each, wish }));
  const book = await lockBook(tx, asked);
  const ids: string[] = [];
  const problems: Problem[] = [];
  // In chunks, so that other requests have their turn in between. It is one transaction: after the first problem
  // nothing is written any more, and what was written is rolled back.
  for (let start = 0; start < asked.length; start += limits.payoutBatchChunk) {
    const chunk = asked
      .slice(start, start + limits.payoutBatchChunk)
      .map(({ wish }) =>
        toCreation(each, wish, { batchId, batchTotal: totals.get(wish.currency) }),
      );
    ids.push(...chunk.map(({ id }) => id));
    const { outcomes, toInsert, approvals, day } = await decide(tx, rails, book, chunk);
    for (const [index, outcome] of outcomes.entries()) {
      if (typeof outcome !== "object" || !("refused" in outcome)) continue;
      const found = toProblem(outcome);
      problems.push({ ...found, field: fieldOf(start + index, found.field) });
    }
    if (problems.length > 0) continue;
    await insertPayouts(tx, toInsert, day);
    await insertApprovalReasons(tx, toInsert, approvals);
  }
  refuseAll(problems);
  return {
    batch_id: batchId,
    payouts: ids.map((id) => ({ payout_id: id, status: "pending" })),
  };
}

/** Which row, and which of its fields where it is one. */
export function fieldOf(row: number, field?: string): string {
  return field === undefined ? `payouts[${row}]` : `payouts[${row}].${field}`;
}

export function refuseAll(problems: readonly Problem[]): void {
  const [first, ...rest] = problems.slice(0, limits.problemsMax);
  if (first) throw new Refusal([first, ...rest]);
}
