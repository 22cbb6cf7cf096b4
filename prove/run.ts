// The campaigns of npm run prove: each tries to break one promise with random inputs, and writes to results/.
//
//   --only <name>   one campaign, by the name of its file
//   --runs <n>      another number of runs than the default
//   --long          each campaign's larger number of runs
//   --seed <n>      repeats a run

import { randomInt } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { progressBar, say, sayDone } from "../bench/progress.ts";
import type { Campaign, Proved } from "./campaign.ts";
import { backtest } from "./campaigns/backtest.ts";
import { backup } from "./campaigns/backup.ts";
import { badEndpointsCampaign } from "./campaigns/bad-endpoints.ts";
import { bankFiles } from "./campaigns/bank-files.ts";
import { banksKills } from "./campaigns/banks-kills.ts";
import { cells } from "./campaigns/cells.ts";
import { databaseRestarts } from "./campaigns/database-restarts.ts";
import { deployExamples } from "./campaigns/deploy.ts";
import { drainBacklog } from "./campaigns/drain.ts";
import { fourEyes } from "./campaigns/four-eyes.ts";
import { gracefulEnds } from "./campaigns/graceful-ends.ts";
import { hostileAddresses } from "./campaigns/hostile-addresses.ts";
import { hostileBankFiles } from "./campaigns/hostile-bank-files.ts";
import { leaks } from "./campaigns/leaks.ts";
import { masterKey } from "./campaigns/master-key.ts";
import { moves } from "./campaigns/moves.ts";
import { noisyNeighbour } from "./campaigns/noisy-neighbour.ts";
import { packages } from "./campaigns/packages.ts";
import { patroni } from "./campaigns/patroni.ts";
import { payoutsModel } from "./campaigns/payouts-model.ts";
import { poisonedPayouts } from "./campaigns/poisoned-payouts.ts";
import { rules } from "./campaigns/rules.ts";
import { screeningKills } from "./campaigns/screening-kills.ts";
import { starvation } from "./campaigns/starvation.ts";
import { statementKills } from "./campaigns/statement-kills.ts";
import { statementMonths } from "./campaigns/statement-months.ts";
import { statements } from "./campaigns/statements.ts";
import { unauthorisedMemory } from "./campaigns/unauthorised-memory.ts";
import { workerKills } from "./campaigns/worker-kills.ts";
import { startPostgres } from "./database.ts";

const campaigns: Record<string, Campaign> = {
  "payouts-model": payoutsModel,
  "poisoned-payouts": poisonedPayouts,
  "four-eyes": fourEyes,
  rules,
  "bank-files": bankFiles,
  "hostile-bank-files": hostileBankFiles,
  backtest,
  "bad-endpoints": badEndpointsCampaign,
  "hostile-addresses": hostileAddresses,
  "worker-kills": workerKills,
  "banks-kills": banksKills,
  "statement-months": statementMonths,
  statements,
  "statement-kills": statementKills,
  "screening-kills": screeningKills,
  "database-restarts": databaseRestarts,
  patroni,
  backup,
  cells,
  "graceful-ends": gracefulEnds,
  "master-key": masterKey,
  moves,
  starvation,
  "noisy-neighbour": noisyNeighbour,
  "unauthorised-memory": unauthorisedMemory,
  drain: drainBacklog,
  packages,
  deploy: deployExamples,
  leaks,
};
const options = readOptions(process.argv.slice(2));

say("starting the database");
const postgres = await startPostgres();
let stopping: Promise<void> | undefined;
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  process.once(signal, () => void stopOnce().finally(() => process.exit(130)));
}

try {
  for (const name of options.names) await run(name, campaigns[name] as Campaign);
} catch (error) {
  // Errors after the stop are caused by it.
  if (!stopping) throw error;
} finally {
  await stopOnce();
}

async function run(name: string, campaign: Campaign): Promise<void> {
  const { promise, prove } = campaign;
  const missing = campaign.missing?.();
  if (missing !== undefined) {
    process.stdout.write(`${name}: skipped: ${missing}\n\n`);
    return;
  }
  const usual = options.isLong ? (campaign.longRuns ?? campaign.runs) : campaign.runs;
  const { seed, runs = usual } = options;
  const startMs = performance.now();
  const onRun = progressBar(name, runs);
  const proved = await prove({ postgres, runs, seed, onRun });
  const seconds = Math.round((performance.now() - startMs) / 1000);
  sayDone();
  process.stdout.write(toText(name, promise, { ...proved, seconds, seed }));
  keep(name, { ...proved, seconds, seed });
  if (!proved.failure) return;
  process.exitCode = 1;
  const { seed: again, counterexample, error } = proved.failure;
  process.stderr.write(
    `\n${name} FAILED. Promise: ${promise}.\n\n${error}\n\n` +
      `Shortest counterexample:\n${toLines(counterexample)}\n\n` +
      `Repeat: node prove/run.ts --only ${name} --seed ${again}\n`,
  );
}

type Run = Proved & { seconds: number; seed: number };

function toText(name: string, promise: string, { runs, steps, seconds, seed, counts }: Run) {
  const tables = Object.entries(counts).map(([title, each]) => {
    const rows = Object.entries(each).sort(([, one], [, other]) => other - one);
    const lines = rows.map(([what, times]) => `  ${String(times).padStart(8)}  ${what}`);
    return `${title}\n${lines.join("\n")}\n`;
  });
  const tried = `${runs} runs, ${steps} steps, ${seconds} s, seed ${seed}`;
  return `${name}: ${promise}\n${tried}\n\n${tables.join("\n")}`;
}

function keep(name: string, { failure, ...run }: Run): void {
  const folder = join(import.meta.dirname, "results");
  mkdirSync(folder, { recursive: true });
  const date = new Date().toISOString().slice(0, 10);
  const result = failure ? { result: "failed", failure } : { result: "kept" };
  const facts = { date, postgresql: postgres.version, ...run, ...result };
  writeFileSync(join(folder, `${name}.json`), `${JSON.stringify(facts, null, 2)}\n`);
}

function toLines(counterexample: unknown): string {
  const steps = Array.isArray(counterexample) ? counterexample : [counterexample];
  return steps.map((step, index) => `  ${index + 1}. ${JSON.stringify(step)}`).join("\n");
}

function readOptions(words: string[]) {
  const { values } = parseArgs({
    args: words,
    options: {
      only: { type: "string" },
      runs: { type: "string" },
      long: { type: "boolean" },
      seed: { type: "string" },
    },
  });
  const { only } = values;
  const names = Object.keys(campaigns).filter((name) => only === undefined || name === only);
  if (names.length === 0) {
    throw new Error(`there is no "${only}"; --only takes one of ${Object.keys(campaigns)}`);
  }
  const number = (name: "runs" | "seed") => {
    const text = values[name];
    if (text === undefined) return undefined;
    if (!/^[1-9]\d{0,8}$/.test(text)) throw new Error(`--${name} takes a number, not "${text}"`);
    return Number(text);
  };
  return {
    names,
    runs: number("runs"),
    isLong: values.long === true,
    seed: number("seed") ?? randomInt(1, 1_000_000_000),
  };
}

function stopOnce(): Promise<void> {
  stopping ??= postgres.stop();
  return stopping;
}
