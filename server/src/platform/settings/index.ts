// What other nouns use of settings. The rest of this folder is private to it.

export {
  addressList,
  consoleUrl,
  httpsUrl,
  httpUrl,
  InvalidSetting,
  postbackAddresses,
  postgresUrl,
} from "./address-settings.ts";
export { backupProblems, backupSettings } from "./backup-settings.ts";
export { readDatabaseUrl } from "./database-url.ts";
export { type KeySettings, keySettings, readKeySettings } from "./key-settings.ts";
export {
  cellName,
  oneOf,
  optionalPath,
  poolOf,
  portAbove,
  processCount,
  processPoolMin,
  wholeNumber,
} from "./setting-readers.ts";
