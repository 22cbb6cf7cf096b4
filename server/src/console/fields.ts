// How schemas of the console's endpoints declare their fields: with codes that every form understands alike.

import Type, {
  type Static,
  type TObject,
  type TOptional,
  type TProperties,
  type TSchema,
} from "typebox";
import type { FieldCodes, SchemaExtras } from "../fields/fields.ts";

const requiredCodes: FieldCodes = { missing: "CONS107", invalid: "CONS108" };
const optionalCodes: FieldCodes = { invalid: "CONS108" };

/** A field that must be there. */
export function required<Schema extends TSchema>(schema: Schema): Schema {
  return { ...schema, codes: requiredCodes } as Schema;
}

/** A field that may be left out. */
export function optional<Schema extends TSchema>(schema: Schema): TOptional<Schema> {
  return Type.Optional({ ...schema, codes: optionalCodes } as TSchema) as TOptional<Schema>;
}

/** Minor units. A sum that no number of JSON carries exactly is the text of its digits. */
export const Sum = Type.Union([Type.Number(), Type.String()], { description: "Minor units" });
export type Sum = Static<typeof Sum>;

/** A body or a query. A field that it doesn't know is refused. */
export function input<Properties extends TProperties>(properties: Properties): TObject<Properties> {
  const extras: SchemaExtras = { unknownField: "CONS109" };
  return Type.Object(properties, { additionalProperties: false, ...extras });
}

/** Of a request whose path says everything. */
export const NoFields = input({});
