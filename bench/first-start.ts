// npm run bench:start -- <commit>: from a fresh clone to a service that is ready, with an empty npm cache, this commit against
// another, in turns. Writes bench/results/first-start.json.
//
//   --pairs <number>   3 unless it is given

import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, lstatSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { arch, cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { machinePath } from "../server/test/support/machine-node.ts";

const root = join(import.meta.dirname, "..");
const { values, positionals } = parseArgs({
  options: { pairs: { type: "string", default: "3" } },
  allowPositionals: true,
});
const [other] = positionals;
if (!other) throw new Error("Name the commit to compare with: npm run bench:start -- <commit>");

const git = (...words: string[]) =>
  execFileSync("git", words, { cwd: root, encoding: "utf8" }).trim();
const commits = {
  before: git("rev-parse", "--short", other),
  after: git("rev-parse", "--short", "HEAD"),
};

/** At most these parts of the commit before. */
const bounds = { seconds: 0.6, bytes: 0.5 };

type Start = { seconds: number; bytes: number };

async function measure(commit: string): Promise<Start> {
  const folder = mkdtempSync(join(tmpdir(), "disburse-first-start-"));
  try {
    const clone = join(folder, "clone");
    const startMs = performance.now();
    execFileSync("git", ["clone", "--quiet", "--no-checkout", root, clone]);
    execFileSync("git", ["checkout", "--quiet", "--detach", commit], { cwd: clone });
    await startOnce(clone, join(folder, "cache"));
    const seconds = (performance.now() - startMs) / 1000;
    const modules = ["", "server", "client", "console", "prove/openapi-client"].map((part) =>
      join(clone, part, "node_modules"),
    );
    return { seconds, bytes: modules.reduce((sum, each) => sum + bytesIn(each), 0) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Runs npm start on the machine's own Node until the service says that it is ready, and stops it. */
async function startOnce(clone: string, cache: string): Promise<void> {
  const child = spawn("npm", ["start"], {
    cwd: clone,
    env: { PATH: machinePath, HOME: process.env.HOME, PORT: "0", npm_config_cache: cache },
    stdio: ["ignore", "ignore", "pipe"],
    // A group of its own, as at a terminal, so that the signal reaches all.
    detached: true,
  });
  const ended = once(child, "close");
  let said = "";
  await new Promise<void>((resolve, reject) => {
    child.stderr.on("data", (chunk) => {
      said += chunk;
      if (said.includes("is ready.")) resolve();
    });
    child.once("close", () => reject(new Error(`npm start ended:\n${said}`)));
  });
  process.kill(-(child.pid as number), "SIGINT");
  await ended;
}

function bytesIn(folder: string): number {
  if (!existsSync(folder)) return 0;
  return readdirSync(folder, { withFileTypes: true }).reduce((sum, entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return sum + bytesIn(path);
    return entry.isFile() ? sum + lstatSync(path).size : sum;
  }, 0);
}

const median = (numbers: number[]) =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] as number;
const rounded = (value: number) => Math.round(value * 1000) / 1000;

const pairs: { before: Start; after: Start }[] = [];
for (let number = 1; number <= Number(values.pairs); number += 1) {
  // Each one is first in turn.
  const order = number % 2 ? (["before", "after"] as const) : (["after", "before"] as const);
  const pair = {} as { before: Start; after: Start };
  for (const side of order) pair[side] = await measure(commits[side]);
  pairs.push(pair);
  const show = ({ seconds, bytes }: Start) =>
    `${seconds.toFixed(1)} s, ${(bytes / 1e6).toFixed(0)} MB`;
  process.stderr.write(`pair ${number}: before ${show(pair.before)}; after ${show(pair.after)}\n`);
}
const ratioOf = (measure: keyof Start) =>
  rounded(median(pairs.map(({ before, after }) => after[measure] / before[measure])));
const ratios = { seconds: ratioOf("seconds"), bytes: ratioOf("bytes") };
const machineNode = execFileSync("node", ["--version"], {
  env: { PATH: machinePath },
  encoding: "utf8",
}).trim();
const result = {
  ...{ commits, machine: { arch: arch(), cores: cpus().length, node: machineNode } },
  ...{ bounds, ratios, pairs },
};
const file = join(import.meta.dirname, "results", "first-start.json");
writeFileSync(file, `${JSON.stringify(result, null, 2)}\n`);
const failed = (["seconds", "bytes"] as const).filter((name) => ratios[name] > bounds[name]);
process.stdout.write(`${JSON.stringify(ratios)}\n`);
for (const name of failed)
  process.stderr.write(
    `${name}: ${ratios[name]} of the commit before, more than ${bounds[name]}\n`,
  );
if (failed.length > 0) process.exitCode = 1;
