// Removes what was kept long enough, in pages of one transaction each. Events and the request log lose whole
// partitions instead, in their own workers.

import { firstIdOf } from "../../platform/base/index.ts";
import type { Db, Tx } from "../../platform/db/index.ts";
import type { Seal } from "../../platform/encryption/index.ts";
import { type Retention, retentionDayMs, retentionLimits } from "../../platform/retention/index.ts";
import { deletePayoutWords, lockSearchWords } from "../../platform/search-words/index.ts";
import { listEntriesBefore, redactEntries } from "../../tenants/audit/index.ts";
import { emptyTransferReferences, overwriteOldRows } from "./erasure-queries.ts";
import {
  type BankRowKind,
  deleteMetadata,
  emptyInboundLines,
  emptyOldFileNames,
  emptyOldReviews,
  findProgress,
  listFilesWithBytes,
  listLaterItems,
  listLaterPayouts,
  listOldBankRows,
  listOldPayouts,
  listSubaccountsWithOldPayouts,
  noSubaccount,
  type OldPage,
  type OldRow,
  type RetentionProgress,
  setProgress,
} from "./retention-queries.ts";

/** The kinds that this worker removes. */
export type RemovedKind = "payouts" | "bankFiles" | "audit" | "screening";

export type RetentionRun = {
  retention: Retention;
  nowMs: number;
  /** Rows of one transaction, and transactions of one kind. */
  page?: number;
  pagesMax?: number;
  onRemoved?: (kind: RemovedKind, rows: number) => void;
};

const firstId = "00000000-0000-0000-0000-000000000000";

/** The places that a payout has words in. */
const payoutTables = [
  "payout",
  "payout_history",
  "payout_hold",
  "payout_resolution",
  "payout_set_aside",
  "bank_recall",
  "bank_batch_line",
  "bank_match",
];

/** False: there is more for the next run. */
export async function enforceRetention(
  parts: { db: Db; seal: Seal },
  run: RetentionRun,
): Promise<boolean> {
  const { retention, nowMs, page: limit = retentionLimits.page } = run;
  const { pagesMax = retentionLimits.pagesMax, onRemoved = () => {} } = run;
  const pageOf = (kind: RemovedKind): Omit<OldPage, "afterId"> => {
    const beforeMs = nowMs - retention[kind] * retentionDayMs;
    return { beforeId: firstIdOf(Math.max(0, beforeMs)), beforeMs, limit };
  };
  const { db } = parts;
  const payouts = pageOf("payouts");
  const files = pageOf("bankFiles");
  const audit = pageOf("audit");
  const screening = pageOf("screening");
  const walks: [RemovedKind, (tx: Tx) => Promise<number>][] = [
    ...(await listSubaccountsWithOldPayouts(db, payouts.beforeId)).map(
      (id): [RemovedKind, (tx: Tx) => Promise<number>] => [
        "payouts",
        (tx) => emptyPayouts(tx, id, payouts),
      ],
    ),
    ["payouts", (tx) => emptyOldFileNames(tx, payouts)],
    ["bankFiles", (tx) => deleteBytes(tx, files)],
    ["bankFiles", (tx) => emptyBankRows(tx, "files", files)],
    ["bankFiles", (tx) => emptyBankRows(tx, "lines", files)],
    ["bankFiles", (tx) => emptyBankRows(tx, "items", files)],
    ["audit", (tx) => redactOldEntries({ tx, seal: parts.seal }, audit)],
    ["screening", (tx) => emptyOldReviews(tx, screening)],
  ];
  let isDone = true;
  for (const [kind, walk] of walks) {
    let rows = limit;
    for (let pages = 0; rows >= limit && pages < pagesMax; pages += 1) {
      rows = await db.transaction(walk);
      if (rows > 0) onRemoved(kind, rows);
    }
    if (rows >= limit) isDone = false;
  }
  return isDone;
}

type Bounds = Omit<OldPage, "afterId">;

/** Keeps amounts, dates and states: the books need them. */
async function emptyPayouts(tx: Tx, subaccountId: string, bounds: Bounds): Promise<number> {
  const progress = await findProgress(tx, { subaccountId, place: "payout" });
  return advance(tx, progress, {
    later: (ids) => listLaterPayouts(tx, subaccountId, ids, bounds.beforeMs),
    next: (afterId) => listOldPayouts(tx, subaccountId, { ...bounds, afterId }),
    async empty(payouts) {
      await lockSearchWords(tx, subaccountId, firstIdOf(bounds.beforeMs));
      await deletePayoutWords(tx, subaccountId, payouts);
      await overwriteOldRows(tx, payoutTables, { subaccount: subaccountId, payouts });
      await deleteMetadata(tx, subaccountId, payouts);
      await emptyTransferReferences(tx, subaccountId, payouts);
    },
  });
}

async function emptyBankRows(tx: Tx, kind: BankRowKind, bounds: Bounds): Promise<number> {
  const progress = await findProgress(tx, { subaccountId: noSubaccount, place: kind });
  const empty = {
    files: (ids: string[]) => emptyInboundLines(tx, ids),
    lines: (lines: string[]) => overwriteOldRows(tx, ["bank_statement_line"], { lines }),
    items: (items: string[]) =>
      overwriteOldRows(tx, ["bank_suspense_item", "bank_suspense_act"], { items }),
  };
  return advance(tx, progress, {
    later: (ids) => listLaterItems(tx, ids),
    next: (afterId) => listOldBankRows(tx, kind, { ...bounds, afterId }),
    empty: empty[kind],
  });
}

type Steps = {
  later: (ids: readonly string[]) => Promise<OldRow[]>;
  next: (afterId: string) => Promise<OldRow[]>;
  empty: (ids: string[]) => Promise<void>;
};

/** Goes one page further. Rows that are too young are looked at again in each run. Returns the rows of the page. */
async function advance(tx: Tx, progress: RetentionProgress, steps: Steps): Promise<number> {
  const later = progress.later.length > 0 ? await steps.later(progress.later) : [];
  const next = await steps.next(progress.afterKey || firstId);
  const rows = [...later, ...next];
  const due = rows.filter(({ is_due }) => is_due).map(({ id }) => id);
  if (due.length > 0) await steps.empty(due);
  if (due.length > 0 || next.length > 0) {
    await setProgress(tx, {
      ...progress,
      afterKey: next.at(-1)?.id ?? progress.afterKey,
      later: rows.filter(({ is_due }) => !is_due).map(({ id }) => id),
    });
  }
  return next.length;
}

/** The hash of a file to a bank stays with its batch, that of a file from a bank with the file. */
async function deleteBytes(tx: Tx, { beforeId, limit }: Bounds): Promise<number> {
  // A file has many chunks.
  const { batches, files } = await listFilesWithBytes(tx, { beforeId, limit });
  const tables = ["bank_batch_chunk", "bank_batch_encrypted_chunk", "bank_inbound_chunk"];
  await overwriteOldRows(tx, tables, { batches, files });
  return Math.max(batches.length, files.length);
}

/** Number, time, action, object and hashes stay, so the chain is still verified from its first entry. */
async function redactOldEntries(
  { tx, seal }: { tx: Tx; seal: Seal },
  { beforeMs, limit }: Bounds,
): Promise<number> {
  const progress = await findProgress(tx, { subaccountId: noSubaccount, place: "audit" });
  const after = Number(progress.afterKey || 0);
  const entries = await listEntriesBefore(tx, { after, beforeMs, limit });
  const last = entries.at(-1);
  if (!last) return 0;
  await redactEntries({ tx, seal }, entries, { withActor: true });
  await setProgress(tx, { ...progress, afterKey: String(last.number) });
  return entries.length;
}
