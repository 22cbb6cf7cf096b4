// Reads imports and payout batches: the list, and one of them.

import {
  batchTotalsOf,
  countWaitingRows,
  type FileImportRow,
  findBatchMakers,
  findFileImports,
  importLimits,
  listFailedOfBatch,
  listRefusals,
  listWaitingRows,
} from "../../../money/imports/index.ts";
import { idTimeMs, newestId, toSum } from "../../../platform/base/index.ts";
import { cutPage, type Db, type ListPage } from "../../../platform/db/index.ts";
import { limits } from "../../../platform/limits/index.ts";
import { type Code, Refusal, refusals } from "../../../platform/refusals/index.ts";
import { conflictsOf } from "../../../tenants/four-eyes/index.ts";
import type { User } from "../../../tenants/roles/index.ts";
import { pageSizeOf } from "../../lists/index.ts";
import { whyNotApprove } from "../why-not.ts";
import {
  type BatchReading,
  findBatchApprovers,
  findBatchMetadata,
  listBatchIds,
  listBatchStages,
} from "./queries.ts";
import type { BatchesQuery, PayoutBatchDetail, PayoutBatchLine } from "./schema.ts";

type Reading = { subaccountId: string; nowMs: number };

export async function readBatchPage(
  db: Db,
  reading: Reading,
  query: BatchesQuery,
): Promise<ListPage<PayoutBatchLine>> {
  const { subaccountId } = reading;
  const limit = Math.min(pageSizeOf(query), importLimits.batchesPageMax);
  const beforeId = query.cursor ?? newestId;
  const found = await listBatchIds(db, { subaccountId, beforeId, limit: limit + 1 });
  const { rows: ids, next } = await cutPage(found, limit, (id) => id);
  return { rows: await linesOf(db, reading, { ids, most: importLimits.batchSummedMax }), next };
}

export async function readBatch(
  db: Db,
  reading: Reading,
  id: string,
  { who, user }: { who: string; user: User },
): Promise<PayoutBatchDetail> {
  const { subaccountId } = reading;
  const [line] = await linesOf(db, reading, { ids: [id], most: null });
  if (!line) throw new Refusal("CONS110");
  const imports = await findFileImports(db, subaccountId, [id]);
  const rows = await listRefusals(db, { subaccountId, id }, { limit: limits.importProblemsMax });
  const waiting = await listWaitingRows(
    db,
    { subaccountId, id },
    { limit: limits.importProblemsMax },
  );
  const failed = await listFailedOfBatch(db, subaccountId, id);
  const metadata = await findBatchMetadata(db, { subaccountId, id });
  const approval = { who, in: subaccountId };
  const [conflict] = await conflictsOf(db, [[line.created_by]], approval);
  return {
    ...line,
    ...(metadata && { metadata }),
    retry_of: imports.get(id)?.retry_of ?? null,
    why_not: whyNotApprove(user, "payouts.approve", conflict),
    retryable: batchTotalsOf(failed).map(({ amount, ...total }) => ({
      ...total,
      amount: toSum(amount),
    })),
    refusals: rows.map(({ number, code, amount, currency, reference, first_name, last_name }) => ({
      row: number,
      code,
      message: refusals[code as Code]?.[1] ?? "",
      receiver: `${first_name ?? ""} ${last_name ?? ""}`.trim(),
      amount: amount === null ? null : toSum(BigInt(amount)),
      currency,
      reference,
    })),
    can_retry_rows: rows.some(({ receiver_id }) => receiver_id !== null),
    waiting_rows: waiting.map(({ number, receiver_id, amount, currency, reference, ...row }) => ({
      row: number,
      receiver_id: receiver_id ?? "",
      receiver: `${row.first_name ?? ""} ${row.last_name ?? ""}`.trim(),
      amount: toSum(BigInt(amount ?? 0)),
      currency: currency ?? "",
      reference,
      state: row.state,
    })),
  };
}

async function linesOf(
  db: Db,
  { subaccountId, nowMs }: Reading,
  { ids, most }: Pick<BatchReading, "ids" | "most">,
): Promise<PayoutBatchLine[]> {
  if (ids.length === 0) return [];
  // One more shows whether there are more.
  const batches = { subaccountId, ids, most: most === null ? null : most + 1 };
  const [imports, waiting, stages, makers, approvers] = await Promise.all([
    findFileImports(db, subaccountId, ids),
    countWaitingRows(db, subaccountId, ids),
    listBatchStages(db, batches),
    findBatchMakers(db, subaccountId, ids),
    findBatchApprovers(db, batches),
  ]);
  return ids.flatMap((id): PayoutBatchLine[] => {
    const file = imports.get(id);
    const maker = file?.who ?? makers.get(id);
    if (maker === undefined) return [];
    const own = stages.filter(({ batch_id }) => batch_id === id);
    const summed = own.reduce((sum, { payouts }) => sum + Number(payouts), 0);
    return [
      {
        id,
        kind: file?.kind ?? "api",
        created_at: idTimeMs(id),
        created_by: maker,
        approved_by: approvers.get(id) ?? [],
        stages: own.map(({ currency, stage, payouts, amount }) => ({
          currency,
          stage,
          payouts: Number(payouts),
          amount: toSum(BigInt(amount)),
        })),
        is_partial: most !== null && summed > most,
        file: file ? presentFile(file, nowMs, waiting.get(id)) : null,
      },
    ];
  });
}

function presentFile(
  file: FileImportRow,
  nowMs: number,
  { rows: waiting, ready: waiting_ready } = { rows: 0, ready: 0 },
): PayoutBatchLine["file"] {
  const { file_name: name, rows, created, already_imported, refused } = file;
  const isDone = created + already_imported + refused === rows;
  // A process that was killed could not say that the import has ended.
  const isSilent = nowMs - Number(file.updated_at_ms) > importLimits.silentMs;
  const hasStopped = file.ended_at_ms !== null || isSilent;
  const state = isDone ? "done" : hasStopped ? "stopped" : "running";
  return { name, rows, created, already_imported, refused, state, waiting, waiting_ready };
}
