// What other nouns use of installation. The rest of this folder is private to it.

export {
  ensureInstallation,
  type FoundInstallation,
  findMasterKeyCheck,
  hasInstallation,
  InstallationError,
  masterKeyCheckIdentity,
  provesMasterKey,
} from "./installation.ts";
export {
  countConnections,
  findQuarantine,
  liftQuarantine,
  setQuarantine,
} from "./quarantine-queries.ts";
