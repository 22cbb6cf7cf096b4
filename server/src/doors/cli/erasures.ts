// disburse erasures export | apply

import type { Command } from "commander";
import {
  applyJournal,
  type ErasureRow,
  JournalError,
  readErasures,
  writeErasures,
} from "../../people/privacy/index.ts";
import { CliError, exitCodes } from "../setup/index.ts";
import { actCommand } from "./act-command.ts";
import { withDatabase } from "./database.ts";
import { readFileSync } from "./local-files.ts";
import { writeNewFile } from "./new-file.ts";

export function addErasureCommands(erasures: Command): void {
  erasures
    .command("export <file>")
    .description("write the journal of erasures; `-` is the standard output")
    .action((file: string) =>
      withDatabase("erasures export", ({ db }) => writeNewFile(file, writeErasures(db))),
    );

  actCommand(erasures, "apply <file>", applyJournal, {
    worksInQuarantine: true,
    without: ["rows"],
    read: async ({ file }) => ({ rows: await readErasureFile(String(file)) }),
  });
}

/** The journal in a file. */
export async function readErasureFile(file: string): Promise<ErasureRow[]> {
  try {
    return readErasures(readFileSync(file, "utf8"));
  } catch (error) {
    if (error instanceof JournalError) throw new CliError(error.message, exitCodes.refused);
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") throw new CliError(`There is no file ${file}.`, exitCodes.notFound);
    throw error;
  }
}
