// The schemas of receiver accounts: what callers send and receive.

import Type, { type Static, type TString, type TStringOptions } from "typebox";
import { type FieldCodes, line, type SchemaExtras } from "../../platform/fields/index.ts";
import { limits } from "../../platform/limits/index.ts";
import { metadataField, metadataFilter, metadataSchema } from "../../platform/metadata/index.ts";
import type { Code } from "../../platform/refusals/index.ts";
import type { BankAccountSchema as CountrySchema } from "../account-rules/index.ts";
import { payeeNameOutcomes } from "../payee-checks/index.ts";
import { addressOutcomes } from "../person/index.ts";
import { kycStatuses, NewReceiver } from "../receivers/index.ts";

const ReceiverAccountAddress = Type.Object({
  address: Type.String(),
  address2: Type.String(),
  city: Type.String(),
  state: Type.String(),
  country: Type.String(),
  postcode: Type.String(),
});

const BankAccountData = Type.Object({
  account_number: Type.String({ description: "A string, because leading zeros are significant" }),
  bank_code: Type.String(),
  bsb: Type.String(),
});

const outcomes = Object.entries(addressOutcomes).map(([word, meaning]) => `${word}: ${meaning}`);

export const AccountData = Type.Object({
  receiver_accepted: Type.Boolean({ description: "False once the account is closed" }),
  receiver_address_accepted: Type.Boolean(),
  receiver_address_outcome: Type.Union([Type.Null(), Type.String()], {
    description: `Null until it was checked. ${outcomes.join("; ")}`,
  }),
});

export const ReceiverAccount = Type.Object(
  {
    id: Type.String({ format: "uuid" }),
    first_name: Type.String(),
    last_name: Type.String(),
    email: Type.String(),
    dob: Type.String({ description: "YYYY-MM-DD" }),
    gender: Type.String({ enum: ["M", "F", "X", ""], description: "Empty once erased" }),
    aka: Type.String({ description: "Alias; may be empty" }),
    occupation: Type.String({ description: "May be empty" }),
    reference: Type.String({ description: "Your own reference for the receiver" }),
    mobile_international_dialcode: Type.String(),
    mobile: Type.String(),
    home_phone_international_dialcode: Type.String({ description: "May be empty" }),
    home_phone: Type.String({ description: "May be empty" }),
    individual_or_business: Type.String({
      enum: ["I", "B"],
      description: "Individual or business",
    }),
    abn: Type.String({ description: "May be empty" }),
    nzbn: Type.String({ description: "May be empty" }),
    acn: Type.String({ description: "May be empty" }),
    business_name: Type.Optional(Type.String({ description: "Only for a business; may be empty" })),
    checking_or_savings: Type.Optional(
      Type.String({ enum: ["checking", "savings"], description: "Only in the United States" }),
    ),
    kyc_status: Type.String({ enum: [...kycStatuses] }),
    payee_name_check: Type.Optional(
      Type.String({
        enum: [...payeeNameOutcomes],
        description: "Whether the bank knows the payee by this name. Absent until it was checked",
      }),
    ),
    address_data: ReceiverAccountAddress,
    bank_account_data: BankAccountData,
    account_data: AccountData,
    metadata: metadataSchema,
  },
  { title: "ReceiverAccount" },
);
export type ReceiverAccount = Static<typeof ReceiverAccount>;

const charsMax = 200;

/** The country decides the format of each field: see accounts/banks. */
function text(codes: FieldCodes, options: TStringOptions = {}): TString {
  return Type.String({ maxLength: charsMax, ...options, codes });
}

// The properties exist at run time, but their type does not say so.
const person = NewReceiver.properties as unknown as Record<keyof NewReceiver, TStringOptions>;

/** The same field as a receiver's, with its own code. */
function asOfReceiver(name: keyof NewReceiver, invalid: Code, options: TStringOptions = {}) {
  return Type.Optional(Type.String({ ...person[name], ...options, codes: { invalid } }));
}

function mayBeEmpty(name: "dialcode" | "phone"): TStringOptions {
  return { minLength: 0, pattern: `^$|${person[name].pattern}`, description: "May be empty" };
}

const accountType = { pattern: "^[IB]$", description: "I individual, B business", examples: ["I"] };
const accountNumber = {
  description:
    "A string, because leading zeros are significant. An IBAN in countries that use them",
  examples: ["12345999"],
};

function addressFields(description: string) {
  return {
    address: asOfReceiver("address", "REAC219", { description }),
    address2: asOfReceiver("address2", "REAC220", { description }),
    city: asOfReceiver("city", "REAC221", { description }),
    state: asOfReceiver("state", "REAC222", { description }),
    country: asOfReceiver("country", "REAC223", {
      description: `ISO 3166-1 alpha-3: the country of the account. ${description}`,
    }),
    postcode: asOfReceiver("postcode", "REAC224", { description }),
    reference: asOfReceiver("reference", "REAC225", { description }),
  };
}

const optionalFields = {
  bsb: Type.Optional(
    text({ invalid: "REAC208" }, { description: "If the country has one", examples: ["062000"] }),
  ),
  bank_code: Type.Optional(
    text(
      { invalid: "REAC209" },
      {
        description:
          "If the country has one: routing number, sort code, IFSC, institution and transit " +
          "number, or BIC. Derived from the other fields in Australia and New Zealand",
      },
    ),
  ),
  aka: asOfReceiver("address2", "REAC215", {
    description: "Alias; may be empty",
    examples: ["Analytical Engines Pty Ltd"],
  }),
  occupation: asOfReceiver("address2", "REAC216", {
    description: "May be empty",
    examples: ["Software"],
  }),
  homedialcode: asOfReceiver("dialcode", "REAC217", mayBeEmpty("dialcode")),
  homephone: asOfReceiver("phone", "REAC218", mayBeEmpty("phone")),
  abn: Type.Optional(
    text(
      { invalid: "REAC212" },
      { description: "Australian Business Number. A business in Australia needs this or an ACN" },
    ),
  ),
  acn: Type.Optional(text({ invalid: "REAC213" }, { description: "Australian Company Number" })),
  nzbn: Type.Optional(
    text(
      { invalid: "REAC214" },
      { description: "New Zealand Business Number. Required for a business in New Zealand" },
    ),
  ),
  business_name: Type.Optional(
    text(
      { invalid: "REAC230" },
      {
        pattern: line,
        maxLength: limits.businessNameChars,
        description:
          "The name of a business that holds the account, as its bank knows it. Default: the receiver's name",
        examples: ["Analytical Engines Ltd"],
      },
    ),
  ),
  checking_or_savings: Type.Optional(
    text(
      { invalid: "REAC229" },
      {
        pattern: "^(checking|savings)?$",
        description: "checking or savings, in the United States only. Default: checking",
        examples: ["checking"],
      },
    ),
  ),
  metadata: metadataField("REAC231", ". A change replaces all of them"),
};

const extras = { unknownField: "REAC226" } satisfies SchemaExtras;
const receiverId = { minLength: 1, description: "The id of one of your receivers" };

const ofReceiver = addressFields("Default: the receiver's");

const requiredFields = {
  account_type: text({ missing: "REAC202", invalid: "REAC206" }, { minLength: 1, ...accountType }),
  account_number: text(
    { missing: "REAC203", invalid: "REAC207" },
    { minLength: 1, ...accountNumber },
  ),
};

export const NewReceiverAccount = Type.Object(
  {
    receiver_id: text({ missing: "REAC201", invalid: "REAC211" }, receiverId),
    ...requiredFields,
    ...optionalFields,
    ...ofReceiver,
  },
  { title: "NewReceiverAccount", additionalProperties: false, ...extras },
);
export type NewReceiverAccount = Static<typeof NewReceiverAccount>;

export const ReceiverAccountToValidate = Type.Object(
  {
    receiver_id: Type.Optional(text({ invalid: "REAC211" }, receiverId)),
    ...requiredFields,
    ...optionalFields,
    ...ofReceiver,
  },
  {
    title: "ReceiverAccountToValidate",
    description:
      "The same fields as for creating an account. Without receiver_id, country is required.",
    additionalProperties: false,
    ...extras,
  },
);
export type ReceiverAccountToValidate = Static<typeof ReceiverAccountToValidate>;

export const ReceiverAccountChange = Type.Object(
  {
    account_type: Type.Optional(text({ invalid: "REAC206" }, accountType)),
    account_number: Type.Optional(text({ invalid: "REAC207" }, accountNumber)),
    ...optionalFields,
    ...addressFields("Unchanged if absent"),
  },
  {
    title: "ReceiverAccountChange",
    description:
      "Only the fields to change. The whole account is then checked, as when it is " +
      "created. Earlier bank details are kept with the payouts that used them.",
    additionalProperties: false,
    ...extras,
  },
);
export type ReceiverAccountChange = Static<typeof ReceiverAccountChange>;

export const AccountWarning = Type.Object(
  { field: Type.String(), message: Type.String() },
  { description: "Warnings. They do not prevent anything" },
);
export type AccountWarning = Static<typeof AccountWarning>;

const identified = {
  account_id: Type.String({ format: "uuid" }),
  receiver_account_id: Type.String({ format: "uuid", description: "The same as account_id" }),
  receiver_id: Type.String({ format: "uuid" }),
};

export const CreatedReceiverAccount = Type.Object(
  {
    ...identified,
    status: Type.String({ enum: ["active"] }),
    warnings: Type.Array(AccountWarning),
  },
  { title: "CreatedReceiverAccount" },
);
export type CreatedReceiverAccount = Static<typeof CreatedReceiverAccount>;

export const DeletedReceiverAccount = Type.Object(
  { ...identified, status: Type.String({ enum: ["inactive"] }) },
  { title: "DeletedReceiverAccount" },
);
export type DeletedReceiverAccount = Static<typeof DeletedReceiverAccount>;

export const ValidatedReceiverAccount = Type.Object(
  {
    bank_name: Type.String({ description: "Empty if unknown" }),
    bank_account_data: BankAccountData,
    checking_or_savings: Type.Optional(
      Type.String({ enum: ["checking", "savings"], description: "Only in the United States" }),
    ),
    account_data: AccountData,
    warnings: Type.Array(AccountWarning),
  },
  {
    title: "ValidatedReceiverAccount",
    description: "The account as it would be stored: without spaces, with codes filled in",
  },
);
export type ValidatedReceiverAccount = Static<typeof ValidatedReceiverAccount>;

export const ReceiverAccountFilter = Type.Object(
  { metadata: metadataFilter("REAC403") },
  { title: "ReceiverAccountFilter", ...({ keyed: "metadata" } satisfies SchemaExtras) },
);

export const AccountSchemaQuery = Type.Object(
  {
    country: text(
      { missing: "REAC401", invalid: "REAC401" },
      { format: "country-alpha-3", description: "ISO 3166-1 alpha-3", examples: ["AUS"] },
    ),
  },
  { title: "AccountSchemaQuery", ...({ unknownField: "REAC402" } satisfies SchemaExtras) },
);

/** Allows any property, so that the serialiser drops none. */
export const AccountSchema = Type.Unsafe<CountrySchema>(
  Type.Object(
    {},
    {
      title: "AccountSchema",
      description: "A JSON Schema (draft 2020-12) of the fields that an account of the country has",
      additionalProperties: true,
    },
  ),
);
