// What other nouns use of statements. The rest of this folder is private to it.

export {
  closeBankMonthAct,
  decideStatementRepetition,
  giveStatementLinesToCompany,
  matchStatementLines,
  noteException,
  takeOpening,
  undoStatementLine,
} from "./acts.ts";
export { listClosingRefusals } from "./close-month.ts";
export { type BankException, exceptionKinds, listExceptions } from "./exceptions.ts";
export { lineDecisions } from "./line-decision.ts";
export { listMatches, listSentBatches } from "./match-queries.ts";
export { openingDecision } from "./opening.ts";
export { type BankPosition, findPosition, monthEndOf } from "./position.ts";
export { type ClosingRow, findClosingDocument, listClosings } from "./position-queries.ts";
export {
  findLine,
  listDoubtfulLines,
  listOpenLines,
  listStatementLines,
  listStatementPage,
  type StatementLineRow,
} from "./queries.ts";
export { statementRules } from "./rules.ts";
export {
  applyStatementFile,
  connectionsIn,
  connectionsToLock,
  ownersOf,
} from "./statement-file.ts";
export { type LineSuggestion, suggestFor } from "./suggest.ts";
