// What other nouns use of subaccounts. The rest of this folder is private to it.

export { closeSubaccount, endSubaccount } from "./close.ts";
export { addSubaccount, createSubaccount } from "./create.ts";
export { createKey } from "./create-key.ts";
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
export {
  type FoundSubaccount,
  findSubaccount,
  listSubaccounts,
  type SubaccountDetails,
  subaccountColumns,
  updateStatementName,
  updateSubaccountDetails,
} from "./queries.ts";
export { Subaccount } from "./schema.ts";
