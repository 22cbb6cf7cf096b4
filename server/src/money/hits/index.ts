// What other nouns use of hits. The rest of this folder is private to it.

export { type DecidedHit, decideHit } from "./decide-hit.ts";
