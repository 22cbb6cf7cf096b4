// Opens the database for one command, and closes it also when the command fails.

import { isReadOnlyError } from "../../platform/db/index.ts";
import { Refusal } from "../../platform/refusals/index.ts";
import { type Opened, type OpenOptions, openDatabase } from "../database/index.ts";
import { CliError, configuration, exitCodes } from "../setup/index.ts";
import { remoteRun } from "./terminal.ts";

type DatabaseOptions = Pick<OpenOptions, "mayCreate" | "runtimeRole" | "worksInQuarantine"> & {
  /** The command reads and writes only in a subaccount that its user may see. */
  isOfSubaccount?: boolean;
};

export async function withDatabase(
  purpose: string,
  work: (opened: Opened) => Promise<void>,
  { isOfSubaccount = false, ...options }: DatabaseOptions = {},
): Promise<void> {
  const run = remoteRun();
  // What is about no single subaccount shows all of them.
  if (run && !isOfSubaccount && (run.caller || run.user?.subaccountIds))
    throw new Refusal("OPER107");
  if (run) return work(run.opened);
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
