// Logs JSON lines, or readable ones on a terminal. No secret and no personal data may be logged.
//
// Log calls pass single known fields, never headers, bodies, URLs with queries or raw database errors. The redaction
// below is a second defence.

import { fstatSync } from "node:fs";
import pg from "pg";
import { type DestinationStream, type Logger, pino } from "pino";
import type { Config } from "../config/index.ts";

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
/** Lines wait this long at most. */
const holdMs = 100;
/** Docker splits longer writes. */
const writeBytes = 16 * 1024;
/** A pipe takes up to this many bytes at once without mixing them with those of another process. */
const pipeBytes = 4096;

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
  return pino(
    {
      level,
      base: base ?? null,
      timestamp: timeOfLine,
      redact: { paths: redactedPaths, censor: "[redacted]" },
      serializers: { err: describeError, req: () => undefined, res: () => undefined },
    },
    destination ?? gatherLines(sharesPipe ? pipeBytes : writeBytes),
  );
}

type Destination = DestinationStream & {
  flush: (done?: () => void) => void;
  flushSync: () => void;
};

/**
 * Writes lines together: a write for each would cost as much as the line itself. We don't use the buffer of pino's
 * destination, because it measures all its lines again for each new one, and writes ten times a second without any.
 */
function gatherLines(bytesMax: number): Destination {
  const output = pino.destination({
    dest: outputFd,
    sync: false,
    minLength: 1,
    maxWrite: bytesMax,
  });
  let lines = "";
  let bytes = 0;
  let timer: NodeJS.Timeout | undefined;

  function take(): string {
    const taken = lines;
    lines = "";
    bytes = 0;
    clearTimeout(timer);
    timer = undefined;
    return taken;
  }

  function pass(): void {
    if (lines !== "") output.write(take());
  }

  function writeRest(): void {
    if (lines !== "") pino.destination({ dest: outputFd, sync: true }).write(take());
  }

  // `output` has a listener of its own. It was added first, so the earlier lines are written first.
  process.on("exit", writeRest);

  return {
    write(line) {
      const more = Buffer.byteLength(line);
      if (bytes + more > bytesMax) pass();
      lines += line;
      bytes += more;
      timer ??= setTimeout(pass, holdMs).unref();
    },
    flush(done) {
      pass();
      output.flush(done);
    },
    flushSync() {
      output.flushSync();
      writeRest();
    },
  };
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
