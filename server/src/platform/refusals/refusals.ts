// Every code we say no with: its HTTP status, its published text, and what the caller can do about it.
// The OpenAPI document, the error documentation and the tests are made from this one table.
// A code keeps its meaning for ever; a retired one is never used again.

import { refusalsAboutBankRequests } from "./bank-requests.ts";
import { refusalsOfConsole } from "./console.ts";
import { refusalsAboutEvents } from "./events.ts";
import { refusalsAboutLists } from "./lists.ts";
import { refusalsAboutMoney } from "./money.ts";
import { refusalsOfOperator } from "./operator.ts";
import { refusalsAboutReceivers } from "./receivers.ts";
import { refusalsAboutRules } from "./rules.ts";

export const refusals = {
  AUTH101: [401, "x-api-key header is missing", "Send your API key in the x-api-key header."],
  AUTH102: [401, "signature header is missing", "Sign the request and send the signature header."],
  AUTH103: [
    401,
    "signature is malformed",
    "Send `<ms>.<hex>`, or `v2.<ms>.<nonce>.<hex>`: 13 digits, a nonce of 16 to 64 characters, 64 lower-case hex digits.",
  ],
  AUTH104: [
    401,
    "API key is unknown, expired or revoked",
    "Check the key, or ask the operator for a new one.",
  ],
  AUTH105: [
    401,
    "signature does not match",
    "Check the secret, and that the bytes signed are the bytes sent. `disburse sign` prints the string to sign.",
  ],
  AUTH106: [
    401,
    "signature is outside the time window",
    "Correct your clock. The message has our time and the difference.",
  ],
  AUTH107: [
    401,
    "nonce has been used before",
    "Sign every request with a fresh nonce. If you did not send this request before, it was replayed.",
  ],
  AUTH108: [
    401,
    "this API key needs a version 2 signature",
    "Sign with version 2, or ask the operator to allow version 1.",
  ],
  AUTH109: [
    403,
    "caller's address is not on the key's list",
    "Call from a listed address, or ask the operator to add yours.",
  ],
  AUTH110: [
    403,
    "API key lacks the scope for this operation",
    "Use a key with the scope, or ask the operator.",
  ],

  AUTH111: [
    403,
    "this operation needs a test key",
    "Use a key of a test subaccount. The state of live data can't be set.",
  ],

  ...refusalsAboutReceivers,
  SUBA101: [400, "SubAccount not found", "The subaccount has been closed. Ask the operator."],
  SUBA102: [
    503,
    "SubAccount is moving to another cell",
    "Nothing was done. Send the request again after the seconds in Retry-After.",
  ],
  SUBA103: [
    503,
    "SubAccount has moved to another cell",
    "Nothing was done. Send the request again: it will reach the cell that has the subaccount now.",
  ],

  ...refusalsAboutEvents,
  ...refusalsOfConsole,
  ...refusalsOfOperator,

  ...refusalsAboutMoney,

  ...refusalsAboutBankRequests,
  ...refusalsAboutRules,
  ...refusalsAboutLists,

  IDEM101: [
    400,
    "Idempotency-Key is not valid",
    "1 to 255 visible ASCII characters, in one header.",
  ],
  IDEM102: [
    422,
    "Idempotency-Key was used for another request",
    "Use a new key for each request, and the same key only to repeat a request unchanged.",
  ],
  IDEM103: [
    409,
    "a request with this Idempotency-Key is still running",
    "Wait as long as Retry-After says and repeat the request. You get the response to the first one.",
  ],

  TEST201: [400, "ID is not valid", "Send the id of one of your receivers, or payouts."],
  TEST202: [400, "Type is not valid", "Send kyc or payout."],
  TEST203: [400, "Status is not valid", "Send success or fail, or (for a payout) return."],
  TEST204: [400, "Field is unknown", "Remove the field, or correct its spelling."],
  TEST205: [400, "Body is not a JSON object", "Send one JSON object in UTF-8."],
  TEST206: [400, "Cause code is not valid", "At most 100 characters, no control characters."],

  TEST207: [
    400,
    "Amount is not valid",
    "Send minor units: a whole number above zero, as a number or a string of digits.",
  ],
  TEST208: [400, "Currency is not valid", "Send an ISO 4217 code such as AUD."],
  TEST209: [400, "Reference is not valid", "1 to 100 characters, no control characters."],
  TEST210: [
    409,
    "Reference has funded before",
    "Send another reference, or none: each reference funds once.",
  ],
  TEST211: [
    409,
    "Payout goes through a bank connection",
    "Its outcome comes with the bank's files. Answer them with the bank simulator, or use a subaccount that no test connection lists.",
  ],

  KYCW101: [404, "no such identity check", "Check the path, and that KYC_PROVIDER names it."],
  KYCW102: [
    401,
    "digest does not match",
    "Check SUMSUB_WEBHOOK_SECRET, and that SHA-256 or SHA-512 is chosen.",
  ],
  KYCW103: [400, "report is malformed", "Send the report as its provider documents it."],
  KYCW104: [404, "applicant is not known", "Send the report again later."],

  RATE101: [429, "too many requests", "Wait as long as Retry-After says."],
  RATE102: [
    429,
    "too many writes in progress",
    "Wait for responses before you send more, and send payout batches one after the other. Retry-After says when to retry.",
  ],
  RATE103: [
    429,
    "too many rows of payout batches",
    "Wait as long as Retry-After says. Only payout batches are counted by rows.",
  ],

  SYST101: [404, "no such route", "Check the path against the documentation."],
  SYST102: [405, "method not allowed", "The allow header lists the methods of this path."],
  SYST103: [406, "not acceptable", "Accept application/json, or text/event-stream for the feed."],
  SYST104: [413, "body is too large", "The limit is 64 KiB, and 4 MiB for a payout batch."],
  SYST105: [
    415,
    "content type is not supported",
    "Send content-type: application/json, in UTF-8 and uncompressed.",
  ],
  SYST106: [400, "request is malformed", "Check the request line and the headers."],
  SYST107: [431, "headers are too large", "The limit for all headers together is 16 KiB."],
  SYST108: [408, "request took too long to arrive", "Send the whole request within 30 s."],
  SYST109: [
    503,
    "too many large bodies are being received",
    "Nothing has changed. Retry after Retry-After seconds, and send fewer large bodies at the same time.",
  ],
  SYST110: [
    400,
    "body has too many levels, fields or values",
    "The limits are 32 levels, 10000 fields in an object, and 100000 values in a body.",
  ],
  SYST111: [
    503,
    "this copy of the data is in quarantine",
    "Nothing has changed. It was restored from a backup or moved, and only answers reads until the operator releases it.",
  ],
  SYST112: [
    409,
    "stored data can't be decrypted",
    "Trying again does not help. Send the x-request-id of the response to the operator.",
  ],
  SYST500: [
    500,
    "internal error",
    "This is our fault. Send the x-request-id of the response to the operator.",
  ],
  SYST503: [
    503,
    "temporarily unavailable",
    "A write may or may not have been done. Retry after Retry-After seconds, with the same Idempotency-Key.",
  ],
} as const satisfies Record<string, readonly [status: number, text: string, cure: string]>;

export type Code = keyof typeof refusals;

export function isRefusalCode(text: string): text is Code {
  return Object.hasOwn(refusals, text);
}

/** One entry of the `error` array. */
export type Problem = { code: Code; message: string; field?: string };

export function problem(code: Code, field?: string): Problem {
  const message = refusals[code][1];
  return field === undefined ? { code, message } : { code, message, field };
}

/** Thrown wherever the answer is no. One handler renders it; the transaction around it rolls back. */
export class Refusal extends Error {
  readonly problems: readonly [Problem, ...Problem[]];
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    cause: Code | readonly [Problem, ...Problem[]],
    { message, headers = {} }: { message?: string; headers?: Record<string, string> } = {},
  ) {
    const problems: readonly [Problem, ...Problem[]] =
      typeof cause === "string" ? [{ ...problem(cause), ...(message && { message }) }] : cause;
    super(problems[0].code);
    this.name = "Refusal";
    this.problems = problems;
    this.headers = headers;
  }

  get status(): number {
    return refusals[this.problems[0].code][0];
  }
}

/** Nothing was done. The caller tries again, and by then the edge leads to the right cell. */
export function movedRefusal(state: "moving" | "moved"): Refusal {
  return new Refusal(state === "moved" ? "SUBA103" : "SUBA102", {
    headers: { "retry-after": "1" },
  });
}
