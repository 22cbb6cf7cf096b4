// Extensions to JSON Schema: the codes that fields are refused with, accepted aliases, and rules between fields.
// check.ts applies them.

import Type, { type TString } from "typebox";
import { Format } from "typebox/format";
import { isCurrency, isUuid, readCursor } from "../base/index.ts";
import { limits } from "../limits/index.ts";
import { type Code, type Problem, Refusal } from "../refusals/index.ts";

/** The codes of a field. Without `missing` it is optional, or may be empty. */
export type FieldCodes = { missing?: Code; invalid: Code };

export type TextOptions = {
  pattern?: string;
  format?: string;
  minLength?: number;
  maxLength?: number;
  description?: string;
  examples?: string[];
};

/** A text with its codes. It may not be empty, unless the options say so. */
export function text(codes: FieldCodes, options: TextOptions): TString {
  return Type.String({ minLength: 1, ...options, codes });
}

export type Fields = Record<string, unknown>;

export type SchemaExtras = {
  /** The code for an unknown field. */
  unknownField?: Code;
  /** Accepted misspellings: alias to field name. */
  aliases?: Record<string, string>;
  /** In a query: a field with keys of its own, each sent as `field[key]=value`. */
  keyed?: string;
  /** Rules between fields. Called with the fields that are valid on their own. */
  rules?: (valid: Fields) => Problem[];
};

/** A refusal of some fields. It carries the valid ones, so that a route can check these further. */
export class FieldRefusal extends Refusal {
  readonly valid: Fields;
  constructor(problems: readonly [Problem, ...Problem[]], valid: Fields) {
    super(problems);
    this.valid = valid;
  }
}

/** A request body: valid in its form, or refused, with the fields that are valid. */
export type GivenFields<Body> = Body | FieldRefusal;

/** These bodies are checked beyond their form, so that all problems are reported at once. */
export function givenFieldsIn<Body>(request: {
  body: Body;
  validationError?: Error;
}): GivenFields<Body> {
  const { body, validationError } = request;
  if (validationError === undefined || validationError instanceof FieldRefusal) {
    return validationError ?? body;
  }
  throw validationError;
}

/** Defines a format for a check that no pattern can express. A format of one schema is defined beside it. */
export function defineFormat(name: string, isValid: (text: string) => boolean): void {
  Format.Set(name, isValid);
}

defineFormat("known-id", isUuid);
defineFormat("currency", isCurrency);
defineFormat("list-cursor", (text) => readCursor(text) !== undefined);
defineFormat("list-limit", (text) => {
  const limit = Number(text);
  return /^\d{1,4}$/.test(text) && limit >= 1 && limit <= limits.listMax;
});

/**
 * A pattern: no control characters, no half of a surrogate pair, and nothing that breaks a line or turns its
 * direction: it would show an operator another text than the one that is stored.
 */
export const line = "^[^\\p{Cc}\\p{Cs}\\u2028-\\u202E\\u2066-\\u2069]*$";
/** A pattern: YYYY-MM. */
export const monthPattern = "^(20\\d\\d)-(0[1-9]|1[0-2])$";
/**
 * A pattern for what people are called: letters with spaces, full stops and commas (Smith, Jr.), apostrophes as
 * keyboards (') and phones (U+2019) write them, hyphens (also U+2010 and U+2011), the middle dot of Catalan, and the
 * maqaf and geresh of Hebrew.
 */
export const name =
  "^[\\p{L}\\p{M}][\\p{L}\\p{M} '\\u2019.,\\u00B7\\u05BE\\u05F3\\u2010\\u2011-]*$";
