// The settings of backups.

import { relative } from "node:path";
import { optionalPath, wholeNumber } from "./setting-readers.ts";

export const backupSettings = {
  BACKUP_DIR: {
    fallback: "",
    meaning:
      "Folder of backups of the embedded database, best on another disk; its WAL is archived there each second",
    read: optionalPath,
  },
  BACKUP_KEEP_DAYS: {
    fallback: "35",
    meaning: "Days after which `disburse backup` removes older backups",
    read: wholeNumber(1, 3_650),
  },
};

export function backupProblems(
  folder: string | undefined,
  { dataDir, isEmbedded }: { dataDir: string; isEmbedded: boolean },
): string[] {
  if (folder === undefined) return [];
  if (!isEmbedded) {
    return [
      "BACKUP_DIR is only for the embedded database: docs/operate/backup.md says what to use instead",
    ];
  }
  const isWithin = !relative(dataDir, folder).startsWith("..");
  return isWithin ? ["BACKUP_DIR must be outside DATA_DIR"] : [];
}
