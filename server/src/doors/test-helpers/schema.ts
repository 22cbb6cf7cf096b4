// The schemas of the test helpers.

import Type, { type Static } from "typebox";
import {
  type FieldCodes,
  input,
  required,
  type SchemaExtras,
} from "../../platform/fields/index.ts";
import { limits } from "../../platform/limits/index.ts";

const text = (codes: FieldCodes, options: { pattern: string; description: string }) =>
  Type.String({ ...options, codes });

export const TestStatus = Type.Object(
  {
    id: text(
      { missing: "TEST201", invalid: "TEST201" },
      { pattern: "^.{1,100}$", description: "Id of the receiver or the payout" },
    ),
    type: text(
      { missing: "TEST202", invalid: "TEST202" },
      { pattern: "^(kyc|payout)$", description: "kyc: an identity check; payout: a payout" },
    ),
    status: text(
      { missing: "TEST203", invalid: "TEST203" },
      {
        pattern: "^(success|fail|return)$",
        description: "success, fail, or (for a payout) return",
      },
    ),
    cause_code: Type.Optional(
      text(
        { invalid: "TEST206" },
        { pattern: "^[\\x20-\\x7E]{0,100}$", description: "Reason, for the history" },
      ),
    ),
  },
  {
    title: "TestStatus",
    additionalProperties: false,
    ...({ unknownField: "TEST204" } satisfies SchemaExtras),
  },
);
export type TestStatus = Static<typeof TestStatus>;

export const TestStatusSet = Type.Object(
  {
    id: Type.String({ format: "uuid" }),
    type: Type.String({ enum: ["kyc", "payout"] }),
    status: Type.String({ description: "The new state" }),
  },
  { title: "TestStatusSet" },
);

export const TestFunding = Type.Object(
  {
    amount: Type.Union(
      [
        Type.Integer({ minimum: 1, maximum: Number(limits.amountMax) }),
        Type.String({ pattern: "^[1-9][0-9]{0,15}$" }),
      ],
      {
        description: "Minor units, as a whole number or as a string of digits",
        codes: { missing: "TEST207", invalid: "TEST207" } satisfies FieldCodes,
      },
    ),
    currency: Type.String({
      format: "currency",
      description: "ISO 4217, such as AUD",
      codes: { missing: "TEST208", invalid: "TEST208" } satisfies FieldCodes,
    }),
    reference: Type.Optional(
      text(
        { invalid: "TEST209" },
        {
          pattern: "^[^\\p{Cc}\\p{Cs}]{1,100}$",
          description: "Each reference funds once; generated if absent",
        },
      ),
    ),
  },
  {
    title: "TestFunding",
    additionalProperties: false,
    ...({ unknownField: "TEST204" } satisfies SchemaExtras),
  },
);
export type TestFunding = Static<typeof TestFunding>;

export const TestFunded = Type.Object(
  {
    currency: Type.String(),
    available: Type.Number({ description: "Minor units, after this deposit" }),
    held: Type.Number({ description: "Minor units, after this deposit" }),
  },
  { title: "TestFunded" },
);

export const OutcomeToSimulate = input({
  id: required(Type.String({ format: "uuid" })),
  type: required(Type.String({ enum: ["kyc", "payout"] })),
  status: required(Type.String({ enum: ["success", "fail", "return"] })),
});
export type OutcomeToSimulate = Static<typeof OutcomeToSimulate>;

export const OutcomeSet = Type.Object({ status: Type.String() });
export type OutcomeSet = Static<typeof OutcomeSet>;
