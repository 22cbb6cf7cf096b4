// Declares the input of acts and of the console's reads, with error codes that every form understands.

import Type, {
  type Static,
  type TObject,
  type TOptional,
  type TProperties,
  type TSchema,
} from "typebox";
import { isUuid } from "../base/index.ts";
import { type Code, Refusal } from "../refusals/index.ts";
import type { FieldCodes, Fields, SchemaExtras } from "./fields.ts";

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

/** A required field of users, such as the version that they saw. Commands neither have nor need it. */
export function requiredOfUsers<Schema extends TSchema>(schema: Schema): TOptional<Schema> {
  return Type.Optional({ ...required(schema), ofUsers: true } as TSchema) as TOptional<Schema>;
}

/** The fields that a command takes. */
export function withoutFieldsOfUsers(schema: TObject): TObject {
  const left = Object.entries<{ ofUsers?: boolean }>(schema.properties).filter(
    ([, { ofUsers }]) => !ofUsers,
  );
  return { ...schema, properties: Object.fromEntries(left) as TProperties };
}

/** Minor units. A sum that a JSON number can't represent exactly is a string of digits. */
export const Sum = Type.Union([Type.Number(), Type.String()], { description: "Minor units" });
export type Sum = Static<typeof Sum>;

/** A body or a query. Unknown fields are refused. */
export function input<Properties extends TProperties>(properties: Properties): TObject<Properties> {
  const extras: SchemaExtras = { unknownField: "CONS109" };
  return Type.Object(properties, { additionalProperties: false, ...extras });
}

/** The fields of a schema, with its codes and rules, and more fields. */
export function inputLike<Properties extends TProperties, More extends TProperties>(
  schema: TObject<Properties>,
  more: More,
): TObject<Properties & More> {
  const properties = { ...more, ...schema.properties };
  return { ...schema, properties } as unknown as TObject<Properties & More>;
}

/** For a request without a body. */
export const NoFields = input({});

type IdField = { unknown?: Code; pattern?: string; items?: IdField };

/**
 * An id in a path, or an argument of a command. `unknown` refuses what is no id at all: it is the id of nothing. `pattern`:
 * of an id that is no UUID.
 */
export function idField(unknown: Code, pattern?: string) {
  return Type.String({ unknown, ...(pattern !== undefined && { pattern }) });
}

/** An id in a body, where what is no id is an invalid field. */
export function idInBody(unknown: Code) {
  return Type.String({ unknown, format: "uuid" });
}

/** The ids among the fields in lower case, as they are stored. */
export function readIds(schema: TObject, fields: Fields): Fields {
  const read = { ...fields };
  for (const [name, field] of Object.entries<IdField>(schema.properties)) {
    const given = fields[name];
    if (field.unknown !== undefined) read[name] = readId(field, given);
    else if (field.items && Array.isArray(given)) {
      const { items } = field;
      if (items.unknown !== undefined) read[name] = given.map((one) => readId(items, one));
    }
  }
  return read;
}

function readId({ unknown, pattern }: IdField, given: unknown): string {
  const id = String(given);
  const isId = pattern === undefined ? isUuid(id) : new RegExp(pattern).test(id);
  if (!isId) throw new Refusal(unknown as Code);
  return id.toLowerCase();
}
