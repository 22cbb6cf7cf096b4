// What other nouns use of inbound-files. The rest of this folder is private to it.

export {
  type AppliedInbound,
  applyInbound,
  type InboundResult,
  inboundChunkIdentity,
} from "./inbound.ts";
export { pollFolderDue, pollFolderNow } from "./inbound-folder.ts";
export {
  countRefusedFiles,
  type FolderFileRow,
  listFolderFiles,
  listFolderPolls,
  listRefusedFiles,
  setFileIgnored,
} from "./inbound-folder-queries.ts";
