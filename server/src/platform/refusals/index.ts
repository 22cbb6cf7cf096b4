// What other nouns use of refusals. The rest of this folder is private to it.

export {
  type Code,
  isRefusalCode,
  movedRefusal,
  type Problem,
  problem,
  Refusal,
  refusals,
} from "./refusals.ts";
