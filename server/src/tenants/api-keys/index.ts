// What other nouns use of api-keys. The rest of this folder is private to it.

export { askForActivation } from "./activation.ts";
export { createApiKey, renameApiKey, revokeApiKey, rotateApiKey } from "./acts.ts";
export { cellOfKey, secretIdentity, usualScopes } from "./api-key.ts";
export { type KeyCache, keyCache, type LiveKey, type LiveSecret } from "./cache.ts";
export { addKey, type IssuedKey } from "./create.ts";
export {
  deleteWaitingSecret,
  listKeys,
  lockKey,
  lockSubaccount,
  updateKeyApproved,
  updateKeysVersion,
} from "./queries.ts";
export { endKey, revokeKey } from "./revoke.ts";
export { approveWaitingSecret } from "./rotate.ts";
export { IssuedSecret } from "./schema.ts";
