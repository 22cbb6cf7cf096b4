// Puts the files of a backup, and the WAL archived since, into a new data folder of PostgreSQL.

import { constants } from "node:fs";
import { copyFile as copyPlain, mkdir, open, stat, truncate } from "node:fs/promises";
import { basename, dirname, join, normalize } from "node:path";
import type { Coverage } from "./coverage.ts";
import { copyFile, forEachFile } from "./durable-files.ts";
import { BackupError, type BackupFile, isOfRunningServer, type Manifest } from "./manifest.ts";
import {
  type ArchivedSegment,
  partialEnding,
  requireUndamaged,
  walFolderOf,
} from "./wal-folder.ts";

type RestoreFilesParts = {
  /** Where backups are kept. */
  folder: string;
  backup: Manifest;
  coverage: Coverage;
  /** The new data folder. */
  target: string;
  interrupted: AbortSignal;
  onProgress: (bytes: number) => void;
};

/** Refuses a file that differs from the manifest. */
export async function restoreFiles(parts: RestoreFilesParts): Promise<void> {
  const { folder, backup, coverage, target, interrupted, onProgress } = parts;
  const source = join(folder, backup.name);
  let bytes = 0;
  const restore = async (from: string, to: string, file: BackupFile) => {
    interrupted.throwIfAborted();
    requireInside(file.path);
    // PostgreSQL syncs all files before it recovers.
    const copied = await copyFile(join(from, file.path), join(to, file.path), { isSynced: false });
    if (copied?.sha256 !== file.sha256) throw unlike(join(from, file.path), copied);
    bytes += copied.bytes;
    onProgress(bytes);
  };
  // Earlier versions copied the lock of the socket.
  const files = backup.files.filter(({ path }) => !isOfRunningServer(basename(path)));
  for (const file of files) await requireSize(join(source, "data"), file);
  for (const file of backup.wal) await requireSize(join(source, "wal"), file);
  await mkdir(target, { mode: 0o700 });
  for (const path of backup.folders) {
    requireInside(path);
    await mkdir(join(target, path), { recursive: true, mode: 0o700 });
  }
  await forEachFile(files, (file) => restore(join(source, "data"), target, file));
  const pgWal = join(target, "pg_wal");
  await forEachFile(backup.wal, (file) => restore(join(source, "wal"), pgWal, file));

  const archive = walFolderOf(folder);
  for (const segment of coverage.segments) {
    interrupted.throwIfAborted();
    await copySegment(archive, segment, { pgWal, segmentBytes: backup.segment_bytes });
    bytes += backup.segment_bytes;
    onProgress(bytes);
  }
  for (const name of coverage.histories) {
    await copyPlain(join(archive, name), join(pgWal, name));
  }
  await (await open(join(target, "recovery.signal"), constants.O_CREAT, 0o600)).close();
}

async function copySegment(
  archive: string,
  segment: ArchivedSegment,
  { pgWal, segmentBytes }: { pgWal: string; segmentBytes: number },
): Promise<void> {
  const { file, isPartial } = segment;
  const name = isPartial ? file.slice(0, -partialEnding.length) : file;
  await requireUndamaged(archive, segment);
  try {
    await copyPlain(join(archive, file), join(pgWal, name));
  } catch (error) {
    if (!isPartial || (error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    // The running original has completed it meanwhile.
    const completed = { ...segment, file: name, isPartial: false };
    return copySegment(archive, completed, { pgWal, segmentBytes });
  }
  // PostgreSQL expects whole files. Zeros are the end of the WAL.
  if (isPartial) await truncate(join(pgWal, name), segmentBytes);
}

/** Before anything is copied, because a large copy takes long. */
async function requireSize(folder: string, { path, bytes }: BackupFile): Promise<void> {
  const found = await stat(join(folder, path)).catch(() => undefined);
  if (found?.size !== bytes) throw unlike(join(folder, path), found);
}

function unlike(path: string, found: unknown): BackupError {
  const what = found ? "is damaged: it differs from the manifest" : "is missing";
  return new BackupError(`${path} ${what}. Restore another backup.`);
}

/** A manifest from elsewhere must not write outside of the new folder. */
function requireInside(path: string): void {
  if (normalize(path) !== path || path.startsWith("..") || path.startsWith("/")) {
    throw new BackupError(`The manifest names a path outside of its folder: ${dirname(path)}`);
  }
}
