// What other nouns use of list-files. The rest of this folder is private to it.

export { allCountries, countryTitle, isCountryCode, readCountry } from "./countries.ts";
export {
  type HashedEntry,
  hashEntries,
  hashOfEntries,
  type ListEntry,
  type ListName,
  type NewList,
  type StoredEntry,
  tidyEntry,
  tidyText,
} from "./list-entry.ts";
export { hashOfFiles, type ListFile } from "./list-file.ts";
export { listLimits } from "./list-limits.ts";
export { readInThread } from "./read-thread.ts";
export {
  type FileListName,
  fileListNames,
  fileLists,
  readerVersion,
} from "./readers.ts";
