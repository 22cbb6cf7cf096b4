// Schemas of a subaccount's API keys.

import ipaddr from "ipaddr.js";
import Type, { type Static } from "typebox";
import { scopes } from "../../../platform/base/index.ts";
import {
  type Fields,
  input,
  line,
  optional,
  required,
  type SchemaExtras,
} from "../../../platform/fields/index.ts";
import { limits } from "../../../platform/limits/index.ts";
import { type Problem, problem } from "../../../platform/refusals/index.ts";
import { rowsField } from "../../lists/index.ts";

const moment = Type.Union([Type.Number(), Type.Null()]);

export const KeyLine = Type.Object({
  key: Type.String(),
  name: Type.String(),
  mode: Type.String({ enum: ["test", "live"] }),
  status: Type.String({ enum: ["active", "awaiting_approval", "expired", "revoked"] }),
  scopes: Type.Array(Type.String()),
  /** Empty: from anywhere. */
  addresses: Type.Array(Type.String()),
  version2_only: Type.Boolean(),
  created_at: Type.Number(),
  /** Null if it was not created in the console. */
  created_by: Type.Union([Type.String(), Type.Null()]),
  expires_at: moment,
  revoked_at: moment,
  /** Accurate to the minute, except for the first use. */
  last_used_at: moment,
  /** Valid ones, oldest first. */
  secrets: Type.Array(
    Type.Object({ created_at: Type.Number(), expires_at: moment, last_used_at: moment }),
  ),
  /** A rotated secret works once another user has approved it. */
  secret_awaits_approval: Type.Boolean(),
});
export type KeyLine = Static<typeof KeyLine>;

export const KeyLines = Type.Object({
  rows: Type.Array(KeyLine),
  /** The cursor of the next page. */
  next: Type.Union([Type.String(), Type.Null()]),
});
export type KeyLines = Static<typeof KeyLines>;

const status = optional(Type.String({ pattern: "^(active|all)$" }));
export const KeyFilter = input({ status });
export const KeyQuery = input({
  status,
  limit: rowsField,
  cursor: optional(Type.String({ pattern: "^ak_[\\w-]{1,100}$" })),
});

function rules({ addresses = [] }: Fields): Problem[] {
  const isFine = (one: string) => ipaddr.isValidCIDR(one) || ipaddr.isValid(one);
  return (addresses as string[]).every(isFine) ? [] : [problem("CONS706", "addresses")];
}

export const NewKeyRequest = {
  ...input({
    name: required(Type.String({ pattern: line, minLength: 1, maxLength: 100 })),
    scopes: required(
      Type.Array(Type.String({ enum: [...scopes] }), { minItems: 1, uniqueItems: true }),
    ),
    addresses: optional(Type.Array(Type.String({ maxLength: 50 }), { maxItems: 50 })),
    version2_only: optional(Type.Boolean()),
    expires_at: optional(Type.Integer({ minimum: 0, maximum: 8.64e15 })),
  }),
  ...({ rules } satisfies SchemaExtras),
};

export type NewKeyRequest = Static<typeof NewKeyRequest>;

export const KeyRotationRequest = input({
  grace_ms: required(Type.Integer({ minimum: 0, maximum: limits.rotationGraceMaxMs })),
});

export const IssuedSecret = Type.Object({
  key: Type.String(),
  /** Shown once. */
  secret: Type.String(),
  /** It works once another user has approved it. */
  awaits_approval: Type.Boolean(),
});
export type IssuedSecret = Static<typeof IssuedSecret>;
