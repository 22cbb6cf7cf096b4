// Writes what a command makes to a new file, or to the standard output.

import { pipeline } from "node:stream/promises";
import { CliError, exitCodes } from "../setup/index.ts";
import { FileForClient, requireNewFile, requireSmall } from "./client-files.ts";
import { createWriteStream, rm } from "./local-files.ts";
import { remoteRun } from "./terminal.ts";

/** Before an act whose outcome is written. Over HTTP the client writes only what its words name. */
export function requireWritable(path: unknown, bytes: number): void {
  const run = remoteRun();
  if (!run) return;
  if (path === undefined) {
    throw new CliError("Name the file with --to, or print it with --to -.", exitCodes.usage);
  }
  requireNewFile(run, String(path));
  requireSmall(bytes);
}

/** Never over a file that is there. A file that could not be finished is removed. */
export async function writeNewFile(
  path: string,
  chunks: AsyncIterable<string | Uint8Array>,
): Promise<void> {
  const run = remoteRun();
  if (run) return writeForClient(new FileForClient(run, path), chunks);
  if (path === "-") return pipeline(chunks, process.stdout, { end: false });
  let isOurs = false;
  const file = createWriteStream(path, { flags: "wx", mode: 0o600 });
  file.once("open", () => {
    isOurs = true;
  });
  try {
    await pipeline(chunks, file);
  } catch (error) {
    if (isOurs) await rm(path, { force: true });
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EEXIST") throw new CliError(`${path} exists already. Name another file.`);
    throw error;
  }
}

async function writeForClient(
  file: FileForClient,
  chunks: AsyncIterable<string | Uint8Array>,
): Promise<void> {
  for await (const chunk of chunks) file.add(chunk);
  file.close();
}
