// What other nouns use of operator-tokens. The rest of this folder is private to it.

export { approveOperatorToken, createOperatorToken, revokeOperatorToken } from "./acts.ts";
export { deleteExpiredOperatorAnswers } from "./answer-queries.ts";
export {
  type Claim,
  claimAnswer,
  operatorAnswerIdentity,
  type StoredAnswer,
} from "./answers.ts";
export { expireOperatorToken } from "./expire.ts";
export { endedBecause, findTokenSession } from "./find.ts";
export {
  listEndingTokens,
  listTokens,
  listWaitingTokens,
  revokeTokensOf,
  type TokenRow,
} from "./queries.ts";
export { isWeighty } from "./token.ts";
