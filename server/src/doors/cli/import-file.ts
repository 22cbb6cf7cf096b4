// Imports a file: checks all rows, asks for confirmation where it is needed, then creates row by row.

import { basename } from "node:path";
import { type Command, InvalidArgumentError, Option } from "commander";
import {
  type CheckAmong,
  type Creator,
  importLimits,
  keepWaitingRows,
  mayCreatePayees,
  type RequestOf,
  type Row,
  rowRecorder,
  startImport,
} from "../../money/imports/index.ts";
import type { Caller } from "../../platform/base/index.ts";
import type { FieldWords } from "../../platform/fields/index.ts";
import { Refusal } from "../../platform/refusals/index.ts";
import { callerOf } from "../../tenants/acts/index.ts";
import { CliError, exitCodes } from "../setup/index.ts";
import { type CheckedRows, checkRows, problemLine } from "./check-rows.ts";
import { fileOfClient, requireNewFile } from "./client-files.ts";
import {
  byInSubaccount,
  type CommandContext,
  requireOpenForCommand,
  type WriteOptions,
  withCommandContext,
} from "./command-context.ts";
import { canAsk, isAgreed } from "./confirm.ts";
import { CsvFile } from "./csv-file.ts";
import { type FileFormat, openRows, type RowsFile } from "./file-rows.ts";
import { interruptible } from "./interruption.ts";
import { loadRows, resultHeader } from "./load-rows.ts";
import { statSync } from "./local-files.ts";
import { laterText, type NewPayeesOfFile, newPayeesOfFile, remarksOnLater } from "./new-payees.ts";
import { print, printSection, type Shown, table } from "./output.ts";
import { count } from "./progress.ts";
import { type GatedAct, requireUserMay } from "./remote-gate.ts";
import { remoteRun, stderr } from "./terminal.ts";

export type ImportOptions = WriteOptions & {
  result?: string;
  dryRun?: boolean;
  yes?: boolean;
  createReceivers?: boolean;
  map?: ReadonlyMap<string, string>;
  decimal?: "." | ",";
};

/** The options of every import that say how the file is read. */
export function readingOptions(command: Command): Command {
  return command
    .addOption(
      new Option(
        "--map <column=field>",
        "the field of a column that has another name; - for none. Again for each column",
      ).argParser(addToMap),
    )
    .addOption(
      new Option(
        "--decimal <mark>",
        "what stands before the decimals of amounts; marks between thousands are then read too",
      ).choices([".", ","]),
    );
}

function addToMap(text: string, before: ReadonlyMap<string, string> = new Map()) {
  const place = text.lastIndexOf("=");
  if (place <= 0) throw new InvalidArgumentError("Write column=field.");
  return new Map([...before, [text.slice(0, place), text.slice(place + 1)]]);
}

/** One kind of import. */
export type Import<Creation> = {
  /** The plural name of the created objects. */
  things: "payouts" | "receivers";
  /** The console's act for the same: over HTTP its user needs what that needs. */
  act: GatedAct;
  /** Name of the id, in responses and in the result file. */
  idName: string;
  format: FileFormat;
  /** The check and the creator each serve one pass over the file. */
  newCheck(): CheckAmong;
  newCreator(
    context: CommandContext & { caller: Caller },
    batch: ImportBatch,
  ): Creator<Creation> | Promise<Creator<Creation>>;
  requestOf?: RequestOf;
  /** Finds what the rows name, in the database. */
  find?(context: CommandContext, rows: Row[]): Promise<Row[]>;
  /** For an import that needs confirmation: what it would do. */
  survey?(context: CommandContext, request: SurveyRequest): Promise<ImportSurvey>;
};

export type ImportBatch = {
  /** Undefined for a file that is too large to be one payout batch. */
  batchId: string | undefined;
  /** The sums that the file pays, by currency. */
  batchTotals: ReadonlyMap<string, bigint>;
};

export type SurveyRequest = {
  file: RowsFile;
  find: (rows: Row[]) => Promise<Row[]>;
  rows: number;
  interrupted: AbortSignal;
};

export type ImportSurvey = {
  toCreate: number;
  /** The sums that would be paid, by currency. */
  amounts: ReadonlyMap<string, bigint>;
  /** For --json, and for the terminal. */
  totals: Shown[];
  totalsInWords: Shown[];
  /** Warnings to read before the confirmation. */
  remarks: string[];
};

type Files = { input: string; problems: string; result: string };

type Run<Creation> = {
  kind: Import<Creation>;
  context: CommandContext;
  files: Files;
  file: RowsFile;
  find: (rows: Row[]) => Promise<Row[]>;
  options: ImportOptions;
  interrupted: AbortSignal;
  /** Of a file that may name new receivers and accounts. */
  payees: NewPayeesOfFile | undefined;
};

export async function importFile<Creation>(
  input: string,
  options: ImportOptions,
  kind: Import<Creation>,
): Promise<void> {
  const result = options.result ?? `${input}.result.csv`;
  const files = { input, result, problems: `${input}.problems.csv` };
  if (!options.dryRun) requireUserMay(kind.act);
  if (options.createReceivers) requirePayees();
  if (kind.survey) requireTerminal(kind.things, options);
  requireDistinctFiles(files);
  const { things, format } = kind;
  await withOpenFile({ things, input, format, options }, (context, file, interrupted) => {
    const findAny = async (rows: Row[]) => kind.find?.(context, rows) ?? rows;
    const payees = options.createReceivers ? newPayeesOfFile(context, findAny) : undefined;
    const find = payees?.findRest ?? findAny;
    return checkAndLoad({ kind, context, files, file, find, options, interrupted, payees });
  });
}

type Opening = { things: string; input: string; format: FileFormat; options: ImportOptions };

export async function withOpenFile(
  { things, input, format, options }: Opening,
  work: (context: CommandContext, file: RowsFile, interrupted: AbortSignal) => Promise<void>,
): Promise<void> {
  const { map = new Map(), decimal = "plain" } = options;
  requireFields(map, format);
  const file = await openRows(input, format, { map, decimal });
  await withCommandContext(`${things} import`, options, (context) => {
    requireOpenForCommand(context);
    return interruptible((interrupted) => work(context, file, interrupted));
  });
}

async function checkAndLoad<Creation>(run: Run<Creation>): Promise<void> {
  const { kind, context, files, file, find, options, interrupted, payees } = run;
  const { things } = kind;
  const mark = markOf(files.input);
  const checks = { find: payees?.findFirst ?? find, checkAmong: kind.newCheck() };
  const checked = await checkRows({ file, problems: files.problems }, checks, interrupted);
  requireNotInterrupted(interrupted);
  requireValidRows(checked, files, options);

  const later = payees?.later.size ?? 0;
  const rows = checked.rows - later;
  const survey = await kind.survey?.(context, { file, find, rows, interrupted });
  if (payees) survey?.remarks.push(...remarksOnLater(payees));
  requireNotInterrupted(interrupted);
  if (options.dryRun) {
    const { subaccountId: subaccount_id, mode } = context;
    const facts = {
      ...{ subaccount_id, mode, rows, problems: 0, dry_run: true },
      ...(payees && { ...payees.counts(), paid_later: later }),
    };
    if (options.json) print({ ...facts, ...(survey && { totals: survey.totals }) }, options);
    else {
      print(facts, options);
      if (survey) printSection("Totals", survey.totalsInWords);
    }
    for (const remark of survey?.remarks ?? []) stderr.write(`${remark}\n`);
    const wouldBe = count(survey?.toCreate ?? rows);
    stderr.write(`Without --dry-run, ${wouldBe} ${things} would be created.\n`);
    return;
  }
  if (survey) await requireConfirmation(run, survey);
  // The file may have been saved again since it was checked.
  if (markOf(files.input) !== mark) {
    throw new CliError("The file has changed since it was checked. Nothing has been created.");
  }
  await load(run, rows, survey?.amounts ?? new Map());
}

async function load<Creation>(
  run: Run<Creation>,
  rows: number,
  batchTotals: ImportBatch["batchTotals"],
): Promise<void> {
  const { kind, context, files, options, interrupted, payees } = run;
  const { file: rowsFile, find } = run;
  const result = new CsvFile(files.result, resultHeader(kind.idName));
  const { subaccountId, mode, db } = context;
  const by = byInSubaccount(context);
  const file = { kind: kind.things, fileName: shownName(files.input), rows };
  const agreed = payees?.counts();
  const news = agreed && { new_receivers: agreed.receivers, new_accounts: agreed.accounts };
  const key = await startImport(context, by, { ...file, facts: { rows, ...news } });
  const batchId = rows > importLimits.batchRowsMax ? undefined : key.id;
  const howToContinue =
    "Run the command again to continue: rows that are already imported are skipped.";
  const made = await payees?.create(by, interrupted);
  await keepWaitingRows(context, key, [...(payees?.later.values() ?? [])]);
  for (const row of payees?.later.keys() ?? []) result.add(row, "", "paid later", "", laterText);
  const counts = await loadRows({
    file: rowsFile,
    find,
    total: rows,
    creator: await kind.newCreator({ ...context, caller: callerOf(by) }, { batchId, batchTotals }),
    recorder: rowRecorder(db, key, kind.requestOf),
    result,
    isStopped: async () => interrupted.aborted || (await by.stillMay?.()) === false,
  })
    .catch((error) => {
      stderr.write(`The import is incomplete. ${howToContinue}\n`);
      throw error;
    })
    .finally(() => result.close());
  const facts = { subaccount_id: subaccountId, mode, import_id: key.id };
  const shown = made && {
    ...{ receivers: made.receivers, accounts: made.accounts },
    paid_later: payees?.later.size ?? 0,
  };
  print({ ...facts, ...shown, ...counts, result_file: files.result }, options);
  if (counts.rows < rows) throw interruption(howToContinue);
  if (made && made.problems.length > 0) {
    throw new CliError(`Not created: ${made.problems.join("; ")}.`, exitCodes.refused);
  }
  if (counts.refused > 0) {
    const text = `${count(counts.refused)} rows were refused: see ${files.result}.`;
    throw new CliError(text, exitCodes.refused);
  }
}

function requireFields(map: ReadonlyMap<string, string>, { fields }: FileFormat): void {
  const unknown = [...map.values()].filter(
    (field) => field !== "-" && !fields.some(({ name }) => name === field),
  );
  if (unknown.length === 0) return;
  const names = fields.map(({ name }) => name).join(", ");
  throw new CliError(`No such field: ${unknown.join(", ")}. Fields: ${names}.`, exitCodes.usage);
}

export function requireValidRows(
  checked: CheckedRows,
  files: Pick<Files, "problems">,
  options: ImportOptions,
): void {
  const { rows, problems, shown } = checked;
  if (problems === 0) return;
  const lines = shown.map(problemLine);
  if (problems > shown.length) lines.push(`and ${count(problems - shown.length)} more`);
  stderr.write(`${lines.join("\n")}\n`);
  if (options.json) print({ rows, problems, problems_file: files.problems }, options);
  throw new CliError(
    `Nothing has been created. All problems are in ${files.problems}.`,
    exitCodes.usage,
  );
}

export function requireTerminal(things: string, { yes, dryRun }: ImportOptions): void {
  if (yes || dryRun || canAsk()) return;
  const text = `Without a terminal to confirm at, add --yes to create ${things}, or --dry-run to only check the file.`;
  throw new CliError(text, exitCodes.usage);
}

async function requireConfirmation<Creation>(
  {
    kind: { things },
    context: { subaccountId, mode },
    options,
    interrupted,
    payees,
  }: Run<Creation>,
  { toCreate, totalsInWords, remarks }: ImportSurvey,
): Promise<void> {
  const where = `In ${mode} subaccount ${subaccountId}:`;
  stderr.write(`${[where, table(totalsInWords), ...remarks].join("\n")}\n`);
  const { receivers = 0, accounts = 0 } = payees?.counts() ?? {};
  if (options.yes || toCreate + receivers + accounts === 0) return;
  const news = payees ? `${count(receivers)} receivers, ${count(accounts)} accounts and ` : "";
  const agreed = await isAgreed(`Create ${news}${count(toCreate)} ${things}?`, interrupted);
  requireNotInterrupted(interrupted);
  if (!agreed) throw new CliError("Nothing has been created.", exitCodes.refused);
}

export function requireNotInterrupted(interrupted: AbortSignal): void {
  if (interrupted.aborted) throw interruption("Nothing has been created.");
}

export function interruption(text: string): CliError {
  return new CliError(`Interrupted. ${text}`, exitCodes.interrupted);
}

/** An output file must not be the input file, under any name. */
function requireDistinctFiles({ input, ...outputs }: Files): void {
  const run = remoteRun();
  if (run && input !== "-") {
    fileOfClient(run, input);
    for (const output of Object.values(outputs)) {
      if (output === input) throw isInput(output);
      requireNewFile(run, output);
    }
    return;
  }
  const file = run ? undefined : statSync(input, { throwIfNoEntry: false });
  if (!file?.isFile()) throw new CliError(`There is no file ${input}.`, exitCodes.usage);
  for (const output of Object.values(outputs)) {
    const other = statSync(output, { throwIfNoEntry: false });
    if (other && other.dev === file.dev && other.ino === file.ino) throw isInput(output);
  }
}

const isInput = (output: string) =>
  new CliError(
    `${output} is the file to import, and would be overwritten. Choose another --result.`,
    exitCodes.usage,
  );

/** What `--create-receivers` needs besides. */
function requirePayees(): void {
  const run = remoteRun();
  if (run && !mayCreatePayees(run)) throw new Refusal(run.caller ? "AUTH110" : "CONS102");
}

/** The name of the file as the console shows it: in one line, and not too long. */
function shownName(path: string): string {
  return basename(path)
    .replaceAll(/\p{Cc}+/gu, " ")
    .slice(0, importLimits.fileNameCharsMax);
}

/** Changes when the file is written to or replaced. What a client sent stays. */
function markOf(path: string): string | undefined {
  if (remoteRun()) return undefined;
  const file = statSync(path, { throwIfNoEntry: false });
  return file && [file.dev, file.ino, file.size, file.mtimeMs].join();
}

/** The beginning of --help: the columns and their meanings. */
export function fileHelp({ columns }: Pick<FileFormat, "columns">): string {
  const width = Math.max(...columns.map(({ name }) => name.length));
  const line = ({ name, isRequired, meaning }: FieldWords) =>
    `  ${name.padEnd(width)} ${isRequired ? "required" : "optional"}  ${meaning.replace(/\.$/, "")}`;
  return `
FILE is CSV in UTF-8 or an Excel workbook (.xlsx), with a header row that names the columns, in any order and case:

${columns.map(line).join("\n")}`;
}
