// What other nouns use of supervisor. The rest of this folder is private to it.

export { supervise } from "./supervise.ts";
