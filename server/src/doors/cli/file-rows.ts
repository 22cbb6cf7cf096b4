// Reads the rows of a CSV file. A bad header is a usage error.

import { createReadStream } from "node:fs";
import { type RowFormat, type Rows, readRows, UnreadableFile } from "../../money/imports/index.ts";
import { CliError, exitCodes } from "../setup/index.ts";

/** `template`: the command or option that prints a valid header. */
export type FileFormat = RowFormat & { template: string };

export async function* readFileRows(path: string, format: FileFormat): AsyncGenerator<Rows> {
  try {
    yield* readRows(createReadStream(path), format);
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error;
    const { message, isAboutColumns } = error;
    const hint = isAboutColumns ? `\n(${format.template} prints a valid header)` : "";
    throw new CliError(message + hint, exitCodes.usage);
  }
}

/** Throws one error that lists every problem of the header. */
export async function checkHeader(path: string, format: FileFormat): Promise<void> {
  for await (const _ of readFileRows(path, format)) return;
}
