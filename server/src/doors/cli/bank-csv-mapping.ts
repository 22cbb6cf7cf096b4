// disburse banks csv-mapping: proposes, shows and saves what the columns of a bank's CSV statements mean.

import type { Command } from "commander";
import type { CsvGuess, CsvMapping } from "../../../../packages/bank-formats/src/index.ts";
import {
  type BankConnection,
  type CsvMappingRow,
  checkedMapping,
  findCsvMapping,
  saveMapping,
} from "../../banking/connections/index.ts";
import { tryCsvInThread } from "../../banking/readers/index.ts";
import { toDecimal } from "../../platform/base/index.ts";
import type { Fields } from "../../platform/fields/index.ts";
import { CliError, exitCodes } from "../setup/index.ts";
import { noteWaiting, performAct } from "./act-command.ts";
import { type BankContext, type BankOptions, withBankContext } from "./bank-context.ts";
import { byOption } from "./command-actor.ts";
import { readFileSync } from "./local-files.ts";
import { oneLine, print, printSection, time } from "./output.ts";
import { setExitCode, stderr, stdout } from "./terminal.ts";

type MappingOptions = BankOptions & {
  file?: string;
  guess?: boolean;
  set: string[];
  save?: boolean;
};

export function addCsvMappingCommand(banks: Command): void {
  const mapping = banks
    .command("csv-mapping <name>")
    .description("what the columns of the bank's CSV statements mean: show, propose, change, save")
    .option("--file <file>", "a sample: shows its first lines as they would be read")
    .option("--guess", "propose a mapping from the sample instead of taking the saved one")
    .option("--set <field=value>", "change a field, such as date.format=DD.MM.YYYY", collect, [])
    .option("--save", "save the mapping")
    .option("--json", "print JSON");
  byOption(mapping).action((name: string, options: MappingOptions) =>
    withBankContext("banks csv-mapping", options, async (context) => {
      const connection = await context.connection(name);
      const saved = await findCsvMapping(context.db, connection.id);
      const sample = options.file === undefined ? undefined : readSample(options.file);
      const guess = await guessOf(sample, connection, { options, saved });
      const base = guess ? guess.mapping : saved?.mapping;
      const changed = withChanges(base, options.set);
      if (!changed) return showNothing(guess, options);
      const proposed = checkedMapping(changed);
      const preview = sample && (await triedWith(sample, connection, proposed)).preview;
      const after = options.save
        ? await save(context, connection, { mapping: proposed, preview })
        : undefined;
      show({ proposed, guess, preview, row: after?.saved ?? saved, after }, options);
      if (preview && !preview.isValid) setExitCode(exitCodes.refused);
    }),
  );
}

function collect(value: string, before: string[]): string[] {
  return [...before, value];
}

type Sample = { file: string; bytes: Buffer };

function readSample(file: string): Sample {
  try {
    return { file, bytes: readFileSync(file) };
  } catch (error) {
    if (error instanceof CliError) throw error;
    const { code } = error as NodeJS.ErrnoException;
    throw new CliError(`${oneLine(file)} can't be read (${code}).`, exitCodes.refused);
  }
}

async function triedWith({ file, bytes }: Sample, { row }: BankConnection, mapping?: CsvMapping) {
  const tried = await tryCsvInThread({ bytes, mapping, currency: row.currency });
  if (tried) return tried;
  throw new CliError(`${oneLine(file)} is not text.`, exitCodes.refused);
}

type Preview = Awaited<ReturnType<typeof triedWith>>["preview"];

/** Undefined where the saved mapping is meant. */
async function guessOf(
  sample: Sample | undefined,
  connection: BankConnection,
  { options, saved }: { options: MappingOptions; saved: CsvMappingRow | undefined },
): Promise<CsvGuess | undefined> {
  if (options.guess && sample === undefined) {
    throw new CliError("--guess needs a sample: --file sample.csv", exitCodes.usage);
  }
  if (sample === undefined || (saved && !options.guess)) return undefined;
  return (await triedWith(sample, connection)).guess;
}

/** A value is JSON, or else a text. Null takes the field away. */
function withChanges(base: CsvMapping | undefined, changes: readonly string[]): Fields | undefined {
  if (!base && changes.length === 0) return undefined;
  const mapping = structuredClone((base ?? {}) as Fields);
  for (const change of changes) {
    const [, path = "", value = ""] = /^([a-z_]+(?:\.[a-z_]+)*)=(.*)$/s.exec(change) ?? [];
    if (path === "")
      throw new CliError(`--set ${oneLine(change)}: write field=value.`, exitCodes.usage);
    setAt(mapping, path.split("."), readValue(value));
  }
  return mapping;
}

function readValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function setAt(target: Fields, [name = "", ...rest]: string[], value: unknown): void {
  if (rest.length === 0) {
    if (value === null) delete target[name];
    else target[name] = value;
    return;
  }
  const inner = target[name];
  const next = typeof inner === "object" && inner !== null ? (inner as Fields) : {};
  // Another kind of amount has other fields.
  target[name] = rest[0] === "kind" && value !== next.kind ? {} : next;
  setAt(target[name] as Fields, rest, value);
}

/** A mapping that can't read its own sample is not saved. */
async function save(
  context: BankContext,
  { id }: BankConnection,
  { mapping, preview }: { mapping: CsvMapping; preview: Preview },
) {
  if (preview && !preview.isValid) {
    stderr.write("It is not saved: the sample can't be read with it.\n");
    return undefined;
  }
  const fields: Fields = { ...mapping };
  const after = await performAct(saveMapping, context, { id, mapping: fields });
  noteWaiting(after);
  return after;
}

function showNothing(guess: CsvGuess | undefined, options: MappingOptions): void {
  if (!guess)
    throw new CliError(
      "No mapping is saved. Propose one with --file sample.csv",
      exitCodes.notFound,
    );
  setExitCode(exitCodes.refused);
  if (options.json) {
    print({ mapping: null, notes: guess.notes }, options);
    return;
  }
  stdout.write("No mapping can be proposed for this file.\n");
  printSection("Reasons", guess.notes);
}

type Shown = {
  proposed: CsvMapping;
  guess: CsvGuess | undefined;
  preview: Preview;
  row: CsvMappingRow | undefined;
  after: Awaited<ReturnType<typeof save>>;
};

function show({ proposed, guess, preview, row, after }: Shown, options: MappingOptions): void {
  const version = row && {
    version: row.version,
    saved_at: time(row.saved_at_ms),
    saved_by: row.saved_by,
  };
  const waits = after?.request_id ? { request_id: after.request_id } : {};
  const is_saved = after !== undefined && !after.request_id;
  const state = { ...(version ?? { version: null }), is_saved, ...waits };
  const lines = preview?.lines.map(describeLine);
  const statements = preview?.statements.map(({ currency, opening, closing, ...end }) => ({
    currency,
    from_day: end.fromDay,
    to_day: end.toDay,
    lines: end.lines,
    opening: opening === undefined ? null : toDecimal(opening, currency),
    closing: closing === undefined ? null : toDecimal(closing, currency),
  }));
  const problems = preview?.problems;
  const notes = guess?.notes;
  if (options.json) {
    print({ ...state, mapping: proposed, notes, lines, statements, problems }, options);
    return;
  }
  print({ ...state, ...proposed }, options);
  if (notes) printSection("Why", notes);
  if (lines) printSection("First lines", lines);
  if (statements) printSection("Statements", statements);
  if (problems && problems.length > 0) printSection("Problems", problems);
}

function describeLine({
  place,
  amount,
  currency,
  partyAccount,
  ...line
}: NonNullable<Preview>["lines"][number]) {
  return {
    line: place.line,
    day: line.day,
    value_day: line.valueDay,
    amount: toDecimal(amount, currency),
    currency,
    text: line.text,
    reference: line.customerReference,
    bank_reference: line.bankReference,
    party: line.partyName,
    party_account: partyAccount === "" ? "" : `…${partyAccount.slice(-3)}`,
  };
}
