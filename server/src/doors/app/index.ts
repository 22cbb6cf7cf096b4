// What other nouns use of app. The rest of this folder is private to it.

export { runService } from "./run.ts";
export { runSupervised } from "./supervised.ts";
