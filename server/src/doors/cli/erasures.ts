// disburse erasures export | apply

import { readFile } from "node:fs/promises";
import type { Command } from "commander";
import {
  applyErasures,
  type ErasureRow,
  JournalError,
  readErasures,
  writeErasures,
} from "../../people/privacy/index.ts";
import { audited } from "../../tenants/audit/index.ts";
import { CliError, exitCodes } from "../setup/index.ts";
import { byOption, commandActor } from "./command-actor.ts";
import { withDatabase } from "./database.ts";
import { writeNewFile } from "./new-file.ts";
import { print } from "./output.ts";

export function addErasureCommands(erasures: Command): void {
  erasures
    .command("export <file>")
    .description("write the journal of erasures; `-` is the standard output")
    .action((file: string) =>
      withDatabase("erasures export", ({ db }) => writeNewFile(file, writeErasures(db))),
    );

  const apply = erasures
    .command("apply <file>")
    .description("erase the receivers of a journal again, in a restored backup")
    .option("--json", "print JSON");
  byOption(apply).action((file: string, options: { json?: boolean; by?: string }) =>
    withDatabase(
      "erasures apply",
      async ({ db, seal }) => {
        const actor = await commandActor(db, options.by);
        const rows = await readErasureFile(file);
        const applied = await applyErasures({ db, seal }, rows);
        const object = { kind: "erasures", id: String(rows.length) };
        const note = { action: "erasures.apply", object, after: applied };
        await audited({ db, seal }, actor).transaction(note, async () => {});
        print(applied, options);
      },
      { worksInQuarantine: true },
    ),
  );
}

/** The journal in a file. */
export async function readErasureFile(file: string): Promise<ErasureRow[]> {
  try {
    return readErasures(await readFile(file, "utf8"));
  } catch (error) {
    if (error instanceof JournalError) throw new CliError(error.message, exitCodes.refused);
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") throw new CliError(`There is no file ${file}.`, exitCodes.notFound);
    throw error;
  }
}
