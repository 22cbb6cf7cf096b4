// What other nouns use of diagnosis. The rest of this folder is private to it.

export { type CapturedRequest, diagnose } from "./diagnose.ts";
export { readSecret } from "./read-secret.ts";
