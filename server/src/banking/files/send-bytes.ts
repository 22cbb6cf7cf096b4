// The bytes that leave for the bank: the approved file, or that file encrypted once for the bank.

import { createHash } from "node:crypto";
import type { Runner, Tx } from "../../platform/db/index.ts";
import type { Seal } from "../../platform/encryption/index.ts";
import { limits } from "../../platform/limits/index.ts";
import { encryptForBank } from "../pgp/index.ts";
import type { SftpSettings } from "../sftp-settings/index.ts";
import { readFile } from "./batch-file.ts";
import type { BankBatchRow } from "./batch-queries.ts";
import { findEncryptedChunk, insertEncryptedChunk, type SendRow } from "./send-queries.ts";

type ReadParts = { db: Runner; seal: Seal };

async function* plainBytes(parts: ReadParts, batchId: string): AsyncGenerator<Buffer, void, void> {
  for await (const text of readFile(parts, batchId)) yield Buffer.from(text);
}

/** Passes bytes on, and fails at their end unless they have the hash. */
export async function* withHash(
  sha256: string,
  bytes: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void, void> {
  const digest = createHash("sha256");
  for await (const part of bytes) {
    digest.update(part);
    yield part;
  }
  if (digest.digest("hex") !== sha256) throw new Error("a bank file has other bytes than approved");
}

/** Encrypts the approved bytes for the bank and keeps the result. */
export async function storeEncrypted(
  { tx, seal }: { tx: Tx; seal: Seal },
  { id, file_sha256 }: Pick<BankBatchRow, "id" | "file_sha256">,
  settings: SftpSettings,
): Promise<{ sha256: string; bytes: number }> {
  const digest = createHash("sha256");
  let [pending, waiting, chunks, bytes]: [Uint8Array[], number, number, number] = [[], 0, 0, 0];
  async function flush(): Promise<void> {
    const chunk = Buffer.concat(pending);
    [pending, waiting] = [[], 0];
    digest.update(chunk);
    bytes += chunk.length;
    await insertEncryptedChunk(tx, { batchId: id, number: chunks, bytes: chunk });
    chunks += 1;
  }
  const plain = withHash(file_sha256, plainBytes({ db: tx, seal }, id));
  for await (const part of encryptForBank(settings, plain)) {
    pending.push(part);
    waiting += part.length;
    if (waiting >= limits.bankFileChunkChars) await flush();
  }
  if (waiting > 0) await flush();
  return { sha256: digest.digest("hex"), bytes };
}

/** The same bytes each time. */
export async function* bytesToSend(
  parts: ReadParts,
  { batch_id, is_encrypted, sha256 }: Pick<SendRow, "batch_id" | "is_encrypted" | "sha256">,
): AsyncGenerator<Uint8Array, void, void> {
  const bytes = is_encrypted ? encryptedBytes(parts.db, batch_id) : plainBytes(parts, batch_id);
  yield* withHash(sha256, bytes);
}

async function* encryptedBytes(db: Runner, batchId: string): AsyncGenerator<Buffer, void, void> {
  for (let number = 0; ; number += 1) {
    const chunk = await findEncryptedChunk(db, batchId, number);
    if (!chunk) return;
    yield chunk;
  }
}
