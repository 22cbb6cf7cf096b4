// A user freezes, reads, approves, downloads, sends or discards a bank file. Each act is in the audit log.

import {
  type BankConnection,
  openWindow,
  requireConnection,
} from "../../../banking/connections/index.ts";
import {
  approveBatch,
  type BankBatchRow,
  discardBatch,
  downloadBatch,
  findBatch,
  freezeBatches,
  readFilePart,
  recordRead,
  recordSent,
} from "../../../banking/files/index.ts";
import { Refusal } from "../../../platform/refusals/index.ts";
import { type Actor, audited } from "../../../tenants/audit/index.ts";
import type { WriteParts } from "../write-parts.ts";
import type { ApprovedBatch, DiscardedBatch, RawText } from "./schema.ts";

const objectOf = (id: string) => ({ kind: "bank_batch", id });

/** Returns the ids of the batches. None: no payout waits. */
export async function freezeNow(
  { db, seal, clock }: WriteParts,
  actor: Actor,
  connectionId: string,
): Promise<string[]> {
  const connection = await requireConnection({ db, seal }, connectionId);
  const atMs = clock();
  const noted = audited({ db, seal }, actor).db<string | undefined>((id) =>
    id === undefined ? undefined : { action: "bank-batch.freeze", object: objectOf(id) },
  );
  const freezing = { who: actor.who, atMs, window: openWindow(connection, atMs) };
  return freezeBatches({ db: noted, seal }, connection, freezing);
}

/** A part of the file as it is, with whole account numbers. The audit entry is committed before it is shown. */
export async function readRaw(
  { db, seal, clock }: WriteParts,
  actor: Actor,
  { id, part }: { id: string; part: number },
): Promise<RawText> {
  return audited({ db, seal }, actor).transaction(
    { action: "bank-batch.view", object: objectOf(id), after: { part } },
    async (tx) => {
      await recordRead(tx, id, clock());
      const text = await readFilePart({ db: tx, seal }, id, part);
      if (text === undefined) throw new Refusal("CONS110");
      const next = await readFilePart({ db: tx, seal }, id, part + 1);
      return { text, part, has_next: next !== undefined };
    },
  );
}

export async function approveFile(
  { db, seal, clock }: WriteParts,
  actor: Actor,
  { id, sha256 }: { id: string; sha256: string },
): Promise<ApprovedBatch> {
  const { row } = await connectionOf({ db, seal }, id);
  const missing = await audited({ db, seal }, actor).transaction(
    { action: "bank-batch.approve", object: objectOf(id), after: { sha256 } },
    (tx) => approveBatch(tx, { id, row }, { who: actor.who, atMs: clock(), sha256 }),
  );
  return { approvals_missing: missing };
}

/** Committed before the first byte leaves: from then on the file may be at the bank. */
export function recordDownload(
  { db, seal, clock }: WriteParts,
  actor: Actor,
  id: string,
): Promise<BankBatchRow> {
  return audited({ db, seal }, actor).transaction<BankBatchRow>(
    ({ file_sha256: sha256 }) => ({
      action: "bank-batch.download",
      object: objectOf(id),
      after: { sha256 },
    }),
    (tx) => downloadBatch(tx, id, { who: actor.who, atMs: clock() }),
  );
}

export async function recordUpload(
  { db, seal, clock }: WriteParts,
  actor: Actor,
  { id, bankReference }: { id: string; bankReference: string },
): Promise<void> {
  const connection = await connectionOf({ db, seal }, id);
  await audited({ db, seal }, actor).transaction(
    { action: "bank-batch.sent", object: objectOf(id), after: { bankReference } },
    (tx) => recordSent(tx, connection, { id, bankReference, who: actor.who, atMs: clock() }),
  );
}

export async function discardFile(
  { db, seal, clock }: WriteParts,
  actor: Actor,
  { id, words }: { id: string; words: string | undefined },
): Promise<DiscardedBatch> {
  const connection = await connectionOf({ db, seal }, id);
  const outcome = await audited({ db, seal }, actor).transaction<DiscardedBatch["outcome"]>(
    (outcome) => ({ action: "bank-batch.discard", object: objectOf(id), after: { outcome } }),
    (tx) => discardBatch(tx, connection, { id, words, who: actor.who, atMs: clock() }),
  );
  return { outcome };
}

async function connectionOf(
  parts: Pick<WriteParts, "db" | "seal">,
  batchId: string,
): Promise<BankConnection> {
  const batch = await findBatch(parts.db, batchId);
  if (!batch) throw new Refusal("BANK101");
  return requireConnection(parts, batch.connection_id);
}
