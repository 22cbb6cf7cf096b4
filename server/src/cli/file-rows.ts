// The rows of a file on this machine. One without a header that works is a wrong use of the command.

import { createReadStream } from "node:fs";
import { CliError, exitCodes } from "../app/cli-error.ts";
import { type RowFormat, type Rows, readRows, UnreadableFile } from "../imports/csv-rows.ts";

/** `template`: the command that prints a header that works. */
export type FileFormat = RowFormat & { template: string };

export async function* readFileRows(path: string, format: FileFormat): AsyncGenerator<Rows> {
  try {
    yield* readRows(createReadStream(path), format);
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error;
    const { message, isAboutColumns } = error;
    const hint = isAboutColumns ? `\n(${format.template} prints a header that works)` : "";
    throw new CliError(message + hint, exitCodes.usage);
  }
}

/** All that is wrong with the header, at once. */
export async function checkHeader(path: string, format: FileFormat): Promise<void> {
  for await (const _ of readFileRows(path, format)) return;
}
