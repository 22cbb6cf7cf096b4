// Files of users are read in a thread: a large or hostile one must not delay the requests that this process serves.

import { serveCalls, ThreadPool } from "../../platform/documents/index.ts";
import type { Sheet, SheetHabits, SheetHead } from "./sheet.ts";
import { habitsOf, readTable, rowsAtOnce, type SheetTable } from "./sheet.ts";
import { type TableRow, UnreadableFile } from "./table.ts";

// The file that the thread has open.
let table: SheetTable | undefined;

type Given = { content: Uint8Array; words: string[] };
type Columns = { amounts: number[]; days: number[] };
type Opened = (SheetHead & Pick<SheetTable, "broken" | "sha256"> & { count: number }) | Unreadable;
type Unreadable = { unreadable: string };

const calls = {
  async open({ content, words }: Given): Promise<Opened> {
    try {
      const { rows, ...head } = await readTable(content, new Set(words), importSheetLimits);
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

const megabyte = 1024 * 1024;

export const importSheetLimits = {
  bytesMax: 10 * megabyte,
  unpackedBytesMax: 50 * megabyte,
  rowsMax: 50_000,
};

serveCalls(import.meta.url, calls);

const pool = new ThreadPool<typeof calls>(import.meta.url, {
  threadsMax: 2,
  readMs: 120_000,
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

/** A thread that read a larger file is not kept. */
const keptBytesMax = megabyte;

/** `words`: the names of columns that we know. */
export function withSheet<T>(
  content: Uint8Array,
  words: readonly string[],
  work: (sheet: ThreadSheet) => Promise<T>,
): Promise<T> {
  return pool.run(content.length > keptBytesMax, async (thread) => {
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

/** The whole table: the thread is free for other files while its rows are created. */
export function readTableInThread(
  content: Uint8Array,
  words: ReadonlySet<string>,
): Promise<SheetTable> {
  return withSheet(content, [...words], async ({ header, row, notes, isRagged, sha256, pages }) => {
    const table = { header, row, notes, isRagged, sha256, rows: [] as TableRow[], broken: "" };
    for await (const page of pages()) {
      for (const one of page.rows) table.rows.push(one);
      table.broken = page.broken ?? "";
    }
    return table;
  });
}
