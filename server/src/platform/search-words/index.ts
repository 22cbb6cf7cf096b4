// What other nouns use of search-words. The rest of this folder is private to it.

export {
  deletePayoutWords,
  findSearchProgress,
  insertRowWords,
  insertSubaccountWords,
  listSubaccountsWithoutWords,
  lockSearchWords,
  type RowWord,
  replaceReceiverWords,
  type SearchProgress,
  saveSearchProgress,
} from "./queries.ts";
export {
  fold,
  foldedWords,
  isLongEnough,
  type NamedReceiver,
  nameWords,
  payoutWords,
  queryName,
  queryWords,
  receiverText,
  receiverWords,
  searchMarksOf,
} from "./words.ts";
