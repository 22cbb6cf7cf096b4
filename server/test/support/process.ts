// `disburse …` in a process, for tests of signals, kills and exit codes.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { programPath } from "./programs.ts";

export type Run = { code: number | null; stdout: string; stderr: string };
export type Environment = Record<string, string | undefined>;

/** Runs a command to its end. */
export function disburse(words: string[], environment: Environment = {}): Promise<Run> {
  return startCommand(words, environment).ended;
}

/** Starts a command that may be killed. */
export function startCommand(
  words: string[],
  environment: Environment,
): { process: ChildProcess; ended: Promise<Run> } {
  const child = start(words, environment);
  const output = collect(child);
  const ended = once(child, "close").then(([code]) => ({ code, ...output() }) as Run);
  return { process: child, ended };
}

export type Running = {
  process: ChildProcess;
  output: () => { stdout: string; stderr: string };
  /** The exit code. */
  ended: Promise<number | null>;
  /** Sends a signal and waits for the end. */
  end(signal?: NodeJS.Signals): Promise<number | null>;
};

/** Starts a command and waits until its output says that it is ready. */
export async function begin(
  words: string[],
  environment: Environment,
  isReady: (output: { stdout: string; stderr: string }) => boolean,
): Promise<Running> {
  const child = start(words, environment);
  const output = collect(child);
  const ended = once(child, "close").then(([code]) => code as number | null);
  await new Promise<void>((resolve, reject) => {
    const look = () => isReady(output()) && resolve();
    child.stdout?.on("data", look);
    child.stderr?.on("data", look);
    child.once("close", () => reject(new Error(`${words[0]} ended: ${JSON.stringify(output())}`)));
  });
  return {
    process: child,
    output,
    ended,
    end(signal = "SIGTERM") {
      child.kill(signal);
      return ended;
    },
  };
}

export type Serving = Running & {
  /** Empty for a worker, which serves no requests. */
  baseUrl: string;
  metricsUrl: string;
};

/** Runs `disburse serve` on free ports until it says that it is ready. */
export async function serve(
  environment: Environment = {},
  words: readonly string[] = [],
): Promise<Serving> {
  const metricsIn = ({ stderr }: { stderr: string }) => /Metrics\s+(\S+)\n/.exec(stderr)?.[1];
  // The line with the metrics is the last one.
  const isReady = (output: { stderr: string }) => metricsIn(output) !== undefined;
  const running = await begin(["serve", ...words], { PORT: "0", ...environment }, isReady);
  const said = running.output();
  const baseUrl = /Base address\s+(\S+)/.exec(said.stderr)?.[1] ?? "";
  return { ...running, baseUrl, metricsUrl: metricsIn(said) as string };
}

/** The example key of a first start, whose secret is in a file of the data folder. */
export function exampleCaller({ output, baseUrl }: Serving) {
  const { stderr } = output();
  const key = /x-api-key\s+(ak_test_\S+)/.exec(stderr)?.[1] as string;
  const file = /Secret\s+in (\S+),/.exec(stderr)?.[1] as string;
  return { baseUrl, key, secret: readFileSync(file, "utf8").trim() };
}

/** An interrupted run must leave no processes behind. */
const running = new Set<ChildProcess>();
process.once("exit", () => {
  for (const child of running) child.kill("SIGKILL");
});

function start(words: string[], environment: Environment): ChildProcess {
  const child = spawn(process.execPath, [programPath("main"), ...words], {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  running.add(child);
  child.once("exit", () => running.delete(child));
  return child;
}

/** Whole lines only, until the stream ends: what follows the last line break may be the beginning of a line. */
function collect(child: ChildProcess): () => { stdout: string; stderr: string } {
  const [stdout, stderr] = [child.stdout, child.stderr].map((stream) => {
    let text = "";
    let hasEnded = false;
    stream?.setEncoding("utf8");
    stream?.on("data", (chunk) => {
      text += chunk;
    });
    stream?.once("end", () => {
      hasEnded = true;
    });
    return () => (hasEnded ? text : text.slice(0, text.lastIndexOf("\n") + 1));
  }) as [() => string, () => string];
  return () => ({ stdout: stdout(), stderr: stderr() });
}
