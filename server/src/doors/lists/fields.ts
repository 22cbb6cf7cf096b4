// Declares the fields of the console's schemas, with error codes that every form understands.

import Type, {
  type Static,
  type TObject,
  type TOptional,
  type TProperties,
  type TSchema,
} from "typebox";
import type { FieldCodes, SchemaExtras } from "../../platform/fields/index.ts";

const requiredCodes: FieldCodes = { missing: "CONS107", invalid: "CONS108" };
const optionalCodes: FieldCodes = { invalid: "CONS108" };

/** A required field. */
export function required<Schema extends TSchema>(schema: Schema): Schema {
  return { ...schema, codes: requiredCodes } as Schema;
}

/** An optional field. */
export function optional<Schema extends TSchema>(schema: Schema): TOptional<Schema> {
  return Type.Optional({ ...schema, codes: optionalCodes } as TSchema) as TOptional<Schema>;
}

/** Minor units. A sum that a JSON number can't represent exactly is a string of digits. */
export const Sum = Type.Union([Type.Number(), Type.String()], { description: "Minor units" });
export type Sum = Static<typeof Sum>;

/** A body or a query. Unknown fields are refused. */
export function input<Properties extends TProperties>(properties: Properties): TObject<Properties> {
  const extras: SchemaExtras = { unknownField: "CONS109" };
  return Type.Object(properties, { additionalProperties: false, ...extras });
}

/** For a request without a body. */
export const NoFields = input({});
