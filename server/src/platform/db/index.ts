// What other nouns use of db. The rest of this folder is private to it.

export { listenTo } from "./channel.ts";
export {
  type ChangedKind,
  changedKinds,
  connect,
  type Db,
  isCollision,
  isLockTimeout,
  isStatementError,
  isUndoneByUs,
  isUniqueViolation,
  lockedInOrder,
  type Runner,
  statement,
  type Tx,
} from "./connect.ts";
export { copyBetween, copyIn } from "./copy.ts";
export { findTroubles } from "./database-state.ts";
export { claimValues, type DueClaim, dueInTurns, dueTurns } from "./due-turns.ts";
export { dumpSchema, schemaFile } from "./dump-schema.ts";
export {
  hasMigrations,
  migrate,
  migratorName,
  pendingMigrations,
  readMigrations,
  requireSameSchema,
} from "./migrate.ts";
export { MigrationError } from "./migration-error.ts";
export { isStillHere, moveStateOf, worksHere } from "./moving.ts";
export { oldestTransactionMs } from "./oldest-transaction.ts";
export { isOutage, isReadOnlyError, Outage, outageReasons } from "./outage.ts";
export { cursorOfId, cutPage, type ListPage, pagesOf, readLimitOf } from "./page.ts";
export { followIndexesSql, inIndex, orderBy, rowInIndex } from "./plan-settings.ts";
export { combinePollers, type Poller, startPoller } from "./poller.ts";
export { onlyProcess, type ProcessPlace, shareOf } from "./process-place.ts";
export { findServiceRole, requireSession, SessionError } from "./role.ts";
export { grantRuntimeRole, RuntimeRoleError } from "./runtime-role.ts";
