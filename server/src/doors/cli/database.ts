// Opens the database for one command, and closes it also when the command fails.

import { isReadOnlyError } from "../../platform/db/index.ts";
import { type Opened, type OpenOptions, openDatabase } from "../database/index.ts";
import { CliError, configuration, exitCodes } from "../setup/index.ts";

export async function withDatabase(
  purpose: string,
  work: (opened: Opened) => Promise<void>,
  options: Pick<OpenOptions, "mayCreate" | "runtimeRole" | "worksInQuarantine"> = {},
): Promise<void> {
  const opened = await openDatabase(configuration(), { purpose, ...options });
  try {
    await work(opened);
  } catch (error) {
    const { quarantine } = opened.installation;
    throw quarantine && isReadOnlyError(error) ? inQuarantine(quarantine.reason) : error;
  } finally {
    await opened.close();
  }
}

function inQuarantine(reason: string): CliError {
  const why =
    reason === "restored"
      ? "it was restored from a backup. Compare it with your banks, then run disburse restore release"
      : "its data was moved to another PostgreSQL. Set DATABASE_URL to that one";
  return new CliError(
    `This database is in quarantine and only reads: ${why} (docs/operate/backup.md).`,
    exitCodes.refused,
  );
}
