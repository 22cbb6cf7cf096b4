// `disburse …` as a process of its own, for what only a real process can show: signals, kills, exit codes.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";

const main = join(import.meta.dirname, "..", "src", "cli", "main.ts");

export type Run = { code: number | null; stdout: string; stderr: string };
export type Environment = Record<string, string | undefined>;

/** Runs a command to its end. */
export async function disburse(words: string[], environment: Environment = {}): Promise<Run> {
  const child = start(words, environment);
  const output = collect(child);
  const [code] = (await once(child, "close")) as [number | null];
  return { code, ...output() };
}

export type Serving = {
  process: ChildProcess;
  /** Empty: a worker, which answers no calls. */
  baseUrl: string;
  metricsUrl: string;
  output: () => { stdout: string; stderr: string };
  /** Sends a signal and waits for the end; the exit code. */
  end(signal?: NodeJS.Signals): Promise<number | null>;
};

/** Runs `disburse serve` on free ports until it says that it is ready. */
export async function serve(
  environment: Environment = {},
  words: readonly string[] = [],
): Promise<Serving> {
  const child = start(["serve", ...words], { PORT: "0", ...environment });
  const output = collect(child);
  const ended = once(child, "close");
  type Addresses = Pick<Serving, "baseUrl" | "metricsUrl">;
  const addresses = await new Promise<Addresses>((resolve, reject) => {
    const look = () => {
      const told = output().stdout;
      // The last of the two lines.
      const metricsUrl = /Metrics\s+(\S+)\n/.exec(told)?.[1];
      const baseUrl = /Base address\s+(\S+)/.exec(told)?.[1] ?? "";
      if (metricsUrl) resolve({ baseUrl, metricsUrl });
    };
    child.stdout?.on("data", look);
    child.once("close", () => reject(new Error(`serve ended: ${JSON.stringify(output())}`)));
  });
  return {
    process: child,
    ...addresses,
    output,
    async end(signal = "SIGTERM") {
      child.kill(signal);
      const [code] = (await ended) as [number | null];
      return code;
    },
  };
}

function start(words: string[], environment: Environment): ChildProcess {
  return spawn(process.execPath, [main, ...words], {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
}

function collect(child: ChildProcess): () => { stdout: string; stderr: string } {
  let stdout = "";
  let stderr = "";
  child.stdout?.on("data", (chunk) => {
    stdout += chunk;
  });
  child.stderr?.on("data", (chunk) => {
    stderr += chunk;
  });
  return () => ({ stdout, stderr });
}
