// What other nouns use of accounts. The rest of this folder is private to it.

export {
  type AddedAccount,
  addAccount,
  approveBankChange,
  changeBankDetails,
  checkPayeeName,
  closeReceiverAccount,
  rejectBankChange,
  revealBankChange,
  revealNumber,
} from "./acts.ts";
export { decisionEntry } from "./audit-entries.ts";
export { isProposedAccount, proposalIdentity } from "./bank-change.ts";
export {
  type BankChange,
  countWaitingBankChanges,
  listBankChanges,
  listWaitingAccounts,
  listWaitingBankChanges,
  makersOfChange,
} from "./bank-change-queries.ts";
export { changeAccount } from "./change.ts";
export { createAccount, validateAccount } from "./create.ts";
export { expireBankChange } from "./decide-change.ts";
export { deleteAccount } from "./delete.ts";
export { findKeyOfAccountHolder } from "./holder-queries.ts";
export { accountMarks, comparableNumber } from "./mark.ts";
export { startPayeeCheckWorker } from "./payee-check-worker.ts";
export { proposeChange } from "./propose-change.ts";
export { type AccountKey, findAccount, listAccountMakers, listAccounts } from "./queries.ts";
export {
  AccountSchema,
  AccountSchemaQuery,
  AccountWarning,
  CreatedReceiverAccount,
  DeletedReceiverAccount,
  NewReceiverAccount,
  ReceiverAccount,
  ReceiverAccountChange,
  ReceiverAccountFilter,
  ReceiverAccountToValidate,
  ValidatedReceiverAccount,
} from "./schema.ts";
