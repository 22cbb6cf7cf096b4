// What other nouns use of log. The rest of this folder is private to it.

export { createLog, type Log } from "./log.ts";
