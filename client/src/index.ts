// Everything that callers may import.

export type { CallOptions, WriteOptions } from "./connection.ts";
export { Disburse } from "./disburse.ts";
export type * from "./endpoint-wire.ts";
export type { ErrorEntry } from "./errors.ts";
export {
  AuthenticationError,
  ConflictError,
  ConnectionError,
  DisburseError,
  NotFoundError,
  PermissionError,
  RateLimitError,
  ServerError,
  TimeoutError,
  ValidationError,
} from "./errors.ts";
export type * from "./event-bodies.ts";
export type * from "./event-wire.ts";
export type { ListenOptions } from "./feed.ts";
export type { List, Page } from "./list.ts";
export type { DisburseOptions } from "./options.ts";
export type * from "./payout-wire.ts";
export { signV1, signV2, stringToSignV2 } from "./sign.ts";
export { type WebhookProblem, WebhookVerificationError } from "./webhook-error.ts";
export type { WebhookHeaders } from "./webhook-headers.ts";
export type { UnwrapOptions, WebhookDelivery } from "./webhooks.ts";
export { webhooks } from "./webhooks.ts";
export type * from "./wire.ts";
