// The schemas of webhook endpoints, their secrets, and the contact of a subaccount.

import Type, { type Static, type TOptional, type TString } from "typebox";
import { modes } from "../../platform/base/index.ts";
import { emailCharsMax, isEmail } from "../../platform/emails/index.ts";
import {
  eventTypes,
  onRequestTypes,
  publishedTypes,
} from "../../platform/event-catalogue/index.ts";
import {
  defineFormat,
  type FieldCodes,
  type Fields,
  input,
  line,
  name,
  optional,
  required,
  type SchemaExtras,
} from "../../platform/fields/index.ts";
import { limits } from "../../platform/limits/index.ts";
import { isPossiblePhone } from "../../platform/phones/index.ts";
import { type Problem, problem } from "../../platform/refusals/index.ts";
import { Subaccount, subaccountColumns } from "../../tenants/subaccounts/index.ts";

defineFormat("email-address-or-empty", (text) => text === "" || isEmail(text));

type TextOptions = { pattern?: string; format?: string; maxLength?: number; description?: string };
const text = (invalid: FieldCodes["invalid"], options: TextOptions) =>
  Type.Optional(Type.String({ ...options, codes: { invalid } satisfies FieldCodes }));

const person = { pattern: `^$|${name}`, maxLength: 100 };
const email = { format: "email-address-or-empty", maxLength: emailCharsMax };
const dialcode = { pattern: "^(\\+?\\d{1,4})?$", description: "Stored with a leading plus sign" };
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

const levelsOf = (more: object) =>
  Type.Record(
    Type.String({ pattern: "^[A-Z]{3}$" }),
    Type.Integer({ minimum: 1, maximum: Number(limits.amountMax) }),
    { additionalProperties: false, ...more },
  );

export const BalanceLevels = levelsOf({
  maxProperties: limits.balanceLevelsMax,
  description:
    "Currencies with a level in minor units: balanceLow is sent when the available balance falls below it. Replaces all; {} removes them",
  codes: { invalid: "SUBA217" } satisfies FieldCodes,
});

const extras: SchemaExtras = { unknownField: "SUBA211", rules: telephoneRules };

export const SubaccountChange = Type.Object(
  {
    postback_url: text("SUBA210", {
      description:
        'URL to which events are sent, public and https; "" for none. Setting it again, even unchanged, ' +
        "enables a disabled webhook endpoint and sends waiting events at once",
    }),
    event_types: Type.Optional(EventTypes),
    event_metadata: Type.Optional(
      Type.Boolean({
        description: "Whether events carry the metadata of their object, from the next change on",
        codes: { invalid: "SUBA216" } satisfies FieldCodes,
      }),
    ),
    balance_levels: Type.Optional(BalanceLevels),
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
    description: "Only the fields to change, at least one.",
    additionalProperties: false,
    ...extras,
  },
);
export type SubaccountChange = Static<typeof SubaccountChange>;

// The console's settings: the webhook URL is changed on its own screen, which asks for a fresh proof.
const { postback_url: _, ...profile } = SubaccountChange.properties;
export const ProfileChange = Type.Object(profile, { additionalProperties: false, ...extras });
export type ProfileChange = Static<typeof ProfileChange>;

export const ChangedSubaccount = Type.Object(
  {
    ...Subaccount.properties,
    postback_secret: Type.Optional(
      Type.String({
        description:
          "Verifies your events. Only present when this request set the first postback_url; " +
          "shown once",
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
        description: `Seconds for which the previous secrets stay valid; default ${overlapSDefault}`,
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
    secret: Type.String({ description: "Shown once", examples: ["whsec_…"] }),
    secrets: Type.Array(PostbackSecret, { description: "All live secrets, newest first" }),
  },
  { title: "RotatedSecret" },
);
export type RotatedSecret = Static<typeof RotatedSecret>;

export const Postback = Type.Object(
  {
    postback_url: Type.String({ description: "Empty: events are not sent" }),
    status: Type.String({ enum: ["none", "working", "failing", "disabled"] }),
    failing_since: moment("Null while it works"),
    failing_for: Type.Union([Type.String({ enum: ["1h", "24h", "7d"] }), Type.Null()], {
      description: "How long it has been failing: the longest of these periods",
    }),
    disabled_at: moment(
      "It responded with 410, or was paused. Set postback_url again to enable it",
    ),
    next_attempt_at: moment(
      "A time in the past means that it is due. Null if no attempt is planned",
    ),
    oldest_waiting_at: moment("Null if no event waits"),
    waiting: Type.Number({
      description: `Number of waiting events, counted up to ${limits.waitingCountedMax}`,
    }),
    secrets: Type.Array(PostbackSecret, { description: "All live secrets, newest first" }),
    event_types: Type.Array(Type.String({ enum: [...eventTypes] }), {
      description: "All types that are sent: the published types, and the requested ones",
    }),
    balance_levels: Type.Optional(
      levelsOf({ description: "In minor units, by currency. Absent: there are none" }),
    ),
    event_metadata: Type.Optional(
      Type.Boolean({
        description: "Events carry the metadata of their object. Absent: they do not",
      }),
    ),
  },
  { title: "Postback" },
);
export type Postback = Static<typeof Postback>;

const details = Object.fromEntries(
  subaccountColumns.map((column) => {
    const description = column.replaceAll("_", " ");
    return [column, optional(Type.String({ description }))];
  }),
) as Record<(typeof subaccountColumns)[number], TOptional<TString>>;

export const NewSubaccount = input({
  name: required(
    Type.String({
      pattern: line,
      minLength: 1,
      maxLength: 100,
      description: "name of the subaccount",
    }),
  ),
  mode: required(Type.String({ enum: [...modes], description: "can't be changed later" })),
  ...details,
  postback_url: optional(
    Type.String({ maxLength: 2048, description: "webhook URL for its events" }),
  ),
});

export const MadeSubaccount = Type.Object({
  id: Type.String(),
  name: Type.String(),
  mode: Type.String({ enum: [...modes] }),
  key: Type.String(),
  /** The secret of the first key. Shown once. */
  secret: Type.String(),
  /** The first key works once another user has approved it. */
  awaits_approval: Type.Boolean(),
});
export type MadeSubaccount = Static<typeof MadeSubaccount>;
