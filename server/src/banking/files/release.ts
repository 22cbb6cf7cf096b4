// Releases a bank file: approve its hash, download it, record that it was sent, or discard it.

import {
  holdPayoutsOf,
  movePayouts,
  movePayoutsAlike,
  toPayoutMove,
} from "../../money/payouts/index.ts";
import type { Tx } from "../../platform/db/index.ts";
import { Refusal } from "../../platform/refusals/index.ts";
import { isPerson } from "../../tenants/audit/index.ts";
import { requireOtherUser } from "../../tenants/four-eyes/index.ts";
import { type BankConnection, scheduleOf, successAtMs } from "../connections/index.ts";
import { requireFileBytes } from "./batch-file.ts";
import { keysOfBatch, pagesOfBatch } from "./batch-payouts.ts";
import {
  type BankBatchRow,
  changeBatch,
  clearDiscardRequest,
  listReceiversInReview,
  lockBatch,
} from "./batch-queries.ts";
import { requireNoReview } from "./in-review.ts";
import { isBeingSent } from "./send-queries.ts";
import { type BatchMoveName, batchMoves, batchStatuses, canMove } from "./states.ts";

export type Releasing = { who: string; atMs: number };

/** The words that a user types to discard a file that may be at the bank. */
export const notAtTheBank = "not at the bank";

async function lockFor(tx: Tx, id: string, move: BatchMoveName): Promise<BankBatchRow> {
  const batch = await lockBatch(tx, id);
  if (!batch) throw new Refusal("BANK101");
  if (canMove(batch.status, move)) return batch;
  throw new Refusal("BANK301", { message: `The batch is ${batch.status}` });
}

/** How many more users have to approve the file. Who froze it counts as the first, and never approves it. */
export function approvalsMissing(
  { frozen_by, approved_by }: Pick<BankBatchRow, "frozen_by" | "approved_by">,
  { releasers }: Pick<BankConnection["row"], "releasers">,
): number {
  return Math.max(releasers - approved_by.length - (isPerson(frozen_by) ? 1 : 0), 0);
}

/**
 * Approves the bytes, by their hash. Returns how many more users have to approve them.
 */
export async function approveBatch(
  tx: Tx,
  { id, row }: Pick<BankConnection, "row"> & { id: string },
  { who, atMs, sha256 }: Releasing & { sha256: string },
): Promise<number> {
  const batch = await lockFor(tx, id, "approve");
  await requireNoReview(tx, id);
  if (batch.file_sha256 !== sha256.toLowerCase()) throw new Refusal("BANK302");
  const makers = [batch.frozen_by, ...batch.approved_by];
  await requireOtherUser(tx, makers, { who, mode: row.mode });
  const approved_by = [...batch.approved_by, who];
  const missing = approvalsMissing({ ...batch, approved_by }, row);
  const status = missing === 0 ? batchMoves.approve.to : batch.status;
  await changeBatch(tx, id, { status, approved_by, approved_at_ms: atMs });
  return missing;
}

/** Records the download: from now on the file may be at the bank. Its bytes are read with `readFile`. */
export async function downloadBatch(
  tx: Tx,
  id: string,
  { who, atMs }: Releasing,
): Promise<BankBatchRow> {
  const batch = await lockBatch(tx, id);
  if (!batch) throw new Refusal("BANK101");
  if (batch.status === "frozen") throw new Refusal("BANK303");
  if (batch.status === "discarded") throw new Refusal("BANK301", { message: discardedText });
  if (await isBeingSent(tx, id, atMs)) throw new Refusal("BANK451");
  await requireFileBytes(tx, id);
  // Downloaded bytes may leave at any time.
  if (batchStatuses[batch.status] === "open") await requireNoReview(tx, id);
  await changeBatch(tx, id, { downloaded_by: who, downloaded_at_ms: atMs });
  return batch;
}

const discardedText = "The batch is discarded";

/** A user reads the bytes: they could give them to the bank, so from now on discarding the file takes two users. */
export async function recordRead(tx: Tx, id: string, atMs: number): Promise<void> {
  const batch = await lockBatch(tx, id);
  if (!batch) throw new Refusal("BANK101");
  // Its payouts go in another file: these bytes would pay them twice.
  if (batch.status === "discarded") throw new Refusal("BANK301", { message: discardedText });
  if (batchStatuses[batch.status] === "open") await changeBatch(tx, id, { read_at_ms: atMs });
}

/** The bank has the file: its payouts are in progress. */
export async function recordSent(
  tx: Tx,
  connection: BankConnection,
  { id, bankReference, who, atMs }: Releasing & { id: string; bankReference: string },
): Promise<void> {
  const batch = await lockFor(tx, id, "send");
  const sent = { processDate: batch.process_date, sentAtMs: atMs };
  const request = {
    move: "send",
    who,
    atMs,
    reason: "the bank has the file",
    providerReference: bankReference,
    dueAtMs: successAtMs(connection, sent),
  } as const;
  for await (const keys of keysOfBatch(tx, id)) {
    await movePayoutsAlike(tx, keys, request);
  }
  await changeBatch(tx, id, {
    status: batchMoves.send.to,
    sent_by: who,
    sent_at_ms: atMs,
    bank_reference: bankReference,
  });
}

/** Its bytes were downloaded or read, or are leaving. */
export function mayHaveLeft({
  downloaded_at_ms,
  read_at_ms,
  status,
}: Pick<BankBatchRow, "downloaded_at_ms" | "read_at_ms" | "status">): boolean {
  return downloaded_at_ms !== null || read_at_ms !== null || status === "sending";
}

/**
 * Puts the payouts back into the queue. A file that may have left needs two users, who both say that it is not at the
 * bank: otherwise its payouts would be paid twice. Returns whether it is discarded, or waits for the second user.
 */
export async function discardBatch(
  tx: Tx,
  connection: BankConnection,
  { id, words, who, atMs }: Releasing & { id: string; words: string | undefined },
): Promise<"discarded" | "waits"> {
  const batch = await lockFor(tx, id, "discard");
  if (await isBeingSent(tx, id, atMs)) throw new Refusal("BANK451");
  if (mayHaveLeft(batch)) {
    if (words !== notAtTheBank) throw new Refusal("BANK304");
    if (batch.discard_by === "") {
      await changeBatch(tx, id, { discard_by: who, discard_asked_at_ms: atMs });
      return "waits";
    }
    await requireOtherUser(tx, [batch.discard_by], { who, mode: connection.row.mode });
  }
  const reason = `the file ${batch.file_name} was discarded`;
  const inReview = await listReceiversInReview(tx, id);
  for await (const page of pagesOfBatch(tx, id)) {
    const moved = await movePayouts(
      tx,
      page.map((row) => {
        const schedule = scheduleOf(connection, atMs, row.send_on);
        return toPayoutMove(row, { move: "unbatch", who, atMs, reason, ...schedule });
      }),
    );
    if (moved.size !== page.length) throw new Error("a payout of an open batch must move");
  }
  for (const receiver of inReview) {
    await holdPayoutsOf(tx, receiver, { who, atMs, reason: { kind: "screening" } });
  }
  await changeBatch(tx, id, {
    status: batchMoves.discard.to,
    discard_by: batch.discard_by || who,
    discarded_at_ms: atMs,
  });
  return "discarded";
}

/** No second user has confirmed it in time: the file stays. Returns who asked; undefined if it was asked later, or ended. */
export async function expireDiscard(
  tx: Tx,
  id: string,
  beforeMs: number,
): Promise<string | undefined> {
  const batch = await lockBatch(tx, id);
  if (!batch || batchStatuses[batch.status] !== "open" || batch.discard_by === "") return undefined;
  if (Number(batch.discard_asked_at_ms) > beforeMs) return undefined;
  await clearDiscardRequest(tx, id);
  return batch.discard_by;
}
