// Opens the database for one command, and closes it whatever happens.

import { configuration } from "../app/configuration.ts";
import { type Opened, type OpenOptions, openDatabase } from "../app/open-database.ts";

/** For a command: opens, works, closes, whatever happens. */
export async function withDatabase(
  purpose: string,
  work: (opened: Opened) => Promise<void>,
  { mayCreate = false }: Pick<OpenOptions, "mayCreate"> = {},
): Promise<void> {
  const opened = await openDatabase(configuration(), { purpose, mayCreate });
  try {
    await work(opened);
  } finally {
    await opened.close();
  }
}
