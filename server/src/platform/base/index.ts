// What other nouns use of base. The rest of this folder is private to it.

export { type Caller, type Mode, modes, type Scope, scopes, whoOf } from "./caller.ts";
export { backoffMs, type Clock, systemClock } from "./clock.ts";
export {
  beforeIdOf,
  firstIdOf,
  idAfter,
  newestId,
  oldestId,
  readCursor,
  readSortedCursor,
  writeCursor,
  writeSortedCursor,
} from "./cursor.ts";
export {
  canBeOurs,
  idTimeMs,
  isTestEventId,
  isUuid,
  newId,
  newTestEventId,
  withoutEventPrefix,
} from "./ids.ts";
export {
  decimals,
  format,
  formatGrouped,
  formatPlain,
  isCurrency,
  parseDecimal,
  readAmount,
  thousand,
  toDecimal,
  toNearest,
  toNumber,
  toSum,
} from "./money.ts";
export {
  type RateLimit,
  rateLimiter,
  type Take,
  type TakeTokens,
  type TokenExchange,
} from "./rate-limit.ts";
export { commit, version } from "./version.ts";
