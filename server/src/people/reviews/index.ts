// What other nouns use of reviews. The rest of this folder is private to it.

export { makersOfHit } from "./hit-makers.ts";
export { countUnrecorded } from "./subject-queries.ts";
export { startScreeningWorker } from "./worker.ts";
