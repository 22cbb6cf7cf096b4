// What other nouns use of limits. The rest of this folder is private to it.

export { limits } from "./limits.ts";
