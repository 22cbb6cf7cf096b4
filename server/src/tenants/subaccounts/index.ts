// What other nouns use of subaccounts. The rest of this folder is private to it.

export { closeForGood, setSecondUser, setStatementName } from "./acts.ts";
export { addSubaccount, createSubaccount } from "./create.ts";
export {
  findSubaccounts,
  listBetween,
  listIdsBefore,
  listNamed,
  listOldest,
  listWorded,
  type Seen,
  type SubaccountRow,
} from "./find-queries.ts";
export { dropReceiptLogo, setReceiptLogo } from "./logo-acts.ts";
export { findReceiptLogo } from "./logo-queries.ts";
export {
  findSubaccount,
  listSubaccounts,
  type SubaccountDetails,
  subaccountColumns,
  updateBalanceLevels,
  updateEventMetadata,
  updateSubaccountDetails,
} from "./queries.ts";
export { Subaccount } from "./schema.ts";
