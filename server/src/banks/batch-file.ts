// The bytes of a bank file: encrypted in chunks when it is frozen, and read again as they were.

import { createHash } from "node:crypto";
import type { Runner, Tx } from "../db/connect.ts";
import { limits } from "../limits.ts";
import type { Seal } from "../seal.ts";
import { findFileChunk, insertFileChunk } from "./batch-queries.ts";

const identityOf = (batchId: string, number: number) => `bank_batch_chunk:${batchId}:${number}`;

export type FileSink = {
  write(text: string): Promise<void>;
  /** Stores the rest. */
  end(): Promise<{ sha256: string; bytes: number }>;
};

export function storeFile({ tx, seal }: { tx: Tx; seal: Seal }, batchId: string): FileSink {
  const digest = createHash("sha256");
  let pending = "";
  let chunks = 0;
  let bytes = 0;

  async function flush(): Promise<void> {
    const text = pending;
    pending = "";
    digest.update(text);
    bytes += Buffer.byteLength(text);
    const number = chunks;
    chunks += 1;
    const sealed = seal.encrypt(text, identityOf(batchId, number));
    await insertFileChunk(tx, { batchId, number, sealed });
  }

  return {
    async write(text) {
      pending += text;
      if (pending.length >= limits.bankFileChunkChars) await flush();
    },
    async end() {
      if (pending !== "" || chunks === 0) await flush();
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
    const sealed = await findFileChunk(db, batchId, number);
    if (!sealed) return;
    yield seal.decrypt(sealed, identityOf(batchId, number));
  }
}
