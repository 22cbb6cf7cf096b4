// What other nouns use of database. The rest of this folder is private to it.

export { type Opened, type OpenOptions, openDatabase } from "./open-database.ts";
export { keyNeeded, masterKeysOf, openKeys } from "./open-keys.ts";
