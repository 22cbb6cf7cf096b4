// The log of real processes, through a pipe and into a file: no line is lost, late, or mixed with another.

import { type ChildProcess, type StdioOptions, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";

const lineCount = 500;

/** `write` writes lines of many lengths, with letters of several bytes. The argument is the number of the process. */
const start = `
  import { createLog } from ${JSON.stringify(new URL("../../../src/platform/log/log.ts", import.meta.url).href)};
  const ownNumber = process.argv[1] && Number(process.argv[1]);
  const log = createLog({ level: "info", process: ownNumber, base: { process: ownNumber } });
  const write = (count) => {
    for (let number = 0; number < count; number++)
      log.info({ number, text: "Zoë 王".repeat(number % 40) }, "line");
  };
`;

function node(program: string): string[] {
  return ["--input-type=module", "--eval", start + program];
}

function run(program: string, output: "pipe" | number = "pipe"): ChildProcess {
  const stdio: StdioOptions = ["pipe", output, "inherit"];
  return spawn(process.execPath, node(program), { stdio });
}

function linesOf(lines: string): { number: number; process: number }[] {
  return lines
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
}

/** Sorted: when a process exits, the last lines may come before those that are still being written. */
function numbersOf(lines: string): number[] {
  return linesOf(lines)
    .map(({ number }) => number)
    .sort((left, right) => left - right);
}

test.each([
  { before: "process.exit", end: "process.exit(3);", ended: [3, null] },
  { before: "the end of the program", end: "", ended: [0, null] },
  {
    before: "a flush",
    end: "log.flush(() => process.kill(process.pid, 'SIGKILL'));",
    ended: [null, "SIGKILL"],
  },
  {
    before: "an error that ends the process",
    end: "process.on('uncaughtException', () => process.exit(1)); throw new Error('ended');",
    ended: [1, null],
  },
])("all lines before $before are written", async ({ end, ended }) => {
  const program = `write(${lineCount}); ${end}`;
  const piped = run(program);
  const [written, exit] = await Promise.all([text(piped.stdout as Readable), once(piped, "exit")]);
  expect(exit).toEqual(ended);
  expect(numbersOf(written)).toEqual([...Array(lineCount).keys()]);

  const folder = mkdtempSync(join(tmpdir(), "disburse-log-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "log");
  expect(await once(run(program, openSync(file, "a")), "exit")).toEqual(ended);
  expect(numbersOf(readFileSync(file, "utf8"))).toEqual([...Array(lineCount).keys()]);
});

test("a line is written without waiting for the next", async () => {
  const child = run("write(1); process.stdin.on('data', () => write(1));");
  for (const _ of ["after the start", "after a pause"]) {
    const [line] = await once(child.stdout as Readable, "data");
    expect(numbersOf(String(line))).toEqual([0]);
    child.stdin?.write("again");
  }
  child.stdin?.end();
  await once(child, "exit");
});

test("processes that share a pipe write their lines in order, and don't mix them", async () => {
  // The shell's pipe: Node would use a socket. It is full most of the time, so that long writes would be split.
  const both = '("$@" 1 & "$@" 2 & wait) | (sleep 1; dd bs=512 status=none)';
  const count = 4 * lineCount;
  const command = [process.execPath, ...node(`write(${count});`)];
  const child = spawn("sh", ["-c", both, "sh", ...command], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const lines = linesOf(await text(child.stdout));
  for (const process of [1, 2]) {
    const own = lines.filter((line) => line.process === process);
    expect(own.map(({ number }) => number)).toEqual([...Array(count).keys()]);
  }
});
