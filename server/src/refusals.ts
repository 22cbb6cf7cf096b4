// Every code we say no with: its HTTP status, its published text, and what the caller can do about it.
// The OpenAPI document, the error documentation and the tests are made from this one table.
// A code keeps its meaning for ever; a retired one is never used again.

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
    "Correct your clock. The message gives ours and the difference.",
  ],
  AUTH107: [
    401,
    "nonce has been used before",
    "Sign every request with a fresh nonce. If you did not send this request before, somebody replayed it.",
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

  REVR101: [400, "Receiver ID not found", "Check the id. It must belong to your subaccount."],
  REVR102: [400, "Receiver ID is missing", "Put the receiver's id in the path."],
  REVR201: [
    400,
    "Email already exist",
    "One of your receivers has this e-mail address. Find it, or use another address.",
  ],
  REVR203: [400, "Email is required", "Send email."],
  REVR204: [400, "First name is required", "Send first_name."],
  REVR205: [400, "Last name is required", "Send last_name."],
  REVR206: [400, "Dialcode is required", "Send dialcode."],
  REVR207: [400, "Phone is required", "Send phone."],
  REVR208: [400, "Address is required", "Send address."],
  REVR209: [400, "Address2 is required", 'Send address2; "" is fine.'],
  REVR210: [400, "City is required", "Send city."],
  REVR211: [400, "State is required", "Send state."],
  REVR212: [400, "Postcode is required", "Send postcode."],
  REVR213: [400, "Country is required", "Send country."],
  REVR214: [400, "Email is not valid", "Send one address of at most 254 characters."],
  REVR215: [
    400,
    "First name is not valid",
    "1 to 100 characters: letters, marks, spaces, apostrophe, hyphen, full stop.",
  ],
  REVR216: [
    400,
    "Last name is not valid",
    "1 to 100 characters: letters, marks, spaces, apostrophe, hyphen, full stop.",
  ],
  REVR217: [400, "Gender is not valid", "Send M, F or X."],
  REVR218: [400, "Dialcode is not valid", "1 to 4 digits, without a plus sign."],
  REVR219: [
    400,
    "Phone is not valid",
    "4 to 15 digits that make a possible number together with dialcode.",
  ],
  REVR220: [400, "Address is not valid", "1 to 200 characters, no control characters."],
  REVR221: [400, "Address2 is not valid", "At most 200 characters, no control characters."],
  REVR222: [400, "City is not valid", "1 to 100 characters, no control characters."],
  REVR223: [
    400,
    "State is not valid",
    "1 to 100 characters. In Australia one of ACT, NSW, NT, QLD, SA, TAS, VIC, WA.",
  ],
  REVR224: [
    400,
    "Postcode is not valid",
    "1 to 16 letters, digits, spaces or hyphens. In Australia and New Zealand 4 digits.",
  ],
  REVR225: [400, "Country is not valid", "Send an ISO 3166-1 alpha-3 code such as AUS."],
  REVR226: [400, "Date of birth is required", "Send dob."],
  REVR227: [
    400,
    "Date of birth is not valid",
    "A real date as YYYY-MM-DD, 16 to 120 years before today.",
  ],
  REVR228: [400, "Gender is required", "Send gender."],
  REVR229: [
    400,
    "Middle name is not valid",
    "At most 100 characters: letters, marks, spaces, apostrophe, hyphen, full stop.",
  ],
  REVR230: [400, "Reference is not valid", "At most 200 characters, no control characters."],
  REVR231: [400, "Field is unknown", "Remove the field, or correct its spelling."],
  REVR232: [400, "Body is not a JSON object", "Send one JSON object in UTF-8."],
  REVR401: [400, "Limit is not valid", "Send a whole number from 1 to 1000."],
  REVR402: [
    400,
    "Status is not valid",
    "Send a code from 0 to 4, or creating, pending, active, inactive or failed.",
  ],
  REVR403: [
    400,
    "KYC status is not valid",
    "Send a code from 0 to 2, or pending, completed or failed.",
  ],
  REVR404: [
    400,
    "Cursor is not valid",
    "Take the cursor from the link header of the page before, unchanged.",
  ],
  REVR405: [400, "Query parameter is unknown", "Remove the parameter, or correct its spelling."],

  // The next two texts look swapped. Callers may match on them, so they stay as published.
  REAC104: [
    400,
    "Receiver ID not found",
    "Check the receiver account's id. It must belong to your subaccount.",
  ],
  REAC101: [
    400,
    "Receiver Account ID not found",
    "Check the receiver's id. It must belong to your subaccount.",
  ],

  SUBA101: [400, "SubAccount not found", "The subaccount has been closed. Ask the operator."],

  RATE101: [429, "too many requests", "Wait as long as Retry-After says."],

  SYST101: [404, "no such route", "Check the path against the documentation."],
  SYST102: [405, "method not allowed", "The allow header lists the methods of this path."],
  SYST103: [406, "not acceptable", "We answer in application/json: accept that."],
  SYST104: [413, "body is too large", "A body may have 64 KiB."],
  SYST105: [
    415,
    "content type is not supported",
    "Send content-type: application/json, in UTF-8 and uncompressed.",
  ],
  SYST106: [400, "request is malformed", "Check the request line and the headers."],
  SYST107: [431, "headers are too large", "All headers together may have 16 KiB."],
  SYST108: [408, "request took too long to arrive", "Send the whole request within 30 s."],
  SYST500: [
    500,
    "internal error",
    "Not your fault. Tell the operator the x-request-id of the answer.",
  ],
  SYST503: [
    503,
    "temporarily unavailable",
    "Nothing is known to have changed; the outcome of a write may be open. Try again as Retry-After says.",
  ],
} as const satisfies Record<string, readonly [status: number, text: string, cure: string]>;

export type Code = keyof typeof refusals;

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
