// npm run stress-tests: runs the suite several times in random order, and reports failures with count and seed.

import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { parseArgs } from "node:util";
import { type Failures, noteFailures, type RunResult, report } from "./stress-report.ts";

const root = join(import.meta.dirname, "..", "..", "..");
const { values, positionals } = parseArgs({
  options: { runs: { type: "string", default: "5" }, seed: { type: "string" } },
  allowPositionals: true,
});
const runs = Number(values.runs);
const firstSeed = Number(values.seed ?? 1 + Math.floor(Math.random() * 900_000));
if (!Number.isInteger(runs) || runs < 1 || !Number.isInteger(firstSeed) || firstSeed < 1) {
  console.error("usage: npm run stress-tests -- [--runs 5] [--seed 1] [files…]");
  process.exit(2);
}

const folder = mkdtempSync(join(tmpdir(), "disburse-stress-"));
const failures: Failures = new Map();
try {
  for (let run = 1; run <= runs; run += 1) {
    const seed = firstSeed + run - 1;
    console.info(`run ${run} of ${runs}, seed ${seed}`);
    const startMs = performance.now();
    const { code, result } = await runSuite(seed);
    const seconds = Math.round((performance.now() - startMs) / 1000);
    noteFailures(failures, seed, code, result);
    console.info(`run ${run}: ${code === 0 ? "passed" : "FAILED"} in ${seconds} s`);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
console.info(report(failures, runs, (file) => relative(root, file)));
process.exitCode = failures.size > 0 ? 1 : 0;

async function runSuite(seed: number): Promise<{ code: number | null; result?: RunResult }> {
  const file = join(folder, `${seed}.json`);
  const words = ["run", "--reporter=json", `--outputFile=${file}`, ...positionals];
  const child = spawn("vitest", words, {
    cwd: root,
    env: { ...process.env, DISBURSE_TEST_SEED: String(seed) },
    stdio: ["ignore", "ignore", "inherit"],
  });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", resolve);
  });
  try {
    return { code, result: JSON.parse(readFileSync(file, "utf8")) };
  } catch {
    return { code };
  }
}
