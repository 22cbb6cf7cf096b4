// Puts the files of a backup, and the WAL archived since, into a new data folder of PostgreSQL.

import { constants } from "node:fs";
import { copyFile as copyPlain, mkdir, open, truncate } from "node:fs/promises";
import { dirname, join, normalize } from "node:path";
import type { Coverage } from "./coverage.ts";
import { copyFile, forEachFile } from "./durable-files.ts";
import { BackupError, type BackupFile, type Manifest } from "./manifest.ts";
import { partialEnding, requireUndamaged, walFolderOf } from "./wal-folder.ts";

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
    const copied = await copyFile(join(from, file.path), join(to, file.path));
    if (copied?.sha256 !== file.sha256 || copied.bytes !== file.bytes) {
      const what = copied ? "is damaged: it differs from the manifest" : "is missing";
      throw new BackupError(`${join(from, file.path)} ${what}. Restore another backup.`);
    }
    bytes += copied.bytes;
    onProgress(bytes);
  };
  await mkdir(target, { mode: 0o700 });
  for (const path of backup.folders) {
    requireInside(path);
    await mkdir(join(target, path), { recursive: true, mode: 0o700 });
  }
  await forEachFile(backup.files, (file) => restore(join(source, "data"), target, file));
  const pgWal = join(target, "pg_wal");
  await forEachFile(backup.wal, (file) => restore(join(source, "wal"), pgWal, file));

  const archive = walFolderOf(folder);
  for (const segment of coverage.segments) {
    interrupted.throwIfAborted();
    const name = segment.isPartial ? segment.file.slice(0, -partialEnding.length) : segment.file;
    await requireUndamaged(archive, segment);
    await copyPlain(join(archive, segment.file), join(pgWal, name));
    // PostgreSQL expects whole files. Zeros are the end of the WAL.
    if (segment.isPartial) await truncate(join(pgWal, name), backup.segment_bytes);
    bytes += backup.segment_bytes;
    onProgress(bytes);
  }
  for (const name of coverage.histories) {
    await copyPlain(join(archive, name), join(pgWal, name));
  }
  await (await open(join(target, "recovery.signal"), constants.O_CREAT, 0o600)).close();
}

/** A manifest from elsewhere must not write outside of the new folder. */
function requireInside(path: string): void {
  if (normalize(path) !== path || path.startsWith("..") || path.startsWith("/")) {
    throw new BackupError(`The manifest names a path outside of its folder: ${dirname(path)}`);
  }
}
