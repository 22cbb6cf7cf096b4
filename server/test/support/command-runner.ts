// The process behind commands.ts: runs one command after the other and returns its output.

import { run } from "../../src/doors/cli/program.ts";
import type { Asked } from "./commands.ts";
import type { Run } from "./process.ts";

/** Collects output from now on; the returned function stops it. */
function capture(stream: NodeJS.WriteStream): () => string {
  const { write } = stream;
  let text = "";
  stream.write = (chunk: string | Uint8Array) => {
    text += typeof chunk === "string" ? chunk : Buffer.from(chunk).toString();
    return true;
  };
  return () => {
    stream.write = write;
    return text;
  };
}

// It prints into its answer, whatever the tests themselves run on.
process.stdout.isTTY = false;
process.stderr.isTTY = false;

process.on("message", async ({ words, environment }: Asked) => {
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, environment);
  const [stdout, stderr] = [capture(process.stdout), capture(process.stderr)];
  const code = await run(words);
  process.send?.({ code, stdout: stdout(), stderr: stderr() } satisfies Run);
});
