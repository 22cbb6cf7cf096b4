// What other nouns use of operator. The rest of this folder is private to it.

export { registerOperator } from "./routes.ts";
