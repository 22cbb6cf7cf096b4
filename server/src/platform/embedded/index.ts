// What other nouns use of embedded. The rest of this folder is private to it.

export { type Embedded, EmbeddedDatabaseError, openEmbedded } from "./embedded.ts";
export { findBinaries, giveOwnership } from "./embedded-binaries.ts";
export {
  connectionTo,
  embeddedMasterKey,
  hasDatabase,
  hasMasterKey,
  hasUnfinishedRestore,
  password,
  unfinishedRestorePath,
} from "./embedded-folder.ts";
export {
  administrator,
  answers,
  type EmbeddedServer,
  hasEnded,
  startEmbeddedServer,
} from "./embedded-server.ts";
