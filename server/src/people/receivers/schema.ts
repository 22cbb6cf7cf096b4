// The schemas of receivers: what callers send and receive.

import { iso31661Alpha3ToAlpha2 } from "iso-3166";
import Type, { type Static, type TOptional, type TProperties } from "typebox";
import { emailCharsMax, isEmail } from "../../platform/emails/index.ts";
import {
  answerTemplate,
  defineFormat,
  type FieldCodes,
  line,
  name,
  type SchemaExtras,
  text,
} from "../../platform/fields/index.ts";
import { limits } from "../../platform/limits/index.ts";
import { metadataField, metadataFilter, metadataSchema } from "../../platform/metadata/index.ts";
import {
  isBirthDate,
  type KycStatus,
  kycStatuses,
  newReceiverRules,
  readState,
  receiverChangeRules,
  receiverStatuses,
} from "./receiver.ts";

const nameCharsMax = 100;
const lineCharsMax = 200;

defineFormat("email-address", isEmail);
defineFormat("birth-date", (text) => isBirthDate(text));
defineFormat("country-alpha-3", (text) => Object.hasOwn(iso31661Alpha3ToAlpha2, text));

const ReceiverAddress = Type.Object({
  address: Type.String(),
  address2: Type.String(),
  state: Type.String(),
  city: Type.String(),
  country: Type.String({ description: "ISO 3166-1 alpha-3" }),
  postcode: Type.String(),
});

export const Receiver = Type.Object(
  {
    id: Type.String({ format: "uuid" }),
    first_name: Type.String(),
    last_name: Type.String(),
    middle_name: Type.String({ description: "May be empty" }),
    email: Type.String(),
    gender: Type.String({ enum: ["M", "F", "X", ""], description: "Empty once erased" }),
    dob: Type.String({ description: "Date of birth, YYYY-MM-DD" }),
    dialcode: Type.String({ description: "Telephone country code, digits without a plus sign" }),
    phone: Type.String({ description: "Digits" }),
    applicant_id: Type.String({ description: "The receiver's record at the identity check" }),
    kyc_status: Type.String({ enum: [...kycStatuses] }),
    status: Type.String({ enum: [...receiverStatuses] }),
    created_at: Type.String({ description: "Milliseconds since the Unix epoch" }),
    address_data: ReceiverAddress,
    metadata: metadataSchema,
  },
  { title: "Receiver" },
);
export type Receiver = Static<typeof Receiver>;

const extras: SchemaExtras = {
  unknownField: "REVR231",
  aliases: { fisrt_name: "first_name" },
};

export const NewReceiver = Type.Object(
  {
    first_name: text(
      { missing: "REVR204", invalid: "REVR215" },
      { pattern: name, maxLength: nameCharsMax, examples: ["Ada"] },
    ),
    // Sic. The published field table spells it this way, the published sample does not: both work.
    fisrt_name: Type.Optional(
      Type.String({ description: "Read as first_name where that is absent", deprecated: true }),
    ),
    last_name: text(
      { missing: "REVR205", invalid: "REVR216" },
      { pattern: name, maxLength: nameCharsMax, examples: ["Lovelace"] },
    ),
    middle_name: Type.Optional(
      text(
        { invalid: "REVR229" },
        { pattern: `^$|${name}`, minLength: 0, maxLength: nameCharsMax },
      ),
    ),
    email: text(
      { missing: "REVR203", invalid: "REVR214" },
      {
        format: "email-address",
        maxLength: emailCharsMax,
        description: "Unique among the receivers of the subaccount, in upper or lower case",
        examples: ["ada@example.com"],
      },
    ),
    dob: text(
      { missing: "REVR226", invalid: "REVR227" },
      {
        format: "birth-date",
        description: "YYYY-MM-DD, 16 to 120 years before today",
        examples: ["1990-12-10"],
      },
    ),
    dialcode: text(
      { missing: "REVR206", invalid: "REVR218" },
      { pattern: "^\\d{1,4}$", examples: ["61"] },
    ),
    phone: text(
      { missing: "REVR207", invalid: "REVR219" },
      { pattern: "^\\d{4,15}$", examples: ["412345678"] },
    ),
    address: text(
      { missing: "REVR208", invalid: "REVR220" },
      { pattern: line, maxLength: lineCharsMax, examples: ["1 St. Kilda Road"] },
    ),
    address2: text(
      { missing: "REVR209", invalid: "REVR221" },
      {
        pattern: line,
        minLength: 0,
        maxLength: lineCharsMax,
        description: "Required, may be empty",
        examples: [""],
      },
    ),
    gender: text(
      { missing: "REVR228", invalid: "REVR217" },
      { pattern: "^[MFX]$", description: "M, F or X", examples: ["F"] },
    ),
    city: text(
      { missing: "REVR210", invalid: "REVR222" },
      { pattern: line, maxLength: nameCharsMax, examples: ["Melbourne"] },
    ),
    state: text(
      { missing: "REVR211", invalid: "REVR223" },
      {
        pattern: line,
        minLength: 0,
        maxLength: nameCharsMax,
        description: "Required; may be empty if addresses in the country have none",
        examples: ["VIC"],
      },
    ),
    postcode: text(
      { missing: "REVR212", invalid: "REVR224" },
      {
        pattern: "^([A-Za-z0-9][A-Za-z0-9 -]{0,15})?$",
        minLength: 0,
        description: "Required; may be empty if the country has none",
        examples: ["3004"],
      },
    ),
    country: text(
      { missing: "REVR213", invalid: "REVR225" },
      { format: "country-alpha-3", description: "ISO 3166-1 alpha-3", examples: ["AUS"] },
    ),
    reference: Type.Optional(
      text(
        { invalid: "REVR230" },
        {
          pattern: line,
          minLength: 0,
          maxLength: lineCharsMax,
          description: "Your own reference for the receiver",
          examples: ["staff-0042"],
        },
      ),
    ),
    metadata: metadataField("REVR234", ". A change replaces all of them"),
  },
  { title: "NewReceiver", additionalProperties: false, ...extras, rules: newReceiverRules },
);
/** The body that a handler gets: checked, trimmed, and with the misspelt name corrected. */
export type NewReceiver = Omit<Static<typeof NewReceiver>, "fisrt_name">;

export const ReceiverChange = Type.Object(
  {
    ...optional(NewReceiver.properties),
    status: Type.Optional(
      text(
        { invalid: "REVR233" },
        { pattern: "^(active|inactive)$", description: "Whether the receiver can be paid" },
      ),
    ),
  },
  {
    title: "ReceiverChange",
    description:
      "Only the fields to change. A new name or date of birth starts a new identity check.",
    additionalProperties: false,
    ...extras,
    rules: receiverChangeRules,
  },
);
export type ReceiverChange = Omit<Static<typeof ReceiverChange>, "fisrt_name">;

/** A required field may be absent from a change, but a change can't empty it. */
function optional<Properties extends TProperties>(properties: Properties) {
  const changed = Object.entries(properties).map(([name, field]) => {
    const { codes } = field as { codes?: FieldCodes };
    return [name, Type.Optional({ ...field, ...(codes && { codes: { invalid: codes.invalid } }) })];
  });
  return Object.fromEntries(changed) as { [Name in keyof Properties]: TOptional<Properties[Name]> };
}

export const DeletedReceiver = Type.Object(
  {
    receiver_id: Type.String({ format: "uuid" }),
    status: Type.String({ enum: [...receiverStatuses] }),
  },
  { title: "DeletedReceiver" },
);

const withoutFields = (title: string) =>
  Type.Object(
    {},
    {
      title,
      description: "Has no fields yet; may be omitted",
      additionalProperties: false,
      ...({ unknownField: "REVR231" } satisfies SchemaExtras),
    },
  );

export const KycRestart = withoutFields("KycRestart");
export const NewKycLink = withoutFields("NewKycLink");

export const KycLink = Type.Object(
  {
    receiver_id: Type.String({ format: "uuid" }),
    url: Type.String({ description: "A secret of the person: it needs no sign-in" }),
    expires_at: Type.String({ description: "Milliseconds since the Unix epoch" }),
  },
  { title: "KycLink" },
);
export type KycLink = Static<typeof KycLink>;

const ReceiverStates = Type.Object({
  status: Type.String({ enum: [...receiverStatuses] }),
  kyc_status: Type.String({ enum: [...kycStatuses] }),
});

export const HistoryEntry = Type.Object(
  {
    id: Type.String({ format: "uuid" }),
    when: Type.String({ description: "Milliseconds since the Unix epoch" }),
    who: Type.String({ description: "key:<API key>, operator, provider:<name> or service" }),
    reason: Type.String(),
    from: Type.Union([ReceiverStates, Type.Null()], { description: "Null for the creation" }),
    to: ReceiverStates,
  },
  { title: "HistoryEntry" },
);
export type HistoryEntry = Static<typeof HistoryEntry>;

export const CreatedReceiver = Type.Object(
  {
    receiver_id: Type.String({ format: "uuid" }),
    kyc_status: Type.String({
      enum: kycStatuses.map((_word, code) => String(code)),
      description: "Code of the KYC state: 0 on creation",
    }),
  },
  { title: "CreatedReceiver" },
);
export type CreatedReceiver = Static<typeof CreatedReceiver>;

/** The whole response, as it is sent and stored. */
export const createdReceiverAnswer = answerTemplate((receiver_id) => {
  const payload: CreatedReceiver = { receiver_id, kyc_status: kycCode("pending") };
  return { message: "receiver created successfully", payload };
});

/** Published format: responses to writes have the code, records the word. */
export function kycCode(status: KycStatus): string {
  return String(kycStatuses.indexOf(status));
}

defineFormat("receiver-status", (value) => readState(receiverStatuses, value) !== undefined);
defineFormat("kyc-status", (value) => readState(kycStatuses, value) !== undefined);

const paging = {
  limit: Type.Optional(
    text(
      { invalid: "REVR401" },
      {
        format: "list-limit",
        description: `Receivers per page, 1 to ${limits.listMax}; default ${limits.listDefault}`,
      },
    ),
  ),
  cursor: Type.Optional(
    text(
      { invalid: "REVR404" },
      {
        format: "list-cursor",
        description: "The end of the page before, from its link header",
      },
    ),
  ),
};
const noOthers: SchemaExtras = { unknownField: "REVR405" };

export const HistoryFilter = Type.Object(paging, { title: "HistoryFilter", ...noOthers });

export const ReceiverFilter = Type.Object(
  {
    status: Type.Optional(
      text(
        { invalid: "REVR402" },
        {
          format: "receiver-status",
          description: `Code or word: ${described(receiverStatuses)}`,
        },
      ),
    ),
    kyc_status: Type.Optional(
      text(
        { invalid: "REVR403" },
        { format: "kyc-status", description: `Code or word: ${described(kycStatuses)}` },
      ),
    ),
    email: Type.Optional(
      text(
        { invalid: "REVR406" },
        {
          format: "email-address",
          maxLength: emailCharsMax,
          description: "The receiver with this email, in upper or lower case",
        },
      ),
    ),
    reference: Type.Optional(
      text(
        { invalid: "REVR407" },
        { pattern: line, maxLength: lineCharsMax, description: "Receivers with this reference" },
      ),
    ),
    metadata: metadataFilter("REVR408"),
    ...paging,
  },
  { title: "ReceiverFilter", ...noOthers, keyed: "metadata" },
);
export type ReceiverFilter = Static<typeof ReceiverFilter>;

function described(states: readonly string[]): string {
  return states.map((state, code) => `${code} ${state}`).join(", ");
}
