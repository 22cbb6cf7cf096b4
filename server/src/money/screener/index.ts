// What other nouns use of screener. The rest of this folder is private to it.

export { openScreener, screenerOfCommand } from "./screener.ts";
