// What other nouns use of operator. The rest of this folder is private to it.

export {
  type CommandParts,
  commandBodyBytesMax,
  Outcome,
  type RunCommand,
  Words,
} from "./commands.ts";
export { registerOperator } from "./routes.ts";
