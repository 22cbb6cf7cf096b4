// What crosses the wire when a test subaccount makes something happen.

import Type, { type Static } from "typebox";
import type { FieldCodes, SchemaExtras } from "../fields.ts";

const text = (codes: FieldCodes, options: { pattern: string; description: string }) =>
  Type.String({ ...options, codes });

export const TestStatus = Type.Object(
  {
    id: text(
      { missing: "TEST201", invalid: "TEST201" },
      { pattern: "^.{1,100}$", description: "Of the receiver" },
    ),
    type: text(
      { missing: "TEST202", invalid: "TEST202" },
      { pattern: "^kyc$", description: "kyc: the outcome of an identity check" },
    ),
    status: text(
      { missing: "TEST203", invalid: "TEST203" },
      { pattern: "^(success|fail)$", description: "success or fail" },
    ),
    cause_code: Type.Optional(
      text(
        { invalid: "TEST206" },
        { pattern: "^[\\x20-\\x7E]{0,100}$", description: "Why, for the history" },
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
    type: Type.String(),
    status: Type.String({ description: "The state that it has now" }),
  },
  { title: "TestStatusSet" },
);
