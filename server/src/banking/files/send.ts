// Sends approved bank files by SFTP. Before the first byte leaves, it is recorded where to, under which name and with
// which bytes; only then they leave, always the same. So a crash at any moment can't put a payout into two files.

import { createHash, randomUUID } from "node:crypto";
import type { AddressPolicy } from "../../platform/addresses/index.ts";
import { backoffMs, type Clock } from "../../platform/base/index.ts";
import type { Db, Tx } from "../../platform/db/index.ts";
import type { Seal } from "../../platform/encryption/index.ts";
import { limits } from "../../platform/limits/index.ts";
import type { BankSendOutcome, Metrics } from "../../platform/metrics/index.ts";
import { Refusal } from "../../platform/refusals/index.ts";
import type { BankConnection } from "../connections/index.ts";
import { openSftp, SftpProblem, type SftpSession, sftpPieceBytes } from "../sftp/index.ts";
import type { SftpSettings } from "../sftp-settings/index.ts";
import { type BankBatchRow, changeBatch, findBatch, lockBatch } from "./batch-queries.ts";
import { countInReview, inReviewText, requireNoReview } from "./in-review.ts";
import { recordSent } from "./release.ts";
import { bytesToSend, storeEncrypted } from "./send-bytes.ts";
import { type SendFailure, sendFailures } from "./send-failures.ts";
import {
  beginSend,
  claimNextSend,
  claimSendOf,
  markRenaming,
  releaseSend,
  renewSend,
  type SendRow,
} from "./send-queries.ts";
import { batchMoves, canMove } from "./states.ts";

export type SendParts = {
  db: Db;
  seal: Seal;
  addresses: AddressPolicy;
  clock: Clock;
  log: {
    info(context: object, message: string): void;
    warn(context: object, message: string): void;
  };
  metrics?: Metrics | undefined;
  /** Timeout of one call to the server. */
  callMs?: number;
  isStopping?(): boolean;
};

/** What went wrong. Where the file may be at the bank already, only a user can decide what comes next. */
class SendProblem extends Error {
  readonly outcome: SendFailure;
  readonly needsUser: boolean;
  constructor(outcome: SendFailure, detail: string, { needsUser }: { needsUser: boolean }) {
    super(`${sendFailures[outcome]}${detail}`);
    this.outcome = outcome;
    this.needsUser = needsUser;
  }
}

/** The batch is no longer this process's to send: another has sent it, or a user has discarded it. */
class SendOver extends Error {}

/** Sends all files of a connection that are due. */
export async function sendDue(parts: SendParts, connection: BankConnection): Promise<void> {
  const { sftp } = connection;
  if (!sftp) return;
  while (!parts.isStopping?.()) {
    const claim = newClaim(parts.clock());
    const row = await claimNextSend(parts.db, connection.id, claim);
    if (!row) return;
    const who = `rail:${connection.rail}`;
    await sendClaimed(parts, {
      connection,
      sftp,
      row,
      who,
      token: claim.token,
      isConfirmed: false,
    });
  }
}

/**
 * Sends one file now, for a user. `isConfirmed`: the user has made sure that the bank does not have it, so it also goes
 * when it is late, was downloaded, or has vanished from the server.
 */
export async function sendNow(
  parts: SendParts,
  connection: BankConnection,
  { id, who, isConfirmed }: { id: string; who: string; isConfirmed: boolean },
): Promise<{ outcome: BankSendOutcome; problem: string }> {
  const { sftp } = connection;
  if (!sftp) throw new Refusal("BANK452");
  const batch = await findBatch(parts.db, id);
  if (!batch) throw new Refusal("BANK101");
  if (batch.status === "frozen") throw new Refusal("BANK303");
  if (!canMove(batch.status, "send")) {
    throw new Refusal("BANK301", { message: `The batch is ${batch.status}` });
  }
  await requireNoReview(parts.db, id);
  const claim = newClaim(parts.clock());
  const row = await claimSendOf(parts.db, id, claim);
  if (!row) throw new Refusal("BANK451");
  const sending = { connection, sftp, row, who, token: claim.token, isConfirmed };
  const result = await sendClaimed(parts, sending);
  if (!result) throw new Refusal("BANK301");
  return result;
}

function newClaim(nowMs: number) {
  return { token: randomUUID(), nowMs, untilMs: nowMs + limits.bankSendLeaseMs };
}

type Sending = {
  connection: BankConnection;
  sftp: SftpSettings;
  row: SendRow;
  who: string;
  token: string;
  isConfirmed: boolean;
};

/** Undefined: it was not ours to send any more. */
async function sendClaimed(
  parts: SendParts,
  sending: Sending,
): Promise<{ outcome: BankSendOutcome; problem: string } | undefined> {
  const { connection, row, token } = sending;
  const { db, log, metrics, clock } = parts;
  const context = { connection: connection.id, batch: row.batch_id, tries: row.tries };
  try {
    const outcome = await sendFile(parts, sending);
    metrics?.bankSend(outcome);
    log.info({ ...context, outcome }, "banks: file is at the bank");
    return { outcome, problem: "" };
  } catch (error) {
    if (error instanceof SendOver) {
      await releaseSend(db, row.batch_id, { token, afterMs: clock(), problem: "" });
      return undefined;
    }
    const { outcome, message, needsUser } = problemOf(error);
    metrics?.bankSend(outcome);
    log.warn(
      { ...context, outcome, needsUser, ...(outcome === "failed" && { err: error }) },
      `banks: file was not sent: ${message}`,
    );
    const waitMs = backoffMs(limits.bankSendRetryMs, limits.bankSendRetryMaxMs, row.tries);
    const afterMs = needsUser ? undefined : clock() + waitMs;
    await releaseSend(db, row.batch_id, { token, afterMs, problem: message });
    return { outcome, problem: message };
  }
}

function problemOf(error: unknown): Pick<SendProblem, "outcome" | "message" | "needsUser"> {
  if (error instanceof SendProblem) return error;
  if (error instanceof SftpProblem) {
    return { outcome: error.failure, message: error.message, needsUser: false };
  }
  return {
    outcome: "failed",
    message: `${sendFailures.failed}: the log has the error`,
    needsUser: false,
  };
}

async function sendFile(parts: SendParts, sending: Sending): Promise<"sent" | "present"> {
  const { connection, sftp, row, who } = sending;
  const { db, addresses, callMs, clock } = parts;
  // Nothing has left until the server has shown its key and let us in.
  const session = await openSftp(sftp, { addresses, ...(callMs && { callMs }) });
  try {
    const { batch, send } = await startSending(parts, sending);
    const outcome = await putFile(parts, sending, { session, batch, send });
    await db.transaction(async (tx) => {
      const { status } = (await lockBatch(tx, row.batch_id)) as BankBatchRow;
      if (!canMove(status, "send")) throw new SendOver();
      const atMs = clock();
      await recordSent(tx, connection, { id: batch.id, bankReference: send.name, who, atMs });
      await releaseSend(tx, batch.id, { token: sending.token, afterMs: undefined, problem: "" });
    });
    return outcome;
  } finally {
    session.close();
  }
}

type Started = { batch: BankBatchRow; send: SendRow };

/** Records where the file goes, under which name and with which bytes, or reads it where that was recorded before. */
async function startSending(
  { db, seal, clock }: SendParts,
  { sftp, row, token, isConfirmed }: Sending,
): Promise<Started> {
  return db.transaction(async (tx) => {
    const batch = (await lockBatch(tx, row.batch_id)) as BankBatchRow;
    const untilMs = clock() + limits.bankSendLeaseMs;
    const send = await renewSend(tx, batch.id, { token, untilMs });
    if (!send) throw new SendOver();
    const destination = `sftp://${sftp.user}@${sftp.host}:${sftp.port}/${sftp.folder}`;
    if (batch.status === "sending") {
      if (send.destination === destination) return { batch, send };
      const detail = ` than when the file began to be sent to ${send.destination}`;
      throw new SendProblem("another_address", detail, { needsUser: true });
    }
    if (!canMove(batch.status, "start_sending")) throw new SendOver();
    requireAutomatic(batch, isConfirmed, clock());
    await stopForReview(tx, batch.id);
    const isEncrypted = sftp.pgp_public_key !== undefined;
    const file = isEncrypted
      ? await storeEncrypted({ tx, seal }, batch, sftp)
      : { sha256: batch.file_sha256, bytes: Number(batch.file_bytes) };
    const name = remoteName(sftp, batch) + (isEncrypted ? ".pgp" : "");
    const plan = { destination, name, is_encrypted: isEncrypted, ...file };
    const begun = await beginSend(tx, batch.id, plan);
    await changeBatch(tx, batch.id, { status: batchMoves.start_sending.to });
    return { batch, send: begun };
  });
}

function remoteName(
  { file_name }: SftpSettings,
  batch: Pick<BankBatchRow, "file_name" | "sequence" | "process_date">,
): string {
  if (file_name === "") return batch.file_name;
  return file_name
    .replaceAll("{sequence}", batch.sequence.padStart(6, "0"))
    .replaceAll("{date}", batch.process_date.replaceAll("-", ""));
}

function requireAutomatic(batch: BankBatchRow, isConfirmed: boolean, nowMs: number): void {
  if (isConfirmed) return;
  if (Number(batch.cutoff_ms) <= nowMs) {
    throw new SendProblem("late", ": the file is not sent by itself", { needsUser: true });
  }
  if (batch.downloaded_at_ms !== null) {
    throw new SendProblem("downloaded", ": it is not sent by itself", { needsUser: true });
  }
}

/** It is tried again: a user decides the review, or discards the batch. */
async function stopForReview(tx: Tx, batchId: string): Promise<void> {
  const count = await countInReview(tx, batchId);
  if (count > 0)
    throw new SendProblem("in_review", `: ${inReviewText(count)}`, { needsUser: false });
}

/** Makes sure that the server has the file under its name. */
async function putFile(
  parts: SendParts,
  sending: Sending,
  { session, batch, send }: Started & { session: SftpSession },
): Promise<"sent" | "present"> {
  const { clock } = parts;
  const { folder } = sending.sftp;
  const path = folder === "" ? send.name : `${folder.replace(/\/$/, "")}/${send.name}`;
  const temporary = `${path}.part`;
  const lease = leaseOf(parts, sending);

  const size = await session.sizeOf(path);
  if (size !== undefined) {
    if (
      size === Number(send.bytes) &&
      (await hashOf(lease.during(session.read(path)))) === send.sha256
    ) {
      return "present";
    }
    throw new SendProblem("another_file", ` ${send.name}`, { needsUser: true });
  }
  const mayHaveRenamed = send.renaming_at_ms !== null && !sending.isConfirmed;
  if (mayHaveRenamed && (await session.sizeOf(temporary)) === undefined) {
    throw new SendProblem("vanished", ": the bank may have taken it", { needsUser: true });
  }
  requireAutomatic(batch, sending.isConfirmed, clock());

  await session.write(temporary, lease.during(bytesToSend(parts, send)));
  const stored = (await session.sizeOf(temporary)) ?? 0;
  if (stored !== Number(send.bytes)) {
    const detail = ` ${stored} of ${send.bytes} bytes`;
    throw new SendProblem("stored_less", detail, { needsUser: false });
  }
  await lease.beforeRename();
  await session.rename(temporary, path);
  // Where the name is now is no proof: the bank may take the file away at once.
  if ((await session.sizeOf(temporary)) !== undefined) {
    throw new SftpProblem("refused", "it did not rename the file, and said that it did");
  }
  return "sent";
}

/** Only one process sends a file. Each renews its lease while bytes flow, and right before the rename. */
function leaseOf({ db, clock, isStopping }: SendParts, { row, token, isConfirmed }: Sending) {
  let untilMs = clock() + limits.bankSendLeaseMs;
  return {
    async *during(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, void> {
      for await (const part of inPieces(bytes)) {
        if (isStopping?.()) throw new SftpProblem("cut", "this process ends");
        if (untilMs - clock() < limits.bankSendRenewMs) {
          untilMs = clock() + limits.bankSendLeaseMs;
          if (!(await renewSend(db, row.batch_id, { token, untilMs }))) throw new SendOver();
        }
        yield part;
      }
    },
    /** Under the lock of the batch: a user who discards it comes before, or is refused. */
    async beforeRename(): Promise<void> {
      await db.transaction(async (tx) => {
        const batch = (await lockBatch(tx, row.batch_id)) as BankBatchRow;
        const nowMs = clock();
        untilMs = nowMs + limits.bankSendLeaseMs;
        const send = await renewSend(tx, row.batch_id, { token, untilMs });
        if (!send || batch.status !== "sending") throw new SendOver();
        requireAutomatic(batch, isConfirmed, nowMs);
        await stopForReview(tx, row.batch_id);
        await markRenaming(tx, row.batch_id, nowMs);
      });
    },
  };
}

/** So small that each is sent well within the lease. */
async function* inPieces(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, void> {
  for await (const part of bytes) {
    for (let from = 0; from < part.length; from += sftpPieceBytes) {
      yield part.subarray(from, from + sftpPieceBytes);
    }
  }
}

async function hashOf(bytes: AsyncIterable<Uint8Array>): Promise<string> {
  const digest = createHash("sha256");
  for await (const part of bytes) digest.update(part);
  return digest.digest("hex");
}
