// Restores a backup of the embedded database into an empty data folder, where it starts in quarantine.
//
// The restored database gets its final name only after its quarantine is committed. Until then a file marks the folder, so
// that no command takes what an interrupted or failed restore leaves for an empty folder and creates a database in it.

import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import {
  BackupError,
  type Coverage,
  coverageOf,
  hbaFile,
  lastSegmentName,
  listBackups,
  type Manifest,
  type Recovered,
  readLsn,
  readWalFileName,
  recover,
  restoreFiles,
  syncFolder,
} from "../../platform/backup/index.ts";
import type { Config } from "../../platform/config/index.ts";
import { connect, migrate, migratorName } from "../../platform/db/index.ts";
import { hasMasterKey, unfinishedRestorePath } from "../../platform/embedded/index.ts";
import { masterKeyFingerprint, sealOf, sealWith } from "../../platform/encryption/index.ts";
import { type Actor, audited } from "../../tenants/audit/index.ts";
import { ensureInstallation, setQuarantine } from "../../tenants/installation/index.ts";
import { masterKeysOf, openKeys } from "../database/index.ts";
import { CliError, exitCodes } from "../setup/index.ts";

export type RestoreRequest = {
  folder: string;
  /** The new data folder. */
  dataDir: string;
  /** Of the new data folder. */
  config: Config;
  /** Undefined: the newest that fits. */
  backup: string | undefined;
  /** Undefined: everything that is archived. */
  atMs: number | undefined;
  /** Also if later WAL is there, which can't be used. */
  upToGap: boolean;
  actor: Actor;
  interrupted: AbortSignal;
  onCopied: (bytes: number) => void;
  onStep: (text: string) => void;
};

export type Restored = { backup: Manifest } & Pick<Recovered, "lsn" | "lastCommitAt">;

/** Left by an interrupted restore, or put there for this one. */
const mayBeThere = new Set([
  "master.key",
  "postgres-bin",
  "postgres.log",
  "postgres.password",
  "postgres.restoring",
  basename(unfinishedRestorePath("")),
]);

export async function restoreBackup(request: RestoreRequest): Promise<Restored> {
  const { folder, dataDir, atMs, interrupted, onCopied, onStep } = request;
  requireEmptyFolder(dataDir);
  const mark = unfinishedRestorePath(dataDir);
  writeFileSync(mark, `A restore of ${folder} has not ended, or has failed.\n`, { flush: true });
  await syncFolder(dataDir);
  const backup = await chooseBackup(request);
  const coverage = await coverageOf(folder, backup);
  requireCovered(coverage, request);
  requireMasterKey(request, backup);
  const target = join(dataDir, "postgres.restoring");
  rmSync(target, { recursive: true, force: true });
  try {
    onStep("copying the files");
    await restoreFiles({ folder, backup, coverage, target, interrupted, onProgress: onCopied });
    onStep("replaying the WAL");
    const recovered = await recover({ dataDir, folder: target, atMs, interrupted });
    const { lsn, lastCommitAt } = recovered;
    try {
      if (atMs === undefined) requireReplayed(recovered, coverage, backup);
      await quarantineRestored(recovered, request, backup);
    } finally {
      await recovered.stop();
    }
    rmSync(join(target, hbaFile));
    renameSync(target, join(dataDir, "postgres"));
    await syncFolder(dataDir);
    rmSync(mark);
    return { backup, lsn, lastCommitAt };
  } catch (error) {
    rmSync(target, { recursive: true, force: true });
    throw error;
  }
}

function requireEmptyFolder(dataDir: string): void {
  mkdirSync(dataDir, { recursive: true });
  const [other] = readdirSync(dataDir).filter((name) => !mayBeThere.has(name));
  if (other === undefined) return;
  throw new CliError(
    `${dataDir} is not empty (${other}). Restore into an empty folder. Only the file master.key may be there.`,
    exitCodes.usage,
  );
}

async function chooseBackup({ folder, backup, atMs }: RestoreRequest): Promise<Manifest> {
  const all = await listBackups(folder);
  const [first] = all;
  if (!first) {
    throw new CliError(`There is no whole backup in ${folder}.`, exitCodes.notFound);
  }
  if (backup !== undefined) {
    const named = all.find(({ name }) => name === backup);
    if (named) return named;
    const names = all.map(({ name }) => `  ${name}`).join("\n");
    throw new CliError(`There is no backup ${backup}. There are:\n${names}`, exitCodes.notFound);
  }
  const found = all.findLast(({ ended_at }) => atMs === undefined || Date.parse(ended_at) <= atMs);
  if (found) return found;
  throw new CliError(
    `The oldest backup in ${folder} is of ${first.ended_at}. Name a later time.`,
    exitCodes.notFound,
  );
}

function requireCovered({ until, gapAt }: Coverage, { atMs, upToGap }: RestoreRequest): void {
  if (atMs !== undefined && atMs > Date.parse(until)) {
    throw new CliError(
      `The backup and the archive hold changes until ${until}. Name an earlier time, or leave out --at.`,
      exitCodes.notFound,
    );
  }
  if (atMs === undefined && gapAt !== undefined && !upToGap) {
    throw new CliError(
      `The archive lacks WAL at ${gapAt}, and the WAL after it can't be used.\n` +
        "To restore what is before the gap, add --up-to-gap.",
      exitCodes.refused,
    );
  }
}

/** Checked before anything is copied. */
function requireMasterKey({ config, dataDir }: RestoreRequest, { master_key }: Manifest): void {
  const { masterKey, vault } = config.keys;
  if (!masterKey && !vault && !hasMasterKey(dataDir)) {
    throw new CliError(
      "The backup does not hold the master key. Set DISBURSE_MASTER_KEY or DISBURSE_MASTER_KEY_FILE,\n" +
        `or put the file master.key into ${dataDir}.`,
      exitCodes.usage,
    );
  }
  if (master_key === "vault") {
    if (vault) return;
    throw new CliError(
      "The keys of the backup are wrapped by Vault. Set VAULT_TRANSIT_KEY, VAULT_ADDR and VAULT_TOKEN.",
      exitCodes.usage,
    );
  }
  // Two, if the master key was replaced between the backup and the time that is restored.
  const given = masterKeysOf(config).map((key) => masterKeyFingerprint(sealWith(key)));
  if (given.includes(master_key)) return;
  throw new CliError(
    `This is another master key (${given.join(", ")}) than the one of the backup (${master_key}).`,
    exitCodes.refused,
  );
}

/** A damaged record would end the replay without an error. */
function requireReplayed({ lsn }: Recovered, coverage: Coverage, backup: Manifest): void {
  const segmentBytes = BigInt(backup.segment_bytes);
  const last = readWalFileName(lastSegmentName(coverage, backup), segmentBytes);
  // The last record may begin in the file before.
  if (!last || readLsn(lsn) / segmentBytes >= last.number - 1n) return;
  throw new BackupError(
    `The WAL is damaged: it could be replayed up to ${lsn} only. Restore an earlier time with --at, or another backup.`,
  );
}

async function quarantineRestored(
  { connection, lsn }: Recovered,
  { config, actor, atMs }: RestoreRequest,
  { name }: Manifest,
): Promise<void> {
  const db = connect({ connection: { ...connection, application_name: migratorName }, poolMax: 1 });
  try {
    await migrate(db);
    const seal = sealOf((await openKeys(config, db)).ring);
    await ensureInstallation(db, seal);
    const at = atMs === undefined ? null : new Date(atMs).toISOString();
    const entry = {
      action: "installation.restore",
      object: { kind: "backup", id: name },
      after: { lsn, at },
    };
    await audited({ db, seal }, actor).transaction(entry, (tx) => setQuarantine(tx, "restored"));
  } finally {
    await db.close();
  }
}
