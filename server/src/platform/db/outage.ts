// Failures of the database or of the connection to it, as opposed to refused statements.

import pg from "pg";

/** Why the database can't serve. /readyz shows these texts. */
export const outageReasons = {
  unreachable: "database is not reachable",
  noPrimary: "database has no primary: only a standby answers",
  readOnly: "database only reads",
  noAnswer: "database does not answer",
  stalled: "commits wait for a synchronous standby that is missing",
  unconfirmed: "a commit was not confirmed by a synchronous standby",
} as const;

type OutageReason = keyof typeof outageReasons;

export class Outage extends Error {
  readonly reason: OutageReason;
  constructor(reason: OutageReason) {
    super(outageReasons[reason]);
    this.name = "Outage";
    this.reason = reason;
  }
}

// SQLSTATE classes about the connection or the server, not about the statement.
// 25006: the server is read-only, for example after a failover.
// 57014 and 55P03: a timeout, most likely while waiting for a lock; each call alone would wait as long.
const outageStates = /^(08|53|57|58|25006|55P03)/;
const outageErrors = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOENT",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EPIPE",
  "ETIMEDOUT",
]);

/** The database was not reachable, or the connection was lost. The outcome of a write is unknown. */
export function isOutage(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof Outage) return true;
  if (error instanceof pg.DatabaseError) {
    return error.severity === "FATAL" || outageStates.test(error.code ?? "");
  }
  const { code } = error as NodeJS.ErrnoException;
  return (
    outageErrors.has(code ?? "") ||
    /Connection terminated|connection timeout|timeout expired|timeout exceeded when trying to connect|not queryable|Client was closed/i.test(
      error.message,
    )
  );
}

/** The server only reads: it was demoted, or its settings say so. The connection is of no use any more. */
export function isReadOnlyError(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === "25006";
}
