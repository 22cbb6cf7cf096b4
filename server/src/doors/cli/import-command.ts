// disburse <receivers | accounts> import: its options, its template and its help.

import type { Command } from "commander";
import { templateOf } from "../../platform/fields/index.ts";
import { CliError, exitCodes } from "../setup/index.ts";
import { writeOptions } from "./command-context.ts";
import type { FileFormat } from "./file-rows.ts";
import { fileHelp, type ImportOptions, readingOptions } from "./import-file.ts";
import { stdout } from "./terminal.ts";

type ImportCommand = {
  description: string;
  format: FileFormat;
  /** The columns of the template; all where absent. */
  template?: FileFormat["columns"];
  /** Besides those that every import has. */
  option: readonly [flags: string, meaning: string];
  /** What is particular about it, and its exit codes. */
  help: string;
  run: (input: string, options: ImportOptions) => Promise<void>;
};

export function importCommand(
  parent: Command,
  { description, format, template = format.columns, option, help, run }: ImportCommand,
): void {
  const command = parent
    .command("import [file]")
    .description(description)
    .option(...option)
    .option("--dry-run", "only check the file")
    .option("--template", "print a header and an example row, and exit")
    .addHelpText("after", `${fileHelp(format)}\n\n${help}`);
  writeOptions(readingOptions(command)).action(
    async (input: string | undefined, options: ImportOptions & { template?: boolean }) => {
      if (options.template) stdout.write(templateOf(template));
      else if (input !== undefined) await run(input, options);
      else throw new CliError("Name the file to import.", exitCodes.usage);
    },
  );
}
