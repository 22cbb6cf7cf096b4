// An import: a file that is checked whole, shown and agreed to where it must be, and then created row by row.

import { statSync } from "node:fs";
import { basename } from "node:path";
import { CliError, exitCodes } from "../app/cli-error.ts";
import { audited } from "../audit/audited.ts";
import type { FieldWords } from "../fields/words.ts";
import type { Creator } from "../imports/create-rows.ts";
import type { CheckAmong } from "../imports/csv-rows.ts";
import { type CheckedRows, checkRows, problemLine } from "./check-rows.ts";
import {
  type CommandContext,
  requireOpenForCommand,
  type WriteOptions,
  withCommandContext,
} from "./command-context.ts";
import { canAsk, isAgreed } from "./confirm.ts";
import { CsvFile } from "./csv-file.ts";
import { checkHeader, type FileFormat } from "./file-rows.ts";
import { interruptible } from "./interruption.ts";
import { loadRows, resultHeader } from "./load-rows.ts";
import { print, printSection, type Shown, table } from "./output.ts";
import { count } from "./progress.ts";

export type ImportOptions = WriteOptions & { result?: string; dryRun?: boolean; yes?: boolean };

/** What a kind of import has of its own. */
export type Import<Creation> = {
  /** What is created, in the plural. */
  things: string;
  /** What its id is called, in answers and in the result file. */
  idName: string;
  format: FileFormat;
  /** For one pass over the file, as the creator. */
  newCheck(): CheckAmong;
  newCreator(context: CommandContext): Creator<Creation>;
  /** Of an import that has to be agreed to: what it would do. */
  survey?(context: CommandContext, asked: SurveyRequest): Promise<ImportSurvey>;
};

export type SurveyRequest = { path: string; rows: number; interrupted: AbortSignal };

export type ImportSurvey = {
  toCreate: number;
  /** For programs, and for people. */
  totals: Shown[];
  totalsInWords: Shown[];
  /** What a person should know before agreeing. */
  remarks: string[];
};

type Files = { input: string; problems: string; result: string };

type Run<Creation> = {
  kind: Import<Creation>;
  context: CommandContext;
  files: Files;
  options: ImportOptions;
  interrupted: AbortSignal;
};

export async function importFile<Creation>(
  input: string,
  options: ImportOptions,
  kind: Import<Creation>,
): Promise<void> {
  const result = options.result ?? `${input}.result.csv`;
  const files = { input, result, problems: `${input}.problems.csv` };
  demandDistinct(files);
  if (kind.survey) demandSomebodyToAsk(kind.things, options);
  await checkHeader(input, kind.format);
  await withCommandContext(`${kind.things} import`, options, (context) => {
    requireOpenForCommand(context);
    return interruptible((interrupted) =>
      checkAndLoad({ kind, context, files, options, interrupted }),
    );
  });
}

async function checkAndLoad<Creation>(run: Run<Creation>): Promise<void> {
  const { kind, context, files, options, interrupted } = run;
  const { format, things } = kind;
  const mark = markOf(files.input);
  const checked = await checkRows(files, { format, checkAmong: kind.newCheck() }, interrupted);
  demandUninterrupted(interrupted);
  demandSound(checked, files, options);

  const { rows } = checked;
  const survey = await kind.survey?.(context, { path: files.input, rows, interrupted });
  demandUninterrupted(interrupted);
  if (options.dryRun) {
    const { subaccountId: subaccount_id, mode } = context;
    const facts = { subaccount_id, mode, rows, problems: 0, dry_run: true };
    if (options.json) print({ ...facts, ...(survey && { totals: survey.totals }) }, options);
    else {
      print(facts, options);
      if (survey) printSection("Totals", survey.totalsInWords);
    }
    for (const remark of survey?.remarks ?? []) process.stderr.write(`${remark}\n`);
    const wouldBe = count(survey?.toCreate ?? rows);
    process.stderr.write(`Without --dry-run, ${wouldBe} ${things} would be created.\n`);
    return;
  }
  if (survey) await demandAgreement(run, survey);
  // What was agreed to is what was checked: somebody may have saved the file in the meantime.
  if (markOf(files.input) !== mark) {
    throw new CliError("The file has changed since it was checked. Nothing has been created.");
  }
  await load(run, rows);
}

async function load<Creation>(run: Run<Creation>, rows: number): Promise<void> {
  const { kind, context, files, options, interrupted } = run;
  const result = new CsvFile(files.result, resultHeader(kind.idName));
  // What is created names the person itself. The audit is told once, before the first of them.
  const object = { kind: "file", id: basename(files.input) };
  await audited(context, context.actor).transaction(
    { action: `${kind.things}.import`, object, after: { rows } },
    async () => {},
  );
  const goesOn = "Run the command again to go on: what was imported is found again.";
  const tally = await loadRows({
    path: files.input,
    format: kind.format,
    total: rows,
    creator: kind.newCreator(context),
    result,
    interrupted,
  })
    .catch((error) => {
      process.stderr.write(`Stopped in the middle. ${goesOn}\n`);
      throw error;
    })
    .finally(() => result.close());
  const { subaccountId: subaccount_id, mode } = context;
  print({ subaccount_id, mode, ...tally, result_file: files.result }, options);
  if (tally.rows < rows) throw interruption(goesOn);
  if (tally.refused > 0) {
    const text = `${count(tally.refused)} rows were refused: see ${files.result}.`;
    throw new CliError(text, exitCodes.refused);
  }
}

/** Unless every row is fine, nothing is created. */
function demandSound(checked: CheckedRows, files: Files, options: ImportOptions): void {
  const { rows, problems, shown } = checked;
  if (problems === 0) return;
  const lines = shown.map(problemLine);
  if (problems > shown.length) lines.push(`and ${count(problems - shown.length)} more`);
  process.stderr.write(`${lines.join("\n")}\n`);
  if (options.json) print({ rows, problems, problems_file: files.problems }, options);
  throw new CliError(
    `Nothing has been created. All problems are in ${files.problems}.`,
    exitCodes.usage,
  );
}

function demandSomebodyToAsk(things: string, { yes, dryRun }: ImportOptions): void {
  if (yes || dryRun || canAsk()) return;
  const text = `There is no terminal to ask at: say --yes to create ${things}, or --dry-run to see what would be.`;
  throw new CliError(text, exitCodes.usage);
}

async function demandAgreement<Creation>(
  { kind: { things }, context: { subaccountId, mode }, options, interrupted }: Run<Creation>,
  { toCreate, totalsInWords, remarks }: ImportSurvey,
): Promise<void> {
  const where = `In ${mode} subaccount ${subaccountId}:`;
  process.stderr.write(`${[where, table(totalsInWords), ...remarks].join("\n")}\n`);
  if (options.yes || toCreate === 0) return;
  const agreed = await isAgreed(`Create ${count(toCreate)} ${things}?`, interrupted);
  demandUninterrupted(interrupted);
  if (!agreed) throw new CliError("Nothing has been created.", exitCodes.refused);
}

function demandUninterrupted(interrupted: AbortSignal): void {
  if (interrupted.aborted) throw interruption("Nothing has been created.");
}

function interruption(text: string): CliError {
  return new CliError(`Interrupted. ${text}`, exitCodes.interrupted);
}

/** What is read must not be written over, by whatever name. */
function demandDistinct({ input, ...outputs }: Files): void {
  const file = statSync(input, { throwIfNoEntry: false });
  if (!file?.isFile()) throw new CliError(`There is no file ${input}.`, exitCodes.usage);
  for (const output of Object.values(outputs)) {
    const other = statSync(output, { throwIfNoEntry: false });
    if (other && other.dev === file.dev && other.ino === file.ino) {
      throw new CliError(
        `${output} is the file to import: it won't be written over.`,
        exitCodes.usage,
      );
    }
  }
}

/** Another one after the file was written to, or replaced. */
function markOf(path: string): string | undefined {
  const file = statSync(path, { throwIfNoEntry: false });
  return file && [file.dev, file.ino, file.size, file.mtimeMs].join();
}

/** For --help: what each column means. */
export function columnLines({ columns }: Pick<FileFormat, "columns">): string {
  const width = Math.max(...columns.map(({ name }) => name.length));
  const line = ({ name, isRequired, meaning }: FieldWords) =>
    `  ${name.padEnd(width)} ${isRequired ? "required" : "optional"}  ${meaning.replace(/\.$/, "")}`;
  return columns.map(line).join("\n");
}
