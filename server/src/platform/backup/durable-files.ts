// Writes files so that they survive a power failure: the bytes are synced, then the folder that names them.

import { createHash } from "node:crypto";
import { constants } from "node:fs";
import { type FileHandle, mkdir, open, rename } from "node:fs/promises";
import { dirname } from "node:path";

const chunkBytes = 1024 * 1024;
const filesAtOnce = 8;
const { O_CREAT, O_EXCL, O_RDONLY, O_WRONLY } = constants;

export type Copied = { bytes: number; sha256: string };

/** Personal data is in every file, so only the owner may read them. */
export async function makeFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 });
}

export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, O_RDONLY);
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** Under its name there is the old text or the whole new one. */
export async function writeDurably(path: string, text: string): Promise<void> {
  const draft = `${path}.new`;
  const file = await open(draft, "w", 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(draft, path);
  await syncFolder(dirname(path));
}

/**
 * Copies a file that may grow, shrink or vanish meanwhile. Undefined: it has vanished. The bytes are hashed as they are
 * read. The folder of the copy is not synced.
 */
export async function copyFile(
  source: string,
  target: string,
  { isSynced = true } = {},
): Promise<Copied | undefined> {
  const from = await openIfThere(source);
  if (!from) return undefined;
  try {
    const to = await open(target, O_CREAT | O_EXCL | O_WRONLY, 0o600);
    try {
      const copied = await readThrough(from, async (part) => void (await to.write(part)));
      if (isSynced) await to.sync();
      return copied;
    } finally {
      await to.close();
    }
  } finally {
    await from.close();
  }
}

export async function hashFile(path: string): Promise<Copied | undefined> {
  const file = await openIfThere(path);
  if (!file) return undefined;
  try {
    return await readThrough(file, async () => {});
  } finally {
    await file.close();
  }
}

/** A sync waits for the disk, so several files are copied at the same time. */
export async function forEachFile<T>(
  files: readonly T[],
  work: (file: T) => Promise<void>,
): Promise<void> {
  const queue = files.values();
  const failures: unknown[] = [];
  const copyNext = async () => {
    for (const file of queue) {
      await work(file).catch((error) => failures.push(error));
      if (failures.length > 0) return;
    }
  };
  // All have ended before it fails, because the caller then removes what they wrote.
  await Promise.all(Array.from({ length: filesAtOnce }, copyNext));
  if (failures.length > 0) throw failures[0];
}

/** Used again: with a new one for each of a thousand small files, a quarter of the time would be collecting garbage. */
const freeBuffers: Buffer[] = [];

async function readThrough(
  file: FileHandle,
  take: (part: Buffer) => Promise<void>,
): Promise<Copied> {
  const hash = createHash("sha256");
  const buffer = freeBuffers.pop() ?? Buffer.allocUnsafe(chunkBytes);
  try {
    for (let bytes = 0; ; ) {
      const { bytesRead } = await file.read(buffer, 0, chunkBytes, bytes);
      if (bytesRead === 0) return { bytes, sha256: hash.digest("hex") };
      const part = buffer.subarray(0, bytesRead);
      hash.update(part);
      await take(part);
      bytes += bytesRead;
    }
  } finally {
    freeBuffers.push(buffer);
  }
}

async function openIfThere(path: string): Promise<FileHandle | undefined> {
  try {
    return await open(path, O_RDONLY);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    return undefined;
  }
}
