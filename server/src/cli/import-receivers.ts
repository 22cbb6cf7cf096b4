// disburse receivers import: a file of people, all of them checked first, then each created once.

import { statSync } from "node:fs";
import type { Command } from "commander";
import { stringify } from "csv-stringify/sync";
import { type Checked, checkReceivers, problemLine } from "./check-receivers.ts";
import { CsvFile } from "./csv-file.ts";
import { interruptible } from "./interruption.ts";
import { loadReceivers, resultHeader } from "./load-receivers.ts";
import {
  asOperator,
  demandOpen,
  type Operator,
  type WriteOptions,
  writeOptions,
} from "./operator.ts";
import { print } from "./output.ts";
import { count } from "./progress.ts";
import { checkHeader, columns } from "./receiver-file.ts";
import { exitCodes, Stop } from "./stop.ts";

type ImportOptions = WriteOptions & { result?: string; dryRun?: boolean; template?: boolean };
type Files = { input: string; problems: string; result: string };

export function importReceiversCommand(receivers: Command): void {
  const command = receivers
    .command("import [file]")
    .description("create the receivers of a CSV file; run again, it goes on where it ended")
    .option("--result <file>", "what became of each row; FILE.result.csv when absent")
    .option("--dry-run", "only check the file")
    .option("--template", "print a header and an example row, and end")
    .addHelpText("after", help());
  writeOptions(command).action(async (input: string | undefined, options: ImportOptions) => {
    if (options.template) {
      process.stdout.write(template());
      return;
    }
    if (input === undefined) throw new Stop("Name the file to import.", exitCodes.usage);
    const result = options.result ?? `${input}.result.csv`;
    const files = { input, result, problems: `${input}.problems.csv` };
    demandDistinct(files);
    await checkHeader(input);
    await asOperator("receivers import", options, (operator) => {
      demandOpen(operator);
      return interruptible((interrupted) =>
        importFile(operator, files, { ...options, interrupted }),
      );
    });
  });
}

async function importFile(
  operator: Operator,
  files: Files,
  { interrupted, ...options }: ImportOptions & { interrupted: AbortSignal },
): Promise<void> {
  const checked = await checkReceivers(files, interrupted);
  if (interrupted.aborted) throw interruption("Nothing has been created.");
  demandSound(checked, files, options);

  const { subaccountId: subaccount_id, mode } = operator;
  const { rows } = checked;
  if (options.dryRun) {
    print({ subaccount_id, mode, rows, problems: 0, dry_run: true }, options);
    process.stderr.write(`Without --dry-run, ${count(rows)} receivers would be created.\n`);
    return;
  }

  const result = new CsvFile(files.result, resultHeader);
  const goesOn = "Run the command again to go on: what was imported is found again.";
  const tally = await loadReceivers({
    path: files.input,
    total: rows,
    operator,
    result,
    interrupted,
  })
    .catch((error) => {
      process.stderr.write(`Stopped in the middle. ${goesOn}\n`);
      throw error;
    })
    .finally(() => result.close());
  print({ subaccount_id, mode, ...tally, result_file: files.result }, options);
  if (tally.rows < rows) throw interruption(goesOn);
  if (tally.refused > 0) {
    const text = `${count(tally.refused)} rows were refused: see ${files.result}.`;
    throw new Stop(text, exitCodes.refused);
  }
}

/** Unless every row is fine, nothing is created. */
function demandSound(checked: Checked, files: Files, options: ImportOptions): void {
  const { rows, problems, shown } = checked;
  if (problems === 0) return;
  const lines = shown.map(problemLine);
  if (problems > shown.length) lines.push(`and ${count(problems - shown.length)} more`);
  process.stderr.write(`${lines.join("\n")}\n`);
  if (options.json) print({ rows, problems, problems_file: files.problems }, options);
  throw new Stop(
    `Nothing has been created. All problems are in ${files.problems}.`,
    exitCodes.usage,
  );
}

function interruption(text: string): Stop {
  return new Stop(`Interrupted. ${text}`, exitCodes.interrupted);
}

/** What is read must not be written over, by whatever name. */
function demandDistinct({ input, ...outputs }: Files): void {
  const file = statSync(input, { throwIfNoEntry: false });
  if (!file?.isFile()) throw new Stop(`There is no file ${input}.`, exitCodes.usage);
  for (const output of Object.values(outputs)) {
    const other = statSync(output, { throwIfNoEntry: false });
    if (other && other.dev === file.dev && other.ino === file.ino) {
      throw new Stop(`${output} is the file to import: it won't be written over.`, exitCodes.usage);
    }
  }
}

function template(): string {
  return stringify([columns.map(({ name }) => name), columns.map(({ example }) => example)]);
}

function help(): string {
  const lines = columns.map(
    ({ name, isRequired, meaning }) =>
      `  ${name.padEnd(12)} ${isRequired ? "required" : "optional"}  ${meaning.replace(/\.$/, "")}`,
  );
  return `
FILE is CSV in UTF-8, with a header row that names the columns, in any order:

${lines.join("\n")}

Every value is a text: leading zeros stay. Every row is checked before any receiver is created; the
problems are shown, and all of them written to FILE.problems.csv. What became of each row is written to
FILE.result.csv: row, receiver_id, outcome (created, already imported, refused), code, message.

A row that was imported before is not created again, so an import that was interrupted is simply run again.

Exit code 0: all is well; 1: some rows were refused; 2: the file has problems; 130: interrupted.`;
}
