// Removes backups that are too old, and archived WAL that no remaining backup needs.

import { rm } from "node:fs/promises";
import { join } from "node:path";
import { firstSegment } from "./coverage.ts";
import { syncFolder } from "./durable-files.ts";
import { backupNames, listBackups, type Manifest, manifestFile } from "./manifest.ts";
import { type ArchivedSegment, listSegments, removeSegment, walFolderOf } from "./wal-folder.ts";

type Expired = { backups: string[]; walFiles: number };

/** Never the newest backup. Call it while no other backup is being written: those without a manifest are removed. */
export async function expireBackups(folder: string, beforeMs: number): Promise<Expired> {
  const whole = await listBackups(folder);
  const newest = whole.at(-1);
  if (!newest) return { backups: [], walFiles: 0 };
  const isOld = (backup: Manifest) => backup !== newest && Date.parse(backup.ended_at) < beforeMs;
  const kept = whole.filter((backup) => !isOld(backup));
  const keptNames = new Set(kept.map(({ name }) => name));
  const removed = (await backupNames(folder)).filter((name) => !keptNames.has(name));
  for (const name of removed) {
    // Without its manifest, half of a backup can't be taken for a whole one.
    await rm(join(folder, name, manifestFile), { force: true });
    await syncFolder(join(folder, name));
    await rm(join(folder, name), { recursive: true, force: true });
  }
  return { backups: removed, walFiles: await removeWal(folder, kept) };
}

async function removeWal(folder: string, kept: Manifest[]): Promise<number> {
  const walFolder = walFolderOf(folder);
  const needed = kept.map(firstSegment).reduce((one, other) => (one < other ? one : other));
  const [{ segment_bytes }] = kept as [Manifest];
  const { segments } = await listSegments(walFolder, BigInt(segment_bytes));
  // The archiver may still be writing the last one of the newest timeline.
  const newest = Math.max(...segments.map(({ timeline }) => timeline));
  const isWritten = ({ isPartial, timeline, number }: ArchivedSegment) =>
    isPartial &&
    timeline === newest &&
    !segments.some((other) => other.timeline === timeline && other.number > number);
  const old = segments.filter((segment) => segment.number < needed && !isWritten(segment));
  for (const segment of old) await removeSegment(walFolder, segment);
  return old.length;
}
