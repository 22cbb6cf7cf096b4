// What other nouns use of restore. The rest of this folder is private to it.

export { moveOut } from "./move-out.ts";
export { quarantine, quarantineName, release, requireReleasable } from "./release.ts";
export { restoreBackup } from "./restore.ts";
export { type VerifiedCopy, verifyCopy } from "./verify-restored.ts";
