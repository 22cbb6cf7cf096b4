// What other nouns use of payee-checks. The rest of this folder is private to it.

export {
  type PayeeNameChecker,
  type PayeeNameCheckers,
  type PayeeNameOutcome,
  payeeNameOutcomes,
} from "./checker.ts";
export { sandboxPayeeNameChecker } from "./sandbox.ts";
