// What crosses the wire about where a subaccount's events go, and about who is to be reached there.

import Type, { type Static } from "typebox";
import { emailCharsMax, isEmail, isPossiblePhone } from "../contact.ts";
import { eventTypes, onRequestTypes, publishedTypes } from "../event-catalogue.ts";
import {
  defineFormat,
  type FieldCodes,
  type Fields,
  line,
  name,
  type SchemaExtras,
} from "../fields/fields.ts";
import { limits } from "../limits.ts";
import { type Problem, problem } from "../refusals/refusals.ts";
import { Subaccount } from "../subaccounts/schema.ts";

defineFormat("email-address-or-empty", (text) => text === "" || isEmail(text));

type TextOptions = { pattern?: string; format?: string; maxLength?: number; description?: string };
const text = (invalid: FieldCodes["invalid"], options: TextOptions) =>
  Type.Optional(Type.String({ ...options, codes: { invalid } satisfies FieldCodes }));

const person = { pattern: `^$|${name}`, maxLength: 100 };
const email = { format: "email-address-or-empty", maxLength: emailCharsMax };
const dialcode = { pattern: "^(\\+?\\d{1,4})?$", description: "Kept with a leading plus sign" };
const telephone = { pattern: "^(\\d{4,15})?$", description: "Digits" };

/** A number and its dialcode, which must be possible together. */
export const telephones = [
  { dialcode: "mobile_dialcode", number: "mobile", code: "SUBA207" },
  { dialcode: "home_phone_international_dialcode", number: "home_telephone", code: "SUBA209" },
] as const;

export function telephoneRules(fields: Fields): Problem[] {
  return telephones.flatMap(({ dialcode, number, code }) => {
    const prefix = String(fields[dialcode] ?? "").replace("+", "");
    const digits = String(fields[number] ?? "");
    const isFine = prefix === "" || digits === "" || isPossiblePhone(prefix, digits);
    return isFine ? [] : [problem(code, number)];
  });
}

export const EventTypes = Type.Array(Type.String({ enum: [...eventTypes] }), {
  maxItems: 100,
  description:
    `Types of events that are sent beside the published ones: ${onRequestTypes.join(", ")}. The published ones, ` +
    `${publishedTypes.join(", ")}, are always sent and need not be named`,
  codes: { invalid: "SUBA215" } satisfies FieldCodes,
});

const extras: SchemaExtras = { unknownField: "SUBA211", rules: telephoneRules };

export const SubaccountChange = Type.Object(
  {
    postback_url: text("SUBA210", {
      description:
        'Where events are sent: a public https address; "" for nowhere. Sent again, also unchanged, it ' +
        "enables an endpoint that was disabled, and what waits is tried at once",
    }),
    event_types: Type.Optional(EventTypes),
    title: text("SUBA201", { pattern: line, maxLength: 100, description: "Honorific" }),
    first_name: text("SUBA202", person),
    last_name: text("SUBA203", person),
    email: text("SUBA204", email),
    support_email: text("SUBA205", email),
    mobile_dialcode: text("SUBA206", dialcode),
    mobile: text("SUBA207", telephone),
    home_phone_international_dialcode: text("SUBA208", dialcode),
    home_telephone: text("SUBA209", telephone),
  },
  {
    title: "SubaccountChange",
    description: "Only what is to change, and at least one of the fields.",
    additionalProperties: false,
    ...extras,
  },
);
export type SubaccountChange = Static<typeof SubaccountChange>;

export const ChangedSubaccount = Type.Object(
  {
    ...Subaccount.properties,
    postback_secret: Type.Optional(
      Type.String({
        description:
          "Verifies your events. Only there when this set the first postback_url, and shown this once",
        examples: ["whsec_…"],
      }),
    ),
  },
  { title: "ChangedSubaccount" },
);
export type ChangedSubaccount = Static<typeof ChangedSubaccount>;

const overlapSMax = limits.rotationGraceMaxMs / 1000;
export const overlapSDefault = limits.rotationGraceDefaultMs / 1000;

export const SecretRotation = Type.Object(
  {
    overlap_s: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: overlapSMax,
        description: `Seconds that the secrets before go on; ${overlapSDefault} when absent`,
        codes: { invalid: "SUBA214" } satisfies FieldCodes,
      }),
    ),
  },
  {
    title: "SecretRotation",
    additionalProperties: false,
    ...({ unknownField: "SUBA211" } satisfies SchemaExtras),
  },
);

const milliseconds = "Milliseconds since the Unix epoch";
const moment = (description: string) =>
  Type.Union([Type.String(), Type.Null()], { description: `${milliseconds}. ${description}` });

const PostbackSecret = Type.Object(
  {
    created_at: Type.String({ description: milliseconds }),
    expires_at: moment("Null: until the next rotation"),
  },
  { title: "PostbackSecret" },
);

export const RotatedSecret = Type.Object(
  {
    secret: Type.String({ description: "Shown this once", examples: ["whsec_…"] }),
    secrets: Type.Array(PostbackSecret, { description: "All that are live, newest first" }),
  },
  { title: "RotatedSecret" },
);
export type RotatedSecret = Static<typeof RotatedSecret>;

export const Postback = Type.Object(
  {
    postback_url: Type.String({ description: "Empty: nowhere" }),
    status: Type.String({ enum: ["none", "working", "failing", "disabled"] }),
    failing_since: moment("Null while it works"),
    failing_for: Type.Union([Type.String({ enum: ["1h", "24h", "7d"] }), Type.Null()], {
      description: "The longest of these that it has been failing for",
    }),
    disabled_at: moment("It answered 410, or was paused. Set postback_url again to enable it"),
    next_attempt_at: moment("May lie in the past: then it is due. Null where nothing is tried"),
    oldest_waiting_at: moment("Null where nothing waits"),
    waiting: Type.Number({
      description: `Events that wait, counted up to ${limits.waitingCountedMax} and no further`,
    }),
    secrets: Type.Array(PostbackSecret, { description: "All that are live, newest first" }),
    event_types: Type.Array(Type.String({ enum: [...eventTypes] }), {
      description: "Everything that is sent: the published types, and those that were asked for",
    }),
  },
  { title: "Postback" },
);
export type Postback = Static<typeof Postback>;
