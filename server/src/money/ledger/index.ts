// What other nouns use of ledger. The rest of this folder is private to it.

export {
  type LedgerStatement,
  type Movement,
  openStatement,
  readMovements,
  readMovementsBack,
  statementPages,
} from "./account-statement.ts";
export { addTestFundsAct, fundAct, reverseFundingAct } from "./acts.ts";
export {
  depositReferencesIn,
  showDepositReference,
  similarDepositReferences,
} from "./deposit-reference.ts";
export {
  type DepositReferenceOwner,
  depositReferencesOf,
  findByDepositReference,
} from "./deposit-reference-queries.ts";
export { fund, fundMany, isFunded } from "./fund.ts";
export { type Kind, postings } from "./ledger.ts";
export {
  insertLowBalanceEvents,
  type LowBalance,
  levelOf,
  tellLowBalances,
} from "./low-balance-queries.ts";
export { type ClosedMonth, findClosedMonth, insertClosedMonth } from "./month-queries.ts";
export { findTotalAt } from "./movement-queries.ts";
export {
  arraysOf,
  type BalanceKey,
  type EntryPage,
  type EntryRow,
  effect,
  ensureBalances,
  findBalance,
  listBalances,
  listEntries,
  listEntriesOfPayout,
  postTransfers,
  postTransfersSql,
  presentBalance,
  type Transfer,
  toRow,
  transferColumns,
} from "./queries.ts";
export { isMoneySpent } from "./reverse.ts";
export { Balance, BalanceEntry, BalanceStatement, EntryFilter, StatementFilter } from "./schema.ts";
export { presentEntry, toCsv } from "./statement.ts";
export { accountStatementCsv, accountStatementPdf } from "./statement-files.ts";
export {
  isoDay,
  lastStatementDay,
  readStatementPeriod,
  type StatementPeriod,
  statementFileName,
} from "./statement-period.ts";
export { verifyLedger } from "./verify.ts";
