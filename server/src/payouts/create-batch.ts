// Creates many payouts with one call: all of them or none. Every row is checked before any is made, by the rules as well
// where another row's form is wrong.

import type { Caller } from "../caller.ts";
import type { Tx } from "../db/connect.ts";
import { newId } from "../ids.ts";
import { limits } from "../limits.ts";
import type { RailDirectory } from "../rails/directory.ts";
import { insertApprovalReasons } from "./approval-reason-queries.ts";
import { type BatchRows, fieldOf, refuseAll } from "./batch-rows.ts";
import { decide, lockBook, toPayoutCreation, toProblem } from "./create.ts";
import { insertPayouts } from "./queries.ts";
import type { CreatedPayoutBatch } from "./schema.ts";

export async function createBatch(
  tx: Tx,
  rails: RailDirectory,
  caller: Caller,
  { sound, problems: inForm }: BatchRows,
  /** Called after each chunk with the time that it took. */
  pace: (chunkMs: number) => Promise<void> = async () => {},
): Promise<CreatedPayoutBatch> {
  // The call as a whole has used up its nonce and its key.
  const each = { ...caller, nonce: undefined, idempotency: undefined };
  const totals = new Map<string, bigint>();
  for (const { wish } of sound) {
    const { currency, amount } = wish;
    totals.set(currency, (totals.get(currency) ?? 0n) + amount);
  }
  const asked = sound.map(({ row, wish }) => ({ caller: each, row, wish }));
  const book = await lockBook(tx, asked);
  // Under the lock, since ids carry the time: who held it may have taken long.
  const batchId = newId();
  const ids: string[] = [];
  const problems = [...inForm];
  // In chunks, so that other requests have their turn in between. It is one transaction: after the first problem
  // nothing is written any more, and what was written is rolled back.
  for (let start = 0; start < asked.length; start += limits.payoutBatchChunk) {
    if (problems.length >= limits.problemsMax) break;
    const startedMs = performance.now();
    const rows = asked.slice(start, start + limits.payoutBatchChunk);
    const chunk = rows.map(({ wish }) =>
      toPayoutCreation(each, wish, { batchId, batchTotal: totals.get(wish.currency) }),
    );
    ids.push(...chunk.map(({ id }) => id));
    const { outcomes, toInsert, approvals, day } = await decide(tx, rails, book, chunk);
    for (const [index, outcome] of outcomes.entries()) {
      if (typeof outcome !== "object" || !("refused" in outcome)) continue;
      const found = toProblem(outcome);
      problems.push({ ...found, field: fieldOf(rows[index]?.row as number, found.field) });
    }
    if (problems.length > 0) continue;
    await insertPayouts(tx, toInsert, day);
    await insertApprovalReasons(tx, toInsert, approvals);
    await pace(performance.now() - startedMs);
  }
  refuseAll(problems);
  return {
    batch_id: batchId,
    payouts: ids.map((id) => ({ payout_id: id, status: "pending" })),
  };
}
