// Writes what a command makes to a new file, or to the standard output.

import { pipeline } from "node:stream/promises";
import { CliError, exitCodes } from "../setup/index.ts";
import { createWriteStream, rm } from "./local-files.ts";
import { remoteRun, requireOwnFiles, stdout } from "./terminal.ts";

const printedBytesMax = 10_000_000;

/** Before an act whose outcome is written: over HTTP it is printed, and has to fit into a response. */
export function requireWritable(path: unknown, bytes: number): void {
  if (!remoteRun()) return;
  if (path !== "-") requireOwnFiles();
  if (bytes <= printedBytesMax) return;
  throw new CliError(
    "The file has more than 10 MB: download it at the console.",
    exitCodes.refused,
  );
}

/** Never over a file that is there. A file that could not be finished is removed. */
export async function writeNewFile(
  path: string,
  chunks: AsyncIterable<string | Uint8Array>,
): Promise<void> {
  if (path === "-" && remoteRun()) {
    for await (const chunk of chunks) {
      if (typeof chunk !== "string") requireOwnFiles();
      stdout.write(chunk);
    }
    return;
  }
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
