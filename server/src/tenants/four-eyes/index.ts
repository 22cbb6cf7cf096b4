// What other nouns use of four-eyes. The rest of this folder is private to it.

export { conflictsOf, requireOtherUser } from "./four-eyes.ts";
export { type Conflict, insertSecretSeen } from "./four-eyes-queries.ts";
