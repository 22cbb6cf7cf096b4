// disburse backup | backup list | backup check: backs up the embedded database, and says what can be restored.

import { join, relative, resolve } from "node:path";
import type { Command } from "commander";
import {
  type ArchivingFinding,
  coverageOf,
  findArchivingTroubles,
  listBackups,
  type Manifest,
  makeBaseBackup,
  newestCoverage,
  readArchiving,
} from "../../platform/backup/index.ts";
import type { Config } from "../../platform/config/index.ts";
import { keyNeeded, type Opened } from "../database/index.ts";
import { CliError, configuration, exitCodes } from "../setup/index.ts";
import { ByteProgress } from "./byte-progress.ts";
import { withDatabase } from "./database.ts";
import { interruptibleWhole } from "./interruption.ts";
import { print } from "./output.ts";
import { setExitCode, stderr } from "./terminal.ts";

type Json = { json?: boolean };

const lateMs = 300_000;
const dayMs = 24 * 3600 * 1000;

export function addBackupCommands(backup: Command): void {
  backup
    .argument("[folder]", "where backups are kept (default: BACKUP_DIR)")
    .option("--json", "print JSON")
    .action((folder: string | undefined, options: Json) => backUp(folder, options));

  backup
    .command("list")
    .description("list backups, and until when each can be restored")
    .argument("[folder]", "where backups are kept (default: BACKUP_DIR)")
    .option("--json", "print JSON")
    .action(async (folder: string | undefined, options: Json) => {
      const { folder: place } = requireEmbedded(folder);
      const found = await listBackups(place);
      const rows = await Promise.all(
        found.map(async (manifest) => {
          const { until, gapAt } = await coverageOf(place, manifest);
          return { ...describeBackup(manifest), from: manifest.ended_at, until, gap_at: gapAt };
        }),
      );
      print(rows, options);
    });

  backup
    .command("check")
    .description("check that the database can be restored up to now; exit code 1 if it can't")
    .option("--json", "print JSON")
    .action(async (options: Json) => {
      const config = configuration();
      const findings = "url" in config.database ? await checkServer() : await checkFolder(config);
      print(options.json ? { findings } : findings, options);
      if (findings.some(({ level }) => level === "missing")) setExitCode(exitCodes.refused);
    });
}

async function checkServer(): Promise<ArchivingFinding[]> {
  let findings: ArchivingFinding[] = [];
  const work = async ({ db }: Opened) => {
    findings = findArchivingTroubles(await readArchiving(db), Date.now());
  };
  await withDatabase("backup check", work, { worksInQuarantine: true });
  return findings;
}

/** Of the embedded database. */
async function checkFolder({ backup: { folder } }: Config): Promise<ArchivingFinding[]> {
  const missing = (what: string): ArchivingFinding[] => [{ level: "missing", what }];
  if (folder === undefined) return missing("BACKUP_DIR is not set, so no WAL is archived");
  const found = await newestCoverage(folder);
  if (!found) return missing(`there is no whole backup in ${folder}: run disburse backup`);
  const { gapAt, until, backup } = found;
  if (gapAt !== undefined) return missing(`the archive has a gap at ${gapAt}: run disburse backup`);
  const findings: ArchivingFinding[] = [];
  if (Date.now() - Date.parse(until) > lateMs) {
    findings.push({ level: "weak", what: `the archive ends at ${until}: does the service run?` });
  }
  if (Date.now() - Date.parse(backup.ended_at) > 7 * dayMs) {
    findings.push({ level: "weak", what: `the newest backup is of ${backup.ended_at}` });
  }
  return findings;
}

async function backUp(given: string | undefined, { json }: Json): Promise<void> {
  const { config, folder, dataDir } = requireEmbedded(given);
  await withDatabase(
    "backup",
    async ({ embedded, installation, keys }) => {
      if (installation.quarantine) {
        throw new CliError("This copy is in quarantine. Back it up after it is released.");
      }
      if (!embedded) throw new Error("the embedded database is open");
      const progress = new ByteProgress("copying");
      const { manifest, removed, removedWalFiles } = await interruptibleWhole((interrupted) =>
        makeBaseBackup({
          connection: embedded.connection,
          dataFolder: join(dataDir, "postgres"),
          folder,
          masterKey: keyNeeded(keys, keys.follower.rows),
          keepMs: config.backup.keepDays * dayMs,
          interrupted,
          onProgress: (bytes) => progress.at(bytes),
        }),
      );
      progress.end();
      const about = { folder, ...describeBackup(manifest), master_key: manifest.master_key };
      print({ ...about, removed, removed_wal_files: removedWalFiles }, { json });
      stderr.write(`${keepTheKey}\n`);
    },
    { worksInQuarantine: true },
  );
}

const keepTheKey =
  "The backup does not hold the master key, and is worthless without it. Keep the key elsewhere.";

function describeBackup({ name, files, wal, disburse, postgresql, end_lsn }: Manifest) {
  const bytes = [...files, ...wal].reduce((sum, file) => sum + file.bytes, 0);
  return { backup: name, bytes, files: files.length, lsn: end_lsn, disburse, postgresql };
}

/** The folder of backups and the data folder of the embedded database. */
function requireEmbedded(given: string | undefined): {
  config: Config;
  folder: string;
  dataDir: string;
} {
  const config = configuration();
  if ("url" in config.database) {
    throw new CliError(
      "DATABASE_URL names a PostgreSQL of your own: back it up with its own tools, as docs/operate/backup.md says.\n" +
        "`disburse backup check` says what is missing for that.",
      exitCodes.usage,
    );
  }
  const dataDir = config.database.embeddedIn;
  const folder = given === undefined ? config.backup.folder : resolve(given);
  if (folder === undefined) {
    throw new CliError("Name a folder for the backup, or set BACKUP_DIR.", exitCodes.usage);
  }
  if (!relative(dataDir, folder).startsWith("..")) {
    throw new CliError("The folder of backups must be outside DATA_DIR.", exitCodes.usage);
  }
  return { config, folder, dataDir };
}
