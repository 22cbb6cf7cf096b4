// Why a command has failed, for the terminal.

import { BackupError } from "../../platform/backup/index.ts";
import { KeyServiceError } from "../../platform/data-keys/index.ts";
import {
  MigrationError,
  moveStateOf,
  Outage,
  RuntimeRoleError,
  SessionError,
} from "../../platform/db/index.ts";
import { EmbeddedDatabaseError } from "../../platform/embedded/index.ts";
import { movedRefusal, Refusal } from "../../platform/refusals/index.ts";
import { InstallationError } from "../../tenants/installation/index.ts";
import { CliError, exitCodes } from "../setup/index.ts";
import { refusalText } from "./refusal-text.ts";
import { stderr } from "./terminal.ts";

/** Prints why a command has failed, and returns the exit code. */
export function explain(error: unknown): number {
  if (error instanceof CliError) {
    stderr.write(`${error.message}\n`);
    return error.exitCode;
  }
  const moved = moveStateOf(error);
  const refusal = moved ? movedRefusal(moved) : error;
  if (refusal instanceof Refusal) {
    stderr.write(`${refusalText(refusal)}\n`);
    return exitCodes.refused;
  }
  const known = [
    BackupError,
    EmbeddedDatabaseError,
    MigrationError,
    InstallationError,
    KeyServiceError,
    Outage,
    RuntimeRoleError,
    SessionError,
  ];
  const isKnown = known.some((kind) => error instanceof kind);
  stderr.write(`${isKnown ? (error as Error).message : describe(error)}\n`);
  return exitCodes.unexpected;
}

/**
 * The problem and the cure, by the error code of PostgreSQL or the network. No text repeats the address or the
 * password.
 */
const databaseTroubles: Record<string, string> = {
  "28P01": "refuses the user name or the password. Correct them in DATABASE_URL.",
  "28000": "does not let this user in from here. Check the user in DATABASE_URL, and pg_hba.conf.",
  "3D000": "does not exist. Create it, or correct its name in DATABASE_URL.",
  "53300": "has no connection left. Raise max_connections, or lower DATABASE_POOL_MAX.",
  "25006": "only reads: it is a standby. Name the primary in DATABASE_URL.",
  "57P03": "is starting up or shutting down. Try again in a moment.",
};
for (const code of [
  "ECONNREFUSED",
  "ENOTFOUND",
  "ENOENT",
  "EHOSTUNREACH",
  "ETIMEDOUT",
  "EAI_AGAIN",
]) {
  databaseTroubles[code] = "does not answer. Is it running, and is DATABASE_URL right?";
}

function describe(error: unknown): string {
  const { code = "", message } = error as NodeJS.ErrnoException;
  const trouble = databaseTroubles[code];
  if (trouble) return `The database of DATABASE_URL ${trouble} (${code})`;
  return `Unexpected: ${message}\n${(error as Error).stack ?? ""}`;
}
