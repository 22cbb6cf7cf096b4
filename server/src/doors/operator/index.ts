// What other nouns use of operator. The rest of this folder is private to it.

export type { RunCommand } from "./commands.ts";
export { registerOperator } from "./routes.ts";
