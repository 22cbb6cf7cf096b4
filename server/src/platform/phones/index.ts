// What other nouns use of phones. The rest of this folder is private to it.

export { isPossiblePhone } from "./phone.ts";
