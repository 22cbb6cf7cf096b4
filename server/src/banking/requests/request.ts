// What one user may not do alone with a live bank connection waits for a second user: a file that a user uploads, a
// decision about much money, the mapping for CSV statements. It is checked at once and applied when it is confirmed.

import { createHash } from "node:crypto";
import { defaultThresholds, listPayoutLimits } from "../../money/payouts/index.ts";
import { newId } from "../../platform/base/index.ts";
import type { Tx } from "../../platform/db/index.ts";
import type { Seal } from "../../platform/encryption/index.ts";
import { limits } from "../../platform/limits/index.ts";
import { Refusal } from "../../platform/refusals/index.ts";
import { requireOtherUser } from "../../tenants/four-eyes/index.ts";
import {
  addDecidedAlone,
  type BankRequestKind,
  type BankRequestRow,
  type BankRequestSummary,
  insertBankRequest,
  insertRequestChunk,
  isBankRequestWaiting,
  listRequestChunks,
  lockBankRequest,
} from "./queries.ts";

export const requestInputIdentity = (id: string) => `bank_request.input:${id}`;
export const requestChunkIdentity = (id: string, number: number) =>
  `bank_request_chunk:${id}:${number}`;

export type BankRequestToStore = {
  kind: BankRequestKind;
  connectionId: string;
  objectId: string;
  summary: BankRequestSummary;
  input: unknown;
  /** Of a file. */
  bytes?: Uint8Array;
  who: string;
  atMs: number;
};

/** Returns its id. */
export async function storeBankRequest(
  { tx, seal }: { tx: Tx; seal: Seal },
  request: BankRequestToStore,
): Promise<string> {
  const id = newId();
  const { kind, connectionId, objectId, summary, input, bytes, who, atMs } = request;
  try {
    await insertBankRequest(tx, {
      id,
      kind,
      connection_id: connectionId,
      object_id: objectId,
      summary,
      summary_sha256: summaryHashOf(summary),
      input_sealed: seal.encrypt(JSON.stringify(input), requestInputIdentity(id)),
      made_by: who,
      made_at_ms: atMs,
    });
  } catch (error) {
    throw isBankRequestWaiting(error) ? new Refusal("BANK504") : error;
  }
  if (bytes) await storeBytes({ tx, seal }, id, bytes);
  return id;
}

/** The second user confirms the summary that has this hash. */
export function summaryHashOf({ name, act, counts, sums, changes }: BankRequestSummary): string {
  const text = JSON.stringify([
    name,
    act,
    counts && [counts.lines, counts.applied, counts.noted, counts.suspended, counts.repeated],
    sums.map((sum) => [sum.kind, sum.subaccount_id, sum.currency, sum.count, sum.amount]),
    changes.map((change) => [change.field, change.before, change.after]),
  ]);
  return createHash("sha256").update(text).digest("hex");
}

async function storeBytes(
  { tx, seal }: { tx: Tx; seal: Seal },
  id: string,
  bytes: Uint8Array,
): Promise<void> {
  const size = limits.bankFileChunkChars;
  for (let number = 0; number * size < bytes.length; number += 1) {
    // Latin-1 gives every byte one character, so that the same bytes come back.
    const part = Buffer.from(bytes.subarray(number * size, (number + 1) * size)).toString("latin1");
    const sealed = seal.encrypt(part, requestChunkIdentity(id, number));
    await insertRequestChunk(tx, { requestId: id, number, sealed });
  }
}

export async function readRequestBytes(
  { db, seal }: { db: Parameters<typeof listRequestChunks>[0]; seal: Seal },
  id: string,
): Promise<Buffer> {
  const chunks = await listRequestChunks(db, id);
  return Buffer.concat(
    chunks.map(({ number, sealed }) =>
      Buffer.from(seal.decrypt(sealed, requestChunkIdentity(id, number)), "latin1"),
    ),
  );
}

/** What is applied when it is confirmed. Undefined where it can't be decrypted: then it can only be declined. */
export function readRequestInput(
  { id, input_sealed }: Pick<BankRequestRow, "id" | "input_sealed">,
  seal: Seal,
): unknown {
  const text = input_sealed && seal.decryptIfReadable(input_sealed, requestInputIdentity(id));
  return text ? JSON.parse(text) : undefined;
}

/** Locks a request that the user decides about. */
export async function lockWaitingBankRequest(tx: Tx, id: string): Promise<BankRequestRow> {
  const request = await lockBankRequest(tx, id);
  if (!request) throw new Refusal("CONS110");
  if (request.status === "waiting") return request;
  throw new Refusal("CONS401", { message: `The request was ${request.status} already` });
}

/** The same, for a user who confirms it: another one than its maker, who has seen what it does. */
export async function lockToConfirm(
  tx: Tx,
  { id, seen }: { id: string; seen: string },
  by: { who: string; atMs: number },
): Promise<BankRequestRow> {
  const request = await lockWaitingBankRequest(tx, id);
  await requireOtherUser(tx, [request.made_by], by);
  if (request.summary_sha256 !== seen) throw new Refusal("BANK505");
  return request;
}

/** `subaccountId`: whose balance it changes. */
export type DecidedMoney = { currency: string; amount: bigint; subaccountId: string | undefined };

/**
 * Whether one user may decide it alone: all that users decide alone on a day, in one currency, stays within the threshold.
 * It counts from now on, so a transaction that goes another way has to be rolled back.
 */
export async function mayDecideAlone(
  tx: Tx,
  { currency, amount, subaccountId }: DecidedMoney,
  atMs: number,
): Promise<boolean> {
  const all = defaultThresholds("live", currency).approvalAbove as bigint;
  const own = subaccountId && (await listPayoutLimits(tx, subaccountId));
  const { approvalAbove = all } = (own || []).find((one) => one.currency === currency) ?? {};
  const day = new Date(atMs).toISOString().slice(0, 10);
  const total = await addDecidedAlone(tx, { day, currency, amount });
  return total <= (approvalAbove < all ? approvalAbove : all);
}
