// Logs JSON lines, or readable ones on a terminal. No secret and no personal data may be logged.
//
// Log calls pass single known fields, never headers, bodies, URLs with queries or raw database errors. The redaction
// below is a second defence.

import { fstatSync } from "node:fs";
import pg from "pg";
import { type DestinationStream, type Logger, pino } from "pino";
import type { Config } from "./config.ts";

export type Log = Logger;

const redactedPaths = [
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

const outputFd = 1;
const logBufferBytes = 12 * 1024;
const logFlushMs = 100;

/** A pipe takes up to this many bytes at once without mixing them with those of another process. */
const pipeBytes = 4096;
const sharedBufferBytes = 3072;

type LogOptions = {
  level: Config["logLevel"];
  destination?: DestinationStream;
  /** Which process this is, when several write to the same log. */
  process?: number | "supervisor" | undefined;
  /** In every line. */
  base?: Record<string, string | number>;
};

export function createLog({ level, destination, process, base }: LogOptions): Log {
  // A file takes any number of bytes at once.
  const sharesPipe = process !== undefined && !fstatSync(outputFd).isFile();
  const bufferBytes = sharesPipe ? sharedBufferBytes : logBufferBytes;
  return pino(
    {
      level,
      base: base ?? null,
      timestamp: timeOfLine,
      redact: { paths: redactedPaths, censor: "[redacted]" },
      serializers: { err: describeError, req: () => undefined, res: () => undefined },
    },
    // Lines are buffered briefly: a write for each line would cost as much as the line itself.
    destination ??
      pino.destination({
        dest: outputFd,
        sync: false,
        minLength: bufferBytes,
        periodicFlush: logFlushMs,
        ...(sharesPipe && { maxWrite: pipeBytes }),
      }),
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

/** PostgreSQL quotes values in its messages and details, so only the code and the place of its errors are logged. */
function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { type: typeof error };
  const { code } = error as NodeJS.ErrnoException;
  const frames = error.stack?.split("\n").filter((line) => /^\s+at /.test(line));
  if (error instanceof pg.DatabaseError) {
    const { table, constraint, routine } = error;
    return { type: "DatabaseError", code, table, constraint, routine, stack: frames?.join("\n") };
  }
  return { type: error.name, code, message: error.message, stack: frames?.join("\n") };
}
