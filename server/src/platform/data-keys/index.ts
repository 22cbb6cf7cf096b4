// What other nouns use of data-keys. The rest of this folder is private to it.

export { followDataKeys, type KeyFollower, loadDataKeys } from "./follow.ts";
export { type KeyService, KeyServiceError, type KeyServices, keyServices } from "./key-service.ts";
export { localKeyService } from "./local-key-service.ts";
export {
  type DataKeyRow,
  databaseTimeMs,
  findKeys,
  insertDataKey,
  listDataKeys,
  listProcessesBehind,
  lockRotation,
  notifyOfDataKeys,
  runOn,
  updateCurrentKey,
  updateOldKeysEmptied,
  updateValuesLeft,
  updateWrapped,
} from "./queries.ts";
export { vaultKeyService } from "./vault-key-service.ts";
