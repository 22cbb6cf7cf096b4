// Creates a payout batch: all of its payouts or none. Every row is checked by all rules, also where another is wrong.

import { type Caller, newId } from "../../platform/base/index.ts";
import type { Tx } from "../../platform/db/index.ts";
import { limits } from "../../platform/limits/index.ts";
import { type Metadata, writeMetadata } from "../../platform/metadata/index.ts";
import type { RailDirectory } from "../rails/index.ts";
import { countBatch } from "./batch-end-queries.ts";
import { type BatchRows, fieldOf, refuseAll } from "./batch-rows.ts";
import { toPayoutCreation } from "./create.ts";
import { decide, lockBook } from "./decide.ts";
import { insertDecided } from "./insert-decided.ts";
import { toProblem } from "./problems.ts";
import type { CreatedPayoutBatch } from "./schema.ts";

export async function createBatch(
  tx: Tx,
  rails: RailDirectory,
  caller: Caller,
  { sound, problems: inForm }: BatchRows,
  /** Called after each chunk with the time that it took. */
  pace: (chunkMs: number) => Promise<void> = async () => {},
  metadata?: Metadata | undefined,
): Promise<CreatedPayoutBatch> {
  // The batch as a whole has used up the nonce and the idempotency key.
  const each = { ...caller, nonce: undefined, idempotency: undefined };
  const totals = new Map<string, bigint>();
  for (const { request } of sound) {
    const { currency, amount } = request;
    totals.set(currency, (totals.get(currency) ?? 0n) + amount);
  }
  const requested = sound.map(({ row, request }) => ({ caller: each, row, request }));
  const book = await lockBook(tx, requested);
  // Made under the lock, because ids carry the time and the wait for the lock may have been long.
  const batchId = newId();
  const ids: string[] = [];
  const problems = [...inForm];
  // In chunks, so that other requests run in between. All chunks are one transaction: after the first problem nothing
  // more is written, and the refusal rolls back the rest.
  for (let start = 0; start < requested.length; start += limits.payoutBatchChunk) {
    if (problems.length >= limits.problemsMax) break;
    const startedMs = performance.now();
    const rows = requested.slice(start, start + limits.payoutBatchChunk);
    const chunk = rows.map(({ request }) =>
      toPayoutCreation(each, request, { batchId, batchTotal: totals.get(request.currency) }),
    );
    ids.push(...chunk.map(({ id }) => id));
    const decisions = await decide(tx, rails, book, chunk);
    for (const [index, outcome] of decisions.outcomes.entries()) {
      if (typeof outcome !== "object" || !("refused" in outcome)) continue;
      const found = toProblem(outcome);
      problems.push({ ...found, field: fieldOf(rows[index]?.row as number, found.field) });
    }
    if (problems.length > 0) continue;
    await insertDecided(tx, decisions);
    await pace(performance.now() - startedMs);
  }
  refuseAll(problems);
  await countBatch(tx, { subaccountId: caller.subaccountId, id: batchId, payouts: ids.length });
  if (metadata)
    await writeMetadata(tx, "batch", [
      { subaccountId: caller.subaccountId, id: batchId, metadata },
    ]);
  return {
    batch_id: batchId,
    payouts: ids.map((id) => ({ payout_id: id, status: "pending" })),
  };
}
