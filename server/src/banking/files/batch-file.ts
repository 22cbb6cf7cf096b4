// The bytes of a bank file: encrypted in chunks when it is frozen, and read again as they were.

import { createHash } from "node:crypto";
import type { Runner, Tx } from "../../platform/db/index.ts";
import type { Seal } from "../../platform/encryption/index.ts";
import { limits } from "../../platform/limits/index.ts";
import { Refusal } from "../../platform/refusals/index.ts";
import { findFileChunk, insertFileChunk } from "./batch-queries.ts";

export const batchChunkIdentity = (batchId: string, number: number) =>
  `bank_batch_chunk:${batchId}:${number}`;

export type FileSink = {
  write(text: string): Promise<void>;
  /** Stores the rest, and the header in front of all. */
  end(header: string): Promise<{ sha256: string; bytes: number }>;
};

export function storeFile({ tx, seal }: { tx: Tx; seal: Seal }, batchId: string): FileSink {
  let pending = "";
  // Chunk 0 is the header.
  let chunks = 1;

  async function insert(number: number, text: string): Promise<void> {
    const sealed = seal.encrypt(text, batchChunkIdentity(batchId, number));
    await insertFileChunk(tx, { batchId, number, sealed });
  }

  async function flush(): Promise<void> {
    const text = pending;
    pending = "";
    await insert(chunks, text);
    chunks += 1;
  }

  return {
    async write(text) {
      pending += text;
      if (pending.length >= limits.bankFileChunkChars) await flush();
    },
    async end(header) {
      if (pending !== "") await flush();
      await insert(0, header);
      // The hash is of the file as it is read again.
      const digest = createHash("sha256");
      let bytes = 0;
      for await (const text of readFile({ db: tx, seal }, batchId)) {
        digest.update(text);
        bytes += Buffer.byteLength(text);
      }
      return { sha256: digest.digest("hex"), bytes };
    },
  };
}

/** The file, chunk by chunk. */
export async function* readFile(
  { db, seal }: { db: Runner; seal: Seal },
  batchId: string,
): AsyncGenerator<string, void, void> {
  for (let number = 0; ; number += 1) {
    const text = await readChunk({ db, seal }, batchId, number);
    if (text === undefined) return;
    yield text;
  }
}

/** Refuses if the file was kept long enough, or held the payment of an erased receiver. */
export async function requireFileBytes(db: Runner, batchId: string): Promise<void> {
  if (!(await findFileChunk(db, batchId, 0))) throw new Refusal("BANK422");
}

/** A part for the screen: a chunk, the first one with the header. Undefined: the file has ended before it. */
export async function readFilePart(
  parts: { db: Runner; seal: Seal },
  batchId: string,
  part: number,
): Promise<string | undefined> {
  await requireFileBytes(parts.db, batchId);
  const text = await readChunk(parts, batchId, part + 1);
  return part === 0 ? `${await readChunk(parts, batchId, 0)}${text ?? ""}` : text;
}

async function readChunk(
  { db, seal }: { db: Runner; seal: Seal },
  batchId: string,
  number: number,
): Promise<string | undefined> {
  const sealed = await findFileChunk(db, batchId, number);
  return sealed && seal.decrypt(sealed, batchChunkIdentity(batchId, number));
}
