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

  AUTH111: [
    403,
    "this operation needs a test key",
    "Call it with a key of a test subaccount: live data can't be told what to become.",
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
  REVR233: [400, "Status is not valid", "Send active or inactive."],
  REVR301: [
    409,
    "Receiver has payouts under way",
    "Wait until they are successful or failed, or cancel them, and try again.",
  ],
  REVR302: [
    409,
    "Change is not allowed in this state",
    "Read the receiver first. The message says which change of which state was asked for.",
  ],
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
  REVR406: [400, "Email is not valid", "Send the whole address of one receiver."],
  REVR407: [400, "Reference is not valid", "Send 1 to 200 characters, no control characters."],
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

  REAC201: [400, "Receiver ID is required", "Send receiver_id."],
  REAC202: [400, "Account type is required", "Send account_type: I or B."],
  REAC203: [400, "Account number is required", "Send account_number, as a text."],
  REAC204: [400, "BSB is required", "Accounts of this country have one: send bsb."],
  REAC205: [400, "Bank code is required", "Accounts of this country have one: send bank_code."],
  REAC206: [400, "Account type is not valid", "Send I for an individual or B for a business."],
  REAC207: [
    400,
    "Account number is not valid",
    "The message says what is wrong. `GET /api/receiveraccount/schema` tells what the country asks for.",
  ],
  REAC208: [
    400,
    "BSB is not valid",
    "The message says what is wrong. `GET /api/receiveraccount/schema` tells what the country asks for.",
  ],
  REAC209: [
    400,
    "Bank code is not valid",
    "The message says what is wrong. `GET /api/receiveraccount/schema` tells what the country asks for.",
  ],
  REAC210: [
    400,
    "Business number is required",
    "A business in Australia gives its ABN or ACN, one in New Zealand its NZBN.",
  ],
  REAC211: [400, "Receiver ID is not valid", "Send the id of one of your receivers."],
  REAC212: [400, "ABN is not valid", "11 digits with the right check digits."],
  REAC213: [400, "ACN is not valid", "9 digits with the right check digit."],
  REAC214: [400, "NZBN is not valid", "13 digits that begin with 94, with the right check digit."],
  REAC215: [400, "Aka is not valid", "At most 200 characters, no control characters."],
  REAC216: [400, "Occupation is not valid", "At most 200 characters, no control characters."],
  REAC217: [400, "Home dialcode is not valid", "1 to 4 digits, without a plus sign."],
  REAC218: [
    400,
    "Home phone is not valid",
    "4 to 15 digits that make a possible number together with homedialcode.",
  ],
  REAC219: [400, "Address is not valid", "1 to 200 characters, no control characters."],
  REAC220: [400, "Address2 is not valid", "At most 200 characters, no control characters."],
  REAC221: [400, "City is not valid", "1 to 100 characters, no control characters."],
  REAC222: [
    400,
    "State is not valid",
    "1 to 100 characters. In Australia one of ACT, NSW, NT, QLD, SA, TAS, VIC, WA.",
  ],
  REAC223: [400, "Country is not valid", "Send an ISO 3166-1 alpha-3 code such as AUS."],
  REAC224: [
    400,
    "Postcode is not valid",
    "1 to 16 letters, digits, spaces or hyphens. In Australia and New Zealand 4 digits.",
  ],
  REAC225: [400, "Reference is not valid", "At most 200 characters, no control characters."],
  REAC226: [400, "Field is unknown", "Remove the field, or correct its spelling."],
  REAC227: [400, "Body is not a JSON object", "Send one JSON object in UTF-8."],
  REAC228: [400, "Country is required", "Send country, or the receiver_id whose country it is."],
  REAC301: [
    409,
    "Receiver account has payouts under way",
    "Wait until they are successful or failed, or cancel them, and try again.",
  ],
  REAC302: [409, "Receiver account is closed", "Add the account anew: a closed one stays closed."],
  REAC401: [400, "Country is not valid", "Send country, an ISO 3166-1 alpha-3 code such as AUS."],
  REAC402: [400, "Query parameter is unknown", "Remove the parameter, or correct its spelling."],

  SUBA101: [400, "SubAccount not found", "The subaccount has been closed. Ask the operator."],

  IDEM101: [
    400,
    "Idempotency-Key is not valid",
    "1 to 255 visible ASCII characters, in one header.",
  ],
  IDEM102: [
    422,
    "Idempotency-Key was used for another request",
    "Use a fresh key for each request, and the same one only to repeat it unchanged.",
  ],
  IDEM103: [
    409,
    "a request with this Idempotency-Key is still running",
    "Wait as long as Retry-After says and repeat the request: you get the answer of the first.",
  ],

  TEST201: [400, "ID is not valid", "Send the id of one of your receivers."],
  TEST202: [400, "Type is not valid", "Send kyc."],
  TEST203: [400, "Status is not valid", "Send success or fail."],
  TEST204: [400, "Field is unknown", "Remove the field, or correct its spelling."],
  TEST205: [400, "Body is not a JSON object", "Send one JSON object in UTF-8."],
  TEST206: [400, "Cause code is not valid", "At most 100 characters, no control characters."],

  KYCW101: [404, "no such identity check", "Check the path, and that KYC_PROVIDER names it."],
  KYCW102: [
    401,
    "digest does not match",
    "Check SUMSUB_WEBHOOK_SECRET, and that SHA-256 or SHA-512 is chosen.",
  ],
  KYCW103: [400, "report is malformed", "Send the report as its provider documents it."],
  KYCW104: [
    404,
    "applicant is not known",
    "Send the report again later, when we know the applicant.",
  ],

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
