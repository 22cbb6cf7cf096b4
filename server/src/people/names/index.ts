// What other nouns use of names. The rest of this folder is private to it.

export { compareNames, matchThreshold, type NameReason } from "./compare.ts";
export { type FoundName, indexNames, type NameIndex } from "./name-index.ts";
export { type NameKind, prepareName } from "./prepare.ts";
