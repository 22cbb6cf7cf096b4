// The manifest of a backup: what it consists of. It is written last, so a folder without one is no backup.

import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { type Copied, writeDurably } from "./durable-files.ts";

export class BackupError extends Error {}

export type BackupFile = Copied & { path: string };

export type Manifest = {
  format: 1;
  name: string;
  disburse: string;
  postgresql: string;
  /** PostgreSQL's identifier of the database cluster, which a restored copy keeps. */
  system: string;
  /** A fingerprint, by which a restore recognises the right key. The key itself is never in a backup. */
  master_key: string;
  started_at: string;
  ended_at: string;
  start_lsn: string;
  end_lsn: string;
  timeline: number;
  segment_bytes: number;
  /** Of the data folder, relative to `data`. */
  folders: string[];
  files: BackupFile[];
  /** Of `wal`: what PostgreSQL needs to make the copied files consistent. */
  wal: BackupFile[];
};

/**
 * Names the process of a running server. PostgreSQL refuses to start on a copy of such a file while a process has that
 * number, as the original has when its copy is restored next to it.
 */
export function isOfRunningServer(name: string): boolean {
  return /^(postmaster\.(pid|opts)|\.s\.PGSQL\..*)$/.test(name);
}

const manifestName = "manifest.json";

export async function writeManifest(folder: string, manifest: Manifest): Promise<void> {
  await writeDurably(join(folder, manifestName), `${JSON.stringify(manifest, null, 1)}\n`);
}

/** The backups of a folder, oldest first. Folders without a manifest were interrupted, and are left out. */
export async function listBackups(folder: string): Promise<Manifest[]> {
  const found = await Promise.all(
    (await backupNames(folder)).map((name) => readManifest(folder, name)),
  );
  return found
    .filter((manifest) => manifest !== undefined)
    .sort((one, other) => Date.parse(one.ended_at) - Date.parse(other.ended_at));
}

/** The folders of backups, whole or not. */
export async function backupNames(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw error;
  });
  return names.filter((name) => /^base-\d{8}T\d{9}Z$/.test(name));
}

export function backupName(at: Date): string {
  return `base-${at.toISOString().replaceAll(/[-:.]/g, "")}`;
}

async function readManifest(folder: string, name: string): Promise<Manifest | undefined> {
  const path = join(folder, name, manifestName);
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
  try {
    const manifest = JSON.parse(text) as Manifest;
    if (manifest.format === 1 && manifest.name === name) return manifest;
  } catch {
    // Told below.
  }
  throw new BackupError(`${path} is damaged, or was written by a newer version.`);
}

export const manifestFile = manifestName;
