// What other nouns use of inbound-files. The rest of this folder is private to it.

export { confirmBankRequest } from "./confirm.ts";
export { ignoreFolderFile, pollBankFolder } from "./folder-acts.ts";
export { inboundChunkIdentity } from "./inbound.ts";
export { pollFolderDue } from "./inbound-folder.ts";
export {
  countRefusedFiles,
  type FolderFileRow,
  listFolderFiles,
  listFolderPolls,
  listRefusedFiles,
} from "./inbound-folder-queries.ts";
export { applyBankFile } from "./upload.ts";
