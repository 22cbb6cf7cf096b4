// Options that are made from a schema: one for each of its fields, or all of them in a file.

import { readFileSync } from "node:fs";
import { type Command, Option } from "commander";
import type { TObject } from "typebox";
import { CliError, exitCodes } from "../app/cli-error.ts";
import { checkOf } from "../fields/check.ts";
import { FieldRefusal, type Fields } from "../fields/fields.ts";
import { fieldsOf } from "../fields/words.ts";
import { type Code, Refusal } from "../refusals/refusals.ts";
import { refusalText } from "./refusal-text.ts";

/** `except`: fields that the command asks for in a way of its own. */
export function fieldOptions(
  command: Command,
  schema: TObject,
  { except = [] }: { except?: readonly string[] } = {},
): Command {
  for (const { name, meaning } of fieldsOf(schema)) {
    if (!except.includes(name)) command.addOption(optionOf(name, meaning));
  }
  return command;
}

function optionOf(name: string, meaning: string): Option {
  return new Option(`--${name.replaceAll("_", "-")} <text>`, meaning);
}

export function fileOption(command: Command): Command {
  return command.option("--file <file>", "a JSON object of the fields, instead of the options");
}

/** Every value stays the text that was given: leading zeros count. */
export function givenFields(options: object, schema: TObject): Fields {
  const given = options as Record<string, unknown>;
  const fields: Fields = {};
  for (const { name } of fieldsOf(schema)) {
    const value = given[optionOf(name, "").attributeName()];
    if (value !== undefined) fields[name] = value;
  }
  return fields;
}

/** Of the options, or of the file that --file names. */
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

/** The fields trimmed and under their right names, or why not, with those that are fine. */
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

/** Of a list: what does not fit is a wrong use of the command. */
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
