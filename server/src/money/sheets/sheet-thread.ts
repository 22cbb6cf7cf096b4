// Files of users are read in a thread: a large or hostile one must not delay the requests that this process serves.

import { serveCalls, ThreadPool } from "../../platform/documents/index.ts";
import { limits } from "../../platform/limits/index.ts";
import type { Sheet, SheetHabits, SheetHead } from "./sheet.ts";
import { habitsOf, readTable, rowsAtOnce, type SheetTable } from "./sheet.ts";
import { type TableRow, UnreadableFile } from "./table.ts";

// The file that the thread has open.
let table: SheetTable | undefined;

type Given = { content: string; words: string[] };
type Columns = { amounts: number[]; days: number[] };
type Opened = (SheetHead & Pick<SheetTable, "broken" | "sha256"> & { count: number }) | Unreadable;
type Unreadable = { unreadable: string };

const calls = {
  async open({ content, words }: Given): Promise<Opened> {
    try {
      const { rows, ...head } = await readTable(
        Buffer.from(content, "base64"),
        new Set(words),
        importSheetLimits,
      );
      table = { ...head, rows };
      return { ...head, count: rows.length };
    } catch (error) {
      if (!(error instanceof UnreadableFile)) throw error;
      return { unreadable: error.message };
    }
  },
  habits: ({ amounts, days }: Columns): SheetHabits =>
    habitsOf(table?.rows ?? [], { amounts, days }),
  rows: ({ from }: { from: number }): TableRow[] =>
    table?.rows.slice(from, from + rowsAtOnce) ?? [],
  close(_: undefined): void {
    table = undefined;
  },
};

export const importSheetLimits = {
  bytesMax: limits.importFileBytesMax,
  unpackedBytesMax: limits.importUnpackedBytesMax,
  rowsMax: limits.importRowsMax,
};

serveCalls(import.meta.url, calls);

const pool = new ThreadPool<typeof calls>(import.meta.url, {
  threadsMax: limits.importThreadsMax,
  readMs: limits.importReadMs,
  onTooLong: () =>
    new UnreadableFile("Reading the file took too long: split it into several files."),
  onOutOfMemory: () => new UnreadableFile("The file is too large: split it into several files."),
});

/** A file that a thread has open. */
export type ThreadSheet = Sheet & {
  /** How many rows are below the header. */
  count: number;
  sha256: string;
  habits(columns: Columns): Promise<SheetHabits>;
};

/** A thread with more than this is not kept. */
const keptCharsMax = 1024 * 1024;

/** `content`: in Base64. `words`: the names of columns that we know. */
export function withSheet<T>(
  content: string,
  words: readonly string[],
  work: (sheet: ThreadSheet) => Promise<T>,
): Promise<T> {
  return pool.run(content.length > keptCharsMax, async (thread) => {
    const opened = await thread.call("open", { content, words: [...words] });
    if ("unreadable" in opened) throw new UnreadableFile(opened.unreadable);
    const { broken, count, ...head } = opened;
    try {
      return await work({
        ...head,
        count,
        habits: (columns) => thread.call("habits", columns),
        async *pages() {
          // At least one page, which says where the file is broken.
          for (let from = 0; from < count || from === 0; from += rowsAtOnce) {
            const rows = await thread.call("rows", { from });
            const isLast = from + rowsAtOnce >= count;
            const page = { rows, bytesRead: 0 };
            yield isLast && broken !== "" ? { ...page, broken } : page;
          }
        },
      });
    } finally {
      if (!thread.hasEnded) await thread.call("close", undefined);
    }
  });
}
