// What other nouns use of api-keys. The rest of this folder is private to it.

export { cellOfKey, moneyScopes, secretIdentity, usualScopes } from "./api-key.ts";
export { type KeyCache, keyCache, type LiveKey, type LiveSecret } from "./cache.ts";
export { addKey, type IssuedKey, type KeyRequest } from "./create.ts";
export {
  deleteWaitingSecret,
  type KeySummary,
  listKeys,
  lockKey,
  lockSubaccount,
  updateKeyApproved,
  updateKeysVersion,
} from "./queries.ts";
export { endKey, revokeKey } from "./revoke.ts";
export { addWaitingSecret, approveWaitingSecret, replaceSecret, rotateKey } from "./rotate.ts";
