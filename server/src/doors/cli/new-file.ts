// Writes what a command makes to a new file, or to the standard output.

import { pipeline } from "node:stream/promises";
import { CliError } from "../setup/index.ts";
import { createWriteStream, rm } from "./local-files.ts";
import { requireOwnFiles } from "./terminal.ts";

/** Never over a file that is there. A file that could not be finished is removed. */
export async function writeNewFile(
  path: string,
  chunks: AsyncIterable<string | Uint8Array>,
): Promise<void> {
  if (path === "-") {
    requireOwnFiles();
    return pipeline(chunks, process.stdout, { end: false });
  }
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
