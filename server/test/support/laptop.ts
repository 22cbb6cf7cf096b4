// A computer that has nothing but the package @disburse/cli: a folder of its own, and no database.

import { spawn } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";

const program = join(import.meta.dirname, "../../../packages/command-line/src/main.ts");

export function newLaptop() {
  const folder = mkdtempSync(join(tmpdir(), "disburse-laptop-"));
  const env = { PATH: process.env.PATH, XDG_CONFIG_HOME: folder };
  function start(words: readonly string[], input = "") {
    const child = spawn(process.execPath, [program, ...words], { cwd: folder, env });
    child.stdin.end(input);
    const said = { stderr: "" };
    child.stderr.on("data", (chunk) => {
      said.stderr += String(chunk);
    });
    const ended = Promise.all([
      text(child.stdout),
      new Promise<number | null>((resolve) => child.once("close", resolve)),
    ]);
    const outcome = ended.then(([stdout, code]) => ({ code, stdout, stderr: said.stderr }));
    return { said, outcome };
  }
  return {
    folder,
    env,
    run: [process.execPath, program],
    start,
    laptop: (...words: string[]) => start(words).outcome,
  };
}
