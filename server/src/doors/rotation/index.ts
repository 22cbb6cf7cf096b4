// What other nouns use of rotation. The rest of this folder is private to it.

export { withKeysInTarget } from "./bring-keys.ts";
export { rewrapDataKeys } from "./rewrap.ts";
export { type Rotated, RotationError, type RotationStep, rotateDataKeys } from "./rotate.ts";
export { type MasterKeyStatus, masterKeyStatus } from "./status.ts";
