// Reads the rows of a file: CSV as it comes, which may be larger than memory, or a workbook. A bad header is a usage error.

import { setImmediate } from "node:timers/promises";
import {
  type CommandReading,
  type RowFormat,
  type Rows,
  readRows,
  strictPlan,
} from "../../money/imports/index.ts";
import {
  importSheetLimits,
  isWorkbook,
  openStream,
  readTable,
  readTableInThread,
  type Sheet,
  type SheetTable,
  sheetOfTable,
  UnreadableFile,
  wordsOf,
} from "../../money/sheets/index.ts";
import { CliError, exitCodes } from "../setup/index.ts";
import { createReadStream, fileSize, readFileSync, readFirstBytes } from "./local-files.ts";
import { remoteRun, stderr } from "./terminal.ts";

/** `template`: the command or option that prints a valid header. */
export type FileFormat = RowFormat & { template: string };

/** A file of rows, as it is read again for each pass. */
export type RowsFile = {
  path: string;
  bytes: number;
  rows(): AsyncGenerator<Rows>;
};

/** Throws one error that lists every problem of the header. */
export async function openRows(
  path: string,
  format: FileFormat,
  reading: CommandReading,
): Promise<RowsFile> {
  const sheet = await readable(format, () => openSheet(path, format));
  const plan = await readable(format, async () => strictPlan(sheet.header, format, reading));
  return {
    path,
    bytes: fileSize(path),
    async *rows() {
      const rows = readRows(sheet, format, plan);
      for (;;) {
        const { value, done } = await readable(format, () => rows.next());
        if (done) return;
        yield value;
        // A process that serves goes on with its other requests.
        if (remoteRun()) await setImmediate();
      }
    },
  };
}

async function openSheet(path: string, format: FileFormat): Promise<Sheet> {
  const words = new Set(wordsOf(format.fields).keys());
  if (remoteRun()) return sheetOf(await readTableInThread(readFileSync(path), words));
  if (!isWorkbook(readFirstBytes(path))) return openStream(() => createReadStream(path), words);
  if (fileSize(path) > importSheetLimits.bytesMax) {
    throw new UnreadableFile("An Excel workbook may have 10 MB. Save a larger one as CSV.");
  }
  return sheetOf(await readTable(readFileSync(path), words, importSheetLimits));
}

function sheetOf(table: SheetTable): Sheet {
  for (const note of table.notes) stderr.write(`${note}\n`);
  return sheetOfTable(table);
}

async function readable<Result>(
  { template }: FileFormat,
  read: () => Promise<Result>,
): Promise<Result> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error;
    const { message, isAboutColumns } = error;
    const hint = isAboutColumns ? `\n(${template} prints a valid header)` : "";
    throw new CliError(message + hint, exitCodes.usage);
  }
}
