// Metadata: keys and values that callers keep at their objects. Pure.

import Type, { type Static } from "typebox";
import { type FieldCodes, line } from "../fields/index.ts";
import { limits } from "../limits/index.ts";
import type { Code } from "../refusals/index.ts";

const { metadataKeyChars, metadataKeysMax, metadataValueChars } = limits;
const key = Type.String({ pattern: `^[a-z0-9_.-]{1,${metadataKeyChars}}$` });
const value = Type.String({ minLength: 1, maxLength: metadataValueChars, pattern: line });
const entries = (maxProperties: number, description: string, invalid?: Code) =>
  Type.Record(key, value, {
    additionalProperties: false,
    maxProperties,
    description,
    ...(invalid && { codes: { invalid } satisfies FieldCodes }),
  });

const rules = `Up to ${metadataKeysMax} keys of up to ${metadataKeyChars} characters (a-z, 0-9, _, . and -), with values of up to ${metadataValueChars}`;

/** In a request. `note`: what else it means there. */
export function metadataField(invalid: Code, note = "") {
  return Type.Optional(
    entries(metadataKeysMax, `Your own keys and values. ${rules}${note}`, invalid),
  );
}

/** In a filter: \X. */
export function metadataFilter(invalid: Code) {
  const description = "One key and its value, as in metadata[order]=77";
  return Type.Optional(entries(1, description, invalid));
}

/** In a response. */
export const metadataSchema = Type.Optional(
  Type.Record(Type.String(), Type.String(), { description: "Only where it was set" }),
);
export type Metadata = NonNullable<Static<typeof metadataSchema>>;

export const metadataPairPattern = `^[a-z0-9_.-]{1,${metadataKeyChars}}=.+$`;

/** `order=77`, as users write a filter. */
export function readMetadataPair(text: string): Metadata {
  const at = text.indexOf("=");
  return Object.fromEntries([[text.slice(0, at), text.slice(at + 1)]]);
}

/** In any order of the keys. */
export function isSameMetadata(one: Metadata, other: Metadata | null): boolean {
  const keys = Object.keys(one);
  const isSize = keys.length === Object.keys(other ?? {}).length;
  return isSize && keys.every((key) => other?.[key] === one[key]);
}

/** Undefined: there is none to write. */
export function someMetadata(given: Metadata | undefined): Metadata | undefined {
  return given && Object.keys(given).length > 0 ? given : undefined;
}
