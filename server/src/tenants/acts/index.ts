// What other nouns use of acts. The rest of this folder is private to it.

export {
  type Act,
  type ActBy,
  type ActParts,
  act,
  call,
  type Doing,
  type TokensOfAct,
  userSession,
} from "./act.ts";
export { callerOf } from "./caller.ts";
export { doEach } from "./each.ts";
export { EachResult } from "./schema.ts";
