// Logs: JSON lines, or readable ones on a terminal. No secret and no personal data may get in.
//
// The first defence is that we only ever hand over what is listed here: never headers, bodies, URLs with
// queries, or database errors as they are. The redaction behind it is for the day somebody forgets.

import pg from "pg";
import { type DestinationStream, type Logger, pino } from "pino";
import type { Config } from "./config.ts";

export type Log = Logger;

export const redactedPaths = [
  "signature",
  "secret",
  "password",
  "email",
  "account_number",
  "headers",
  "body",
  "*.signature",
  "*.secret",
  "*.password",
  "*.email",
  "*.account_number",
  "*.headers",
  "*.body",
  "err.detail",
  "err.where",
  "err.parameters",
];

const logFlushMs = 100;

export type LogOptions = { level: Config["logLevel"]; destination?: DestinationStream };

export function createLog({ level, destination }: LogOptions): Log {
  return pino(
    {
      level,
      base: null,
      timestamp: timeOfLine,
      redact: { paths: redactedPaths, censor: "[redacted]" },
      serializers: { err: describeError, req: () => undefined, res: () => undefined },
    },
    // Lines of a moment are written together: one write for each would cost as much as the line.
    destination ??
      pino.destination({ dest: 1, sync: false, minLength: 4096, periodicFlush: logFlushMs }),
  );
}

let textMs = -1;
let text = "";

/** ISO 8601. Lines of one millisecond share the text. */
function timeOfLine(): string {
  const nowMs = Date.now();
  if (nowMs !== textMs) {
    textMs = nowMs;
    text = `,"time":"${new Date(nowMs).toISOString()}"`;
  }
  return text;
}

/** PostgreSQL quotes values in its messages and details, so of its errors only the code and place are told. */
export function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { type: typeof error };
  const { code } = error as NodeJS.ErrnoException;
  const frames = error.stack?.split("\n").filter((line) => /^\s+at /.test(line));
  if (error instanceof pg.DatabaseError) {
    const { table, constraint, routine } = error;
    return { type: "DatabaseError", code, table, constraint, routine, stack: frames?.join("\n") };
  }
  return { type: error.name, code, message: error.message, stack: frames?.join("\n") };
}
