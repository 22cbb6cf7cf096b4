// The schemas of a new key and of its secret.

import Type, { type Static } from "typebox";
import { isAddressOrRange } from "../../platform/addresses/index.ts";
import { scopes } from "../../platform/base/index.ts";
import {
  type Fields,
  input,
  line,
  optional,
  required,
  type SchemaExtras,
} from "../../platform/fields/index.ts";
import { type Problem, problem } from "../../platform/refusals/index.ts";

function rules({ addresses = [] }: Fields): Problem[] {
  return (addresses as string[]).every(isAddressOrRange) ? [] : [problem("CONS706", "addresses")];
}

export const KeyName = Type.String({ pattern: line, minLength: 1, maxLength: 100 });

const newKey = input({
  name: required(KeyName),
  scopes: required(
    Type.Array(Type.String({ enum: [...scopes] }), { minItems: 1, uniqueItems: true }),
  ),
  addresses: optional(Type.Array(Type.String({ maxLength: 50 }), { maxItems: 50 })),
  version2_only: optional(Type.Boolean()),
  expires_at: optional(Type.Integer({ minimum: 0, maximum: 8.64e15 })),
});
export const NewKeyRequest: typeof newKey = { ...newKey, ...({ rules } satisfies SchemaExtras) };

export const IssuedSecret = Type.Object({
  key: Type.String(),
  /** Shown once. */
  secret: Type.String(),
  /** It works once another user has approved it. */
  awaits_approval: Type.Boolean(),
});
export type IssuedSecret = Static<typeof IssuedSecret>;
