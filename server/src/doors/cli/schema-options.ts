// Makes command options from a schema: one option per field, or --file for all of them.

import { type Command, Option } from "commander";
import type { TObject } from "typebox";
import { checkOf, FieldRefusal, type Fields, fieldsOf } from "../../platform/fields/index.ts";
import { type Code, Refusal } from "../../platform/refusals/index.ts";
import { CliError, exitCodes } from "../setup/index.ts";
import { readFileSync } from "./local-files.ts";
import { metadataOption } from "./option-values.ts";
import { refusalText } from "./refusal-text.ts";

/** The values that a field takes, where its schema has a list of them. */
export const valuesOfOption = new WeakMap<Option, readonly string[]>();

/** `except`: fields for which the command has its own options. */
export function fieldOptions(
  command: Command,
  schema: TObject,
  { except = [] }: { except?: readonly string[] } = {},
): Command {
  for (const { name, meaning } of fieldsOf(schema)) {
    if (except.includes(name)) continue;
    const option = optionOf(name, meaning);
    const { pattern = "" } = schema.properties[name] as { pattern?: string };
    const [, list] = /^\^\(([\w|]+)\)\$$/.exec(pattern) ?? [];
    if (list !== undefined) valuesOfOption.set(option, list.split("|"));
    command.addOption(option);
  }
  const { metadata } = schema.properties as { metadata?: { description?: string } };
  if (metadata) command.addOption(metadataOption(metadata.description ?? ""));
  return command;
}

function optionOf(name: string, meaning: string): Option {
  return new Option(`--${name.replaceAll("_", "-")} <text>`, meaning);
}

export function fileOption(command: Command): Command {
  return command.option("--file <file>", "JSON object with the fields, instead of the options");
}

/** Values stay text, so leading zeros are kept. */
function givenFields(options: object, schema: TObject): Fields {
  const given = options as Record<string, unknown>;
  const fields: Fields = {};
  for (const { name } of fieldsOf(schema)) {
    const value = given[optionOf(name, "").attributeName()];
    if (value !== undefined) fields[name] = value;
  }
  if (given.metadata !== undefined) fields.metadata = given.metadata;
  return fields;
}

/** The fields from the options, or from the file of --file. */
export function fieldsOrFile(options: { file?: string }, schema: TObject, badBody: Code): Fields {
  const given = givenFields(options, schema);
  if (options.file === undefined) return given;
  const [name] = Object.keys(given);
  if (name) throw new CliError(`Give ${name} in the file, or no file.`, exitCodes.usage);
  const content = parsed(readText(options.file));
  if (typeof content !== "object" || content === null || Array.isArray(content)) {
    throw new Refusal(badBody);
  }
  return content as Fields;
}

/** The valid fields, trimmed and under their right names, or a refusal that lists the problems. */
export function checked<Body>(schema: TObject, input: Fields): Body | FieldRefusal {
  const { fields, problems } = checkOf(schema)(input);
  const [first, ...rest] = problems;
  return first ? new FieldRefusal([first, ...rest], fields) : (fields as Body);
}

export function checkedOrRefused<Body>(schema: TObject, input: Fields): Body {
  const outcome = checked<Body>(schema, input);
  if (outcome instanceof FieldRefusal) throw outcome;
  return outcome;
}

/** The filter of a list command. An invalid value is a usage error. */
export function filterOf<Filter>(schema: TObject, options: object): Filter {
  const filter = checked<Filter>(schema, givenFields(options, schema));
  if (filter instanceof FieldRefusal) throw new CliError(refusalText(filter), exitCodes.usage);
  return filter;
}

function readText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new CliError(`${file} can't be read (${code}).`, exitCodes.usage);
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
