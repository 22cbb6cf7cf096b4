// What other nouns use of backup. The rest of this folder is private to it.

export { type ArchivingFinding, findArchivingTroubles, readArchiving } from "./archiving-check.ts";
export { makeBaseBackup } from "./base-backup.ts";
export { copyAllRows, readServer } from "./copy-database.ts";
export { type Coverage, coverageOf, lastSegmentName, newestCoverage } from "./coverage.ts";
export { syncFolder } from "./durable-files.ts";
export { BackupError, listBackups, type Manifest } from "./manifest.ts";
export { hbaFile, type Recovered, recover } from "./recover.ts";
export { restoreFiles } from "./restore-files.ts";
export { dropArchiveSlot, startWalArchiver, type WalArchiver } from "./wal-archiver.ts";
export { readLsn, readWalFileName } from "./wal-position.ts";
