// The command line's door to acts: a command for each. Its arguments and options are the fields of the act's input.

import { type Command, Option } from "commander";
import type { Static, TObject, TSchema } from "typebox";
import { systemClock } from "../../platform/base/index.ts";
import { type Fields, line, readIds, withoutFieldsOfUsers } from "../../platform/fields/index.ts";
import type { Code } from "../../platform/refusals/index.ts";
import type { Act, ActBy, ActParts } from "../../tenants/acts/index.ts";
import { type BankContext, withBankContext } from "./bank-context.ts";
import { byOption } from "./command-actor.ts";
import {
  about,
  byInSubaccount,
  type CommandContext,
  requireOpenForCommand,
  type WriteOptions,
  withCommandContext,
  writeOptions,
} from "./command-context.ts";
import type { CommandObject } from "./object-queries.ts";
import { readLine } from "./option-values.ts";
import { print, type Shown } from "./output.ts";
import { type GatedAct, requireUserMay } from "./remote-gate.ts";
import {
  checked,
  checkedOrRefused,
  fieldOptions,
  fieldsOrFile,
  fileOption,
} from "./schema-options.ts";
import { remoteRun, stderr } from "./terminal.ts";

/** What an act is done with: of one subaccount, or of the whole installation. */
export type Context = (CommandContext | BankContext) & ActParts;

/** What users do over HTTP instead, because the act is for the server alone. It returns what is printed. */
type OverHttp = {
  act: CarriedAct;
  perform(context: Context, given: Fields, options: { json?: boolean }): Promise<Shown>;
};

type Carried<Output, Parts> = {
  /** The fields of the arguments and options that are named differently: `{ bank: "connection_id" }`. */
  fields?: Readonly<Record<string, string>>;
  /** How an option is read, and what it means where the schema does not say it. */
  options?: readonly Option[];
  /** How an argument is read. */
  readers?: Readonly<Record<string, (text: string) => unknown>>;
  /** The fields that `read` completes, or that the command never sets: they have no option. */
  without?: readonly string[];
  /** The kind of object whose id is the first argument, or the option of its name: its subaccount need not be named. */
  object?: CommandObject["kind"];
  /** Completes the fields, for example with the id that a name stands for. `options` also has what is no field. */
  read?: (given: Fields, context: Context, options: Fields) => Promise<Fields> | Fields;
  /** What the act needs more than a database. */
  parts?: (context: Context) => Promise<Parts> | Parts;
  /** All fields are options that are checked together, or come from a file. The code of a file that is no object. */
  file?: Code;
  /** What a user does over HTTP instead. */
  overHttp?: OverHttp;
  /** Also in a closed subaccount, although users of the console can't do it there: its payouts still end. */
  worksWhenClosed?: true;
  /** Also in a restored copy that is not released yet. */
  worksInQuarantine?: true;
  /** What is printed. Undefined: nothing. */
  show?: (
    result: Output,
    context: Context,
    options: Fields & { json?: boolean },
    /** The fields as they were given, before `read`. */
    given: Shown,
  ) => Promise<Shown | Shown[] | undefined> | Shown | Shown[] | undefined;
};

/**
 * `words`: the command with its arguments, such as `match <item> <payout>`. The argument `<subaccount-id>` is the
 * subaccount of the act, instead of an option.
 */
export function actCommand<Input extends TObject, Output, Parts, Given>(
  parent: Command,
  words: string,
  act: Act<Input, Output, Parts, Given>,
  carried: Carried<Output, Parts> = {},
): Command {
  const { fields = {}, options = [], readers = {}, without = [], ...others } = carried;
  const { object, read, parts, show, file, worksWhenClosed, overHttp, ...database } = others;
  const done = worksWhenClosed ? { ...act, in: "subaccount" as const } : act;
  const args = [...words.matchAll(/[<[]([\w-]+)(?:\.\.\.)?[>\]]/g)].map(([, name = ""]) => name);
  const fieldOf = (name: string) => fields[name] ?? name.replaceAll("-", "_");
  const command = parent.command(words).description(act.summary);
  for (const argument of command.registeredArguments) {
    const reader = readers[argument.name()];
    if (reader) argument.argParser(reader);
  }
  const ofOptions = options.map((option) => fieldOf(option.name()));
  const named = new Set([...args.map(fieldOf), ...ofOptions, ...without]);
  for (const option of options) command.addOption(option);
  const input = withoutFieldsOfUsers(act.input);
  const body = act.given ?? input;
  const isField = (name: string) => name in input.properties || name in body.properties;
  if (file) fieldOptions(fileOption(command), body, { except: [...named] });
  else {
    for (const [name, schema] of Object.entries(input.properties)) {
      if (!named.has(name)) command.addOption(optionOf(name, schema, input));
    }
  }
  if (act.in && !args.includes(subaccountArgument)) writeOptions(command);
  else byOption(command).option("--json", "print JSON");
  command.action(async (...given: unknown[]) => {
    const values = command.opts<WriteOptions & Fields>();
    const fieldsGiven: Fields = file ? fieldsOrFile(values as { file?: string }, body, file) : {};
    for (const [place, name] of args.entries()) {
      if (name !== subaccountArgument) fieldsGiven[fieldOf(name)] = given[place];
    }
    for (const option of command.options) {
      const name = fieldOf(option.name());
      const value = values[option.attributeName()];
      if (isField(name) && value !== undefined) fieldsGiven[name] = value;
    }
    const purpose = `${parent.name()} ${command.name()}`;
    const work = async (opened: CommandContext | BankContext) => {
      const context: Context = { ...opened, clock: systemClock };
      const all = read ? await read(fieldsGiven, context, values) : fieldsGiven;
      if (overHttp && remoteRun()) {
        return print(await overHttp.perform(context, all, values), values);
      }
      const checkedFields = checkedOrRefused<Static<Input>>(
        input,
        readIds(input, act.given ? {} : all),
      );
      const given = act.given && (checked(act.given, all) as Given);
      const more = (await parts?.(context)) as Parts;
      const result = await performAct(done, context, checkedFields, more, given);
      noteWaiting(result);
      const shown = show
        ? await show(result, context, values, fieldsGiven as Shown)
        : (result as Shown | undefined);
      if (shown !== undefined) print(shown, values);
    };
    if (!act.in) return withBankContext(purpose, values, work, database);
    const id = args.length > 0 ? given[0] : values[object ?? ""];
    const found = object ? about(object, String(id), values) : values;
    const place = args.indexOf(subaccountArgument);
    const of = place < 0 ? found : { ...values, subaccount: String(given[place]) };
    return withCommandContext(purpose, of, work);
  });
  actsByCommand.set(command, act);
  if (overHttp) actsOverHttp.set(command, overHttp.act);
  return command;
}

type CarriedAct = GatedAct & Pick<Act, "in">;

/** Which act each command carries: a test compares it with the table of acts. */
export const actsByCommand = new Map<Command, CarriedAct>();
/** And which one instead over HTTP. */
export const actsOverHttp = new Map<Command, CarriedAct>();

const subaccountArgument = "subaccount-id";

/** Of a user over HTTP, for live money. */
export function noteWaiting(result: unknown): void {
  const { request_id: waits } = (result ?? {}) as { request_id?: string | null };
  if (typeof waits !== "string") return;
  stderr.write("Nothing is changed yet: another user confirms it on Approvals.\n");
}

/** For a command that does more than carry one act. */
export function performAct<Input extends TObject, Output, Parts, Given>(
  act: Act<Input, Output, Parts, Given>,
  context: CommandContext | BankContext,
  input: Static<Input>,
  parts?: Parts,
  given?: Given,
): Promise<Output> {
  requireUserMay(act);
  if (act.in === "open subaccount") requireOpenForCommand(context as CommandContext);
  const all = { clock: systemClock, ...context, ...(parts as Parts) };
  return act.perform(all, byOf(act, context), input, given);
}

function byOf({ in: where }: Pick<Act, "in">, opened: CommandContext | BankContext): ActBy {
  if (where) return byInSubaccount(opened as CommandContext);
  const { session, user } = remoteRun() ?? {};
  return { actor: opened.actor, session, user };
}

type FieldSchema = TSchema & {
  codes?: { missing?: string };
  type?: string;
  description?: string;
  pattern?: string;
  maxLength?: number;
  enum?: readonly string[];
  items?: { enum?: readonly string[] };
};

function optionOf(name: string, schema: TSchema, input: TObject): Option {
  const { codes, type, description = "", pattern, maxLength, ...more } = schema as FieldSchema;
  const flag = `--${name.replaceAll("_", "-")}`;
  if (type === "boolean") return new Option(flag, description);
  const choices = more.enum ?? more.items?.enum;
  const value = type === "array" ? "value..." : choices ? name : "text";
  const option = new Option(`${flag} <${value}>`, description);
  if (pattern === line && maxLength !== undefined) option.argParser(readLine(maxLength));
  if (choices) option.choices(choices);
  if (type === "integer" || type === "number") option.argParser(Number);
  const isRequired = codes?.missing !== undefined || input.required?.includes(name);
  return isRequired ? option.makeOptionMandatory() : option;
}
