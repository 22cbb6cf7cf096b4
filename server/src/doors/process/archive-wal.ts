// Archives the WAL of the embedded database to BACKUP_DIR, and reports how far it can be restored.

import { join } from "node:path";
import {
  dropArchiveSlot,
  newestCoverage,
  startWalArchiver,
  type WalArchiver,
} from "../../platform/backup/index.ts";
import type { Config } from "../../platform/config/index.ts";
import type { Log } from "../../platform/log/index.ts";
import type { Metrics } from "../../platform/metrics/index.ts";
import type { Opened } from "../database/index.ts";

type ArchiveParts = { config: Config; opened: Opened; log: Log; metrics: Metrics };

const coverageMs = 60_000;
const needsBackup = "backups: this database can't be restored up to now. Run disburse backup";

/** In the process that runs the embedded database. A copy in quarantine must not write into the archive of the original. */
export async function startArchive(parts: ArchiveParts): Promise<WalArchiver | undefined> {
  const { config, opened, log, metrics } = parts;
  const { embedded, installation } = opened;
  if (!embedded || embedded.guest || installation.quarantine) return undefined;
  if (!("embeddedIn" in config.database)) return undefined;
  const { folder } = config.backup;
  if (folder === undefined) {
    await dropArchiveSlot(embedded.connection);
    return undefined;
  }
  let isCovered = false;
  let trouble = "";
  let checkedMs = Number.NEGATIVE_INFINITY;
  async function checkCoverage(folder: string): Promise<void> {
    const found = await newestCoverage(folder);
    const isOk = found !== undefined && found.gapAt === undefined;
    if (!isOk && checkedMs < 0) log.warn(needsBackup);
    isCovered = isOk;
    if (!isOk) metrics.backupPoint(undefined);
  }
  return startWalArchiver({
    connection: embedded.connection,
    dataFolder: join(config.database.embeddedIn, "postgres"),
    folder,
    async onArchived(atMs) {
      if (trouble) log.info("backups: the WAL is archived again");
      trouble = "";
      if (atMs - checkedMs > coverageMs) {
        await checkCoverage(folder);
        checkedMs = atMs;
      }
      if (isCovered) metrics.backupPoint(atMs);
    },
    onGap: () =>
      log.warn({ folder }, "backups: WAL is missing in the archive. Run disburse backup"),
    onError(error) {
      // It tries again each second, and would fill the log.
      const { message } = error as Error;
      if (message !== trouble) log.error({ err: error }, "backups: the WAL can't be archived");
      trouble = message;
    },
  });
}
