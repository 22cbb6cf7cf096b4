// Turns our schemas into OpenAPI ones: named by their titles, with enums instead of word patterns, and without our own
// formats.

import { kycStatuses, receiverStatuses } from "../../people/receivers/index.ts";
import { limits } from "../../platform/limits/index.ts";

export type Json = { [key: string]: unknown };

/** Our formats that have a standard name. The others are left out; the description explains them. */
const knownFormats: Record<string, string> = {
  uuid: "uuid",
  "known-id": "uuid",
  "email-address": "email",
  "birth-date": "date",
};

/** The published code of a state, or its word. */
const enumOf = (states: readonly string[]) => ({
  enum: [...states.map((_, code) => String(code)), ...states],
});

/** What the document says of our formats in a query, where all values are text. */
const documentedFormats: Record<string, Json> = {
  "list-limit": {
    type: "integer",
    minimum: 1,
    maximum: limits.listMax,
    default: limits.listDefault,
  },
  "receiver-status": enumOf(receiverStatuses),
  "kyc-status": enumOf(kycStatuses),
};

/** Schemas with a title become components, so that tools give their types the same names everywhere. */
export function moveSchemasToComponents(document: Json & { components: Json }): Json {
  const schemas: Json = {};
  const move = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(move);
    if (typeof value !== "object" || value === null) return value;
    const schema = toPublicSchema(value as Json);
    const copy = Object.fromEntries(
      Object.entries(schema).map(([key, inner]) => [
        key,
        // Samples are data: a field named "title" or "type" does not make them a schema.
        isSample(key, inner) ? inner : move(inner),
      ]),
    );
    if (copy.type !== "object" || typeof copy.title !== "string") return copy;
    schemas[copy.title] = copy;
    return { $ref: `#/components/schemas/${copy.title}` };
  };
  const moved = move(document) as Json & { components: Json };
  return { ...moved, components: { ...moved.components, schemas } };
}

function isSample(key: string, value: unknown): boolean {
  return key === "example" || (key === "examples" && isJson(value));
}

function isJson(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function toPublicSchema(schema: Json): Json {
  const { codes, rules, aliases, unknownField, documentedItems, ...copy } = schema;
  if (codes && (copy.type || copy.anyOf)) copy["x-refusals"] = codes;
  if (documentedItems) copy.items = documentedItems;
  // Every number that we send is whole: minor units, counts, milliseconds.
  if (copy.type === "number") copy.type = "integer";
  if (copy.type !== "string") return copy;
  const words = typeof copy.pattern === "string" ? wordsOf(copy.pattern) : undefined;
  if (words) {
    copy.enum = words;
    delete copy.pattern;
    delete copy.minLength;
  }
  if (typeof copy.format !== "string") return copy;
  const documented = documentedFormats[copy.format];
  if (documented) {
    const { format, minLength, ...rest } = copy;
    return { ...rest, ...documented };
  }
  const known = knownFormats[copy.format];
  if (known) copy.format = known;
  else delete copy.format;
  return copy;
}

/** The alternatives of a pattern such as `^(a|b)$` or `^[AB]$`. */
function wordsOf(pattern: string): string[] | undefined {
  const choice = /^\^\(([\w|]+)\)\$$/.exec(pattern)?.[1];
  if (choice) return choice.split("|");
  return /^\^\[([A-Z]+)\]\$$/.exec(pattern)?.[1]?.split("");
}
