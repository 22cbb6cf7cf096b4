// Opens the database for one command, and closes it also when the command fails.

import { configuration } from "../app/configuration.ts";
import { type Opened, type OpenOptions, openDatabase } from "../app/open-database.ts";

export async function withDatabase(
  purpose: string,
  work: (opened: Opened) => Promise<void>,
  options: Pick<OpenOptions, "mayCreate" | "runtimeRole" | "worksInQuarantine"> = {},
): Promise<void> {
  const opened = await openDatabase(configuration(), { purpose, ...options });
  try {
    await work(opened);
  } finally {
    await opened.close();
  }
}
