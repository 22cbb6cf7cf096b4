// What a schema of ours says of its fields beside JSON Schema: the codes they are refused with, the
// spellings that are accepted, the rules between them. field-check.ts goes by it.

import { Format } from "typebox/format";
import { type Code, type Problem, Refusal } from "../refusals/refusals.ts";

/** What a field is refused with. Without `missing` it is optional, or may be empty. */
export type FieldCodes = { missing?: Code; invalid: Code };

export type Fields = Record<string, unknown>;

/** Extras that a body or query schema of ours may carry. */
export type SchemaExtras = {
  /** The code for a field that the schema doesn't know. */
  unknownField?: Code;
  /** Accepted spellings: the misspelt name, and the one it stands for where that is absent. */
  aliases?: Record<string, string>;
  /** Rules between fields. Called with all fields that passed on their own. */
  rules?: (valid: Fields) => Problem[];
};

/** A refusal of some fields, with those that were fine: a route that asks for it can check these further. */
export class FieldRefusal extends Refusal {
  readonly valid: Fields;
  constructor(problems: readonly [Problem, ...Problem[]], valid: Fields) {
    super(problems);
    this.valid = valid;
  }
}

// Formats of ours that say more than a pattern can. They are declared beside the schemas that use them.
export function defineFormat(name: string, isValid: (text: string) => boolean): void {
  Format.Set(name, isValid);
}

/**
 * A pattern: no control characters, no half of a surrogate pair, and nothing that breaks a line or turns its
 * direction: it would show an operator another text than the one that is stored.
 */
export const line = "^[^\\p{Cc}\\p{Cs}\\u2028-\\u202E\\u2066-\\u2069]*$";
/**
 * A pattern for what people are called: letters with spaces, full stops and commas (Smith, Jr.), apostrophes as
 * keyboards (') and phones (U+2019) write them, hyphens (also U+2010 and U+2011), the middle dot of Catalan, and the
 * maqaf and geresh of Hebrew.
 */
export const name =
  "^[\\p{L}\\p{M}][\\p{L}\\p{M} '\\u2019.,\\u00B7\\u05BE\\u05F3\\u2010\\u2011-]*$";
