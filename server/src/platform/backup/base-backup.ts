// Copies the running embedded database: the low-level API of PostgreSQL for base backups.
//
// While files are copied they change, and a copy may hold half of a change. The WAL from the start of the copy to its end
// makes the copy consistent, so it belongs to the backup. A temporary replication slot keeps PostgreSQL from removing it.

import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type pg from "pg";
import { version } from "../base/index.ts";
import { administrator } from "../embedded/index.ts";
import {
  type Copied,
  copyFile,
  forEachFile,
  hashFile,
  makeFolder,
  syncFolder,
} from "./durable-files.ts";
import { expireBackups } from "./expire.ts";
import {
  BackupError,
  type BackupFile,
  backupName,
  isOfRunningServer,
  listBackups,
  type Manifest,
  writeManifest,
} from "./manifest.ts";
import { isHistoryFile, readLsn, readWalFileName, walFileName } from "./wal-position.ts";

const backupLock = 4_242_004;

type BaseBackupParts = {
  connection: pg.ClientConfig;
  /** The data folder of PostgreSQL. */
  dataFolder: string;
  /** Where backups are kept. */
  folder: string;
  /** The fingerprint of the master key. */
  masterKey: string;
  /** Older ones are removed after this one has succeeded. */
  keepMs: number;
  interrupted: AbortSignal;
  onProgress: (bytes: number) => void;
};

export type MadeBackup = { manifest: Manifest; removed: string[]; removedWalFiles: number };

/** Other content is kept when PostgreSQL starts from the copy; of these it would be wrong or useless. */
const emptied = new Set([
  "pg_wal",
  "pg_replslot",
  "pg_dynshmem",
  "pg_notify",
  "pg_serial",
  "pg_snapshots",
  "pg_stat_tmp",
  "pg_subtrans",
]);
const leftOut =
  /^(backup_label(\.old)?|tablespace_map(\.old)?|backup_manifest|recovery\.signal|standby\.signal|pgsql_tmp.*|pg_internal\.init.*|current_logfiles)$/;

/** Writes a whole backup and returns its manifest. An interrupted one leaves nothing behind. */
export async function makeBaseBackup(parts: BaseBackupParts): Promise<MadeBackup> {
  const { connection, folder, keepMs } = parts;
  await makeFolder(folder);
  const earlier = (await listBackups(folder)).at(-1);
  const client = administrator(connection);
  client.on("error", () => {});
  await client.connect();
  try {
    const { rows } = await client.query(
      `select pg_try_advisory_lock($1) as is_ours, system_identifier::text as system
       from pg_control_system()`,
      [backupLock],
    );
    if (!rows[0].is_ours) throw new BackupError("Another backup of this database is running.");
    if (earlier && earlier.system !== rows[0].system) {
      throw new BackupError(`${folder} holds backups of another database. Name another folder.`);
    }
    const name = backupName(new Date());
    const target = join(folder, name);
    await mkdir(target, { mode: 0o700 });
    const manifest = await backUp(client, { ...parts, name, target }).catch(async (error) => {
      await rm(target, { recursive: true, force: true });
      throw error;
    });
    const { backups, walFiles } = await expireBackups(folder, Date.now() - keepMs);
    return { manifest, removed: backups, removedWalFiles: walFiles };
  } finally {
    // It ends the backup and drops the slot if they are still open.
    await client.end();
  }
}

async function backUp(
  client: pg.Client,
  parts: BaseBackupParts & { name: string; target: string },
): Promise<Manifest> {
  const { folder, name, target, masterKey } = parts;
  const startedAt = new Date();
  await client.query("select pg_create_physical_replication_slot($1, true, true)", [
    `disburse_backup_${process.pid}`,
  ]);
  const { rows: started } = await client.query<{ lsn: string; file: string }>(
    `select lsn::text, pg_walfile_name(lsn) as file
     from (select pg_backup_start($1, fast => true) as lsn offset 0) start`,
    [name],
  );
  const [start] = started;
  if (!start) throw new BackupError("PostgreSQL did not start the backup.");
  const copied = await copyDataFolder(parts);
  const { rows: ended } = await client.query<{
    lsn: string;
    labelfile: string;
    spcmapfile: string;
    version: string;
    segment_bytes: string;
    system: string;
  }>(
    `select lsn::text, labelfile, spcmapfile, current_setting('server_version') as version,
       (select setting from pg_settings where name = 'wal_segment_size') as segment_bytes,
       (select system_identifier::text from pg_control_system()) as system
     from pg_backup_stop(wait_for_archive => false)`,
  );
  const [end] = ended;
  if (!end) throw new BackupError("PostgreSQL did not end the backup.");
  if (end.spcmapfile.trim() !== "") {
    throw new BackupError("The database has tablespaces, which a backup does not copy.");
  }
  const label = join(target, "data", "backup_label");
  await writeFile(label, end.labelfile, { mode: 0o600 });
  copied.files.push({ path: "backup_label", ...((await hashFile(label)) as Copied) });
  const segmentBytes = BigInt(end.segment_bytes);
  const wal = await copyWal(parts, { ...start, end: end.lsn, segmentBytes });
  await syncFolders(target, ["data", "wal", ...copied.folders.map((path) => join("data", path))]);
  const manifest: Manifest = {
    format: 1,
    name,
    disburse: version,
    postgresql: end.version,
    system: end.system,
    master_key: masterKey,
    started_at: startedAt.toISOString(),
    ended_at: new Date().toISOString(),
    start_lsn: start.lsn,
    end_lsn: end.lsn,
    timeline: Number.parseInt(start.file.slice(0, 8), 16),
    segment_bytes: Number(segmentBytes),
    ...copied,
    wal,
  };
  await writeManifest(target, manifest);
  await syncFolder(folder);
  return manifest;
}

async function copyDataFolder({
  dataFolder,
  target,
  interrupted,
  onProgress,
}: BaseBackupParts & { target: string }): Promise<{ folders: string[]; files: BackupFile[] }> {
  const folders: string[] = [];
  const found: string[] = [];
  async function walk(path: string): Promise<void> {
    const entries = await readdir(join(dataFolder, path), { withFileTypes: true });
    await mkdir(join(target, "data", path), { mode: 0o700 });
    if (path) folders.push(path);
    if (emptied.has(path)) return;
    for (const entry of entries) {
      if (leftOut.test(entry.name) || isOfRunningServer(entry.name)) continue;
      const within = join(path, entry.name);
      if (entry.isDirectory()) await walk(within);
      // Others are sockets.
      else if (entry.isFile()) found.push(within);
    }
  }
  await walk("");
  const files: BackupFile[] = [];
  let bytes = 0;
  await forEachFile(found, async (path) => {
    interrupted.throwIfAborted();
    const copied = await copyFile(join(dataFolder, path), join(target, "data", path));
    if (copied) files.push({ path, ...copied });
    bytes += copied?.bytes ?? 0;
    onProgress(bytes);
  });
  return { folders, files };
}

/** PostgreSQL has begun a new WAL file at the end of the backup, so all of these are complete. */
async function copyWal(
  { dataFolder, target }: { dataFolder: string; target: string },
  { file, end, segmentBytes }: { file: string; end: string; segmentBytes: bigint },
): Promise<BackupFile[]> {
  const first = readWalFileName(file, segmentBytes);
  if (!first) throw new BackupError(`unexpected name of a WAL file: ${file}`);
  const last = (readLsn(end) - 1n) / segmentBytes;
  const folder = join(target, "wal");
  await mkdir(folder, { mode: 0o700 });
  const files: BackupFile[] = [];
  for (let { number } = first; number <= last; number += 1n) {
    const path = walFileName({ ...first, number }, segmentBytes);
    const copied = await copyFile(join(dataFolder, "pg_wal", path), join(folder, path));
    if (!copied) throw new BackupError(`PostgreSQL has removed ${path}, which the backup needs.`);
    files.push({ path, ...copied });
  }
  for (const path of (await readdir(join(dataFolder, "pg_wal"))).filter(isHistoryFile)) {
    const copied = await copyFile(join(dataFolder, "pg_wal", path), join(folder, path));
    if (copied) files.push({ path, ...copied });
  }
  return files;
}

async function syncFolders(target: string, folders: string[]): Promise<void> {
  for (const path of folders) await syncFolder(join(target, path));
  await syncFolder(target);
}
