// Checks an object against a schema and reports every problem at once, each with its own code. The codes are in the
// schema, field by field, so that the documentation shows them too.

import type { TSchema } from "typebox";
import { Compile } from "typebox/compile";
import { type Code, type Problem, problem } from "../refusals/index.ts";
import type { FieldCodes, Fields, SchemaExtras } from "./fields.ts";

type ObjectSchema = SchemaExtras & {
  type: "object";
  properties: Record<string, TSchema & { codes?: FieldCodes }>;
};

export type Check = (input: Fields) => { fields: Fields; problems: Problem[] };

/** Returns the valid fields, trimmed and under their right names, and the problems of the others. */
export function checkOf(schema: TSchema): Check {
  return objectCheck(schema as unknown as ObjectSchema);
}

function objectCheck(schema: ObjectSchema): Check {
  const { properties, aliases = {}, unknownField, rules, keyed } = schema;
  const aliasOf = Object.fromEntries(Object.entries(aliases).map(([alias, name]) => [name, alias]));
  const known = Object.entries(properties)
    .filter(([name]) => !(name in aliases))
    .map(([name, field]) => ({
      name,
      alias: aliasOf[name] ?? name,
      codes: field.codes,
      isValid: compiled(field),
    }));
  const names = new Set(Object.keys(properties));

  return (given) => {
    const input = keyed === undefined ? given : gathered(given, keyed);
    const problems: Problem[] = [];
    const fields: Fields = {};
    for (const { name, alias, codes, isValid } of known) {
      const value = trimmed(alias === name ? input[name] : (input[name] ?? input[alias]));
      if (value === undefined && codes?.missing === undefined) continue;
      if (isValid(value)) fields[name] = value;
      else if (codes) problems.push(problem(codeOf(codes, value), name));
    }
    if (rules) problems.push(...rules(fields));
    if (unknownField) {
      for (const name of Object.keys(input)) {
        if (!names.has(name)) problems.push(problem(unknownField, name.slice(0, 100)));
      }
    }
    return { fields, problems };
  };
}

/** `metadata[order]=77` as `metadata: { order: "77" }`. */
function gathered(given: Fields, keyed: string): Fields {
  const own = Object.entries(given).filter(
    ([name]) => name.startsWith(`${keyed}[`) && name.endsWith("]"),
  );
  if (own.length === 0) return given;
  const others = Object.entries(given).filter((entry) => !own.some(([name]) => name === entry[0]));
  const inside = own.map(([name, value]) => [name.slice(keyed.length + 1, -1), value]);
  return { ...Object.fromEntries(others), [keyed]: Object.fromEntries(inside) };
}

function codeOf({ missing, invalid }: FieldCodes, value: unknown): Code {
  const isAbsent = value === undefined || value === null || value === "";
  return isAbsent && missing ? missing : invalid;
}

function compiled(schema: TSchema): (value: unknown) => boolean {
  const validator = Compile(schema);
  return (value) => validator.Check(value);
}

/** Spaces around text are dropped, so a field of only spaces is empty. */
function trimmed(value: unknown): unknown {
  return typeof value === "string" ? value.trim() : value;
}
