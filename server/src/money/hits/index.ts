// What other nouns use of hits. The rest of this folder is private to it.

export {
  askAboutCase,
  decideDifferent,
  decideSame,
  refuseHeldPayout,
  releaseHeldPayout,
} from "./acts.ts";
export { findHold, type HeldRow, type HoldRow, listHeldPayouts } from "./held-queries.ts";
export { hitVersionOf, holdVersionOf } from "./versions.ts";
