// Statements under kill -9: two processes apply the same file or decide about the same lines, and one of them is killed in
// the middle. In the end each line is kept and booked once.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { programPath } from "../support/programs.ts";
import { type Draw, drawOf } from "./seeded-draw.ts";
import type { ClerkTask } from "./statement-clerk-process.ts";
import { generateMonth } from "./statement-generator.ts";
import type { Movement } from "./statement-movements.ts";
import { accountPlans } from "./statement-plan.ts";
import { compareLines, judge, nothingSeen, type StatementsSeen } from "./statements-compare.ts";
import { type SentMonth, type SetupParts, type SetupSize, sendMonth } from "./statements-setup.ts";

type StatementKills = SetupParts & {
  url: string;
  masterKey: Buffer;
  size: SetupSize;
  kills: number;
  onKill?: (killed: number) => void;
};

export type StatementKillsSeen = StatementsSeen & {
  killed: Record<ClerkTask["do"], number>;
  /** Charges that users gave to the company. */
  decided: number;
};

export async function killStatements(options: StatementKills): Promise<StatementKillsSeen> {
  const { db, size, kills } = options;
  const folder = mkdtempSync(join(tmpdir(), "disburse-statements-"));
  const seen = { ...nothingSeen(), killed: { apply: 0, decide: 0, undo: 0 }, decided: 0 };
  const months: { sent: SentMonth; movements: Movement[] }[] = [];
  const tasks: ClerkTask[] = [];
  const pool = clerkPool(options);
  try {
    for (const index of accountPlans.keys()) {
      const sent = await sendMonth(options, index, size);
      const { files, movements } = generateMonth(sent.account, size.seed + index);
      months.push({ sent, movements });
      seen.payouts += sent.account.files.reduce((sum, { payments }) => sum + payments.length, 0);
      seen.lines += movements.length;
      for (const [number, { kind, text }] of files.entries()) {
        seen.files[kind] = (seen.files[kind] ?? 0) + 1;
        const path = join(folder, `${index}-${number}`);
        writeFileSync(path, text());
        tasks.push({ do: "apply", path, connectionId: sent.connection.id });
        if (number % 3 === 2) tasks.push({ do: "decide", limit: 20 });
        if (number % 9 === 8) tasks.push({ do: "undo", limit: 5 });
      }
    }
    tasks.push({ do: "decide", limit: 10_000 });
    await workAndKill(pool, tasks, options, seen.killed);
    // All of it once more, undisturbed: nothing is new.
    const last = await pool.take();
    for (const task of tasks) if (task.do !== "undo") await last.run(task);
  } finally {
    await pool.end();
    rmSync(folder, { recursive: true, force: true });
  }
  const killed = seen.killed.apply + seen.killed.decide + seen.killed.undo;
  if (killed < kills) seen.complaints.push(`only ${killed} of ${kills} processes were killed`);
  for (const { sent, movements } of months) await compareLines(options, sent, movements, seen);
  seen.decided = seen.variants["bank charge"]?.right ?? 0;
  const charges = months.flatMap(({ movements }) => movements).filter(isCharge);
  if (seen.decided !== charges.length) {
    seen.complaints.push(`${seen.decided} of ${charges.length} charges were decided`);
  }
  const company = await companyMoney(db);
  const sum = charges.reduce((all, { amount }) => all + amount, 0n);
  if (company !== sum) seen.complaints.push(`the company has ${company} in the books, not ${sum}`);
  await judge(options, seen);
  return seen;
}

const isCharge = ({ truth }: Movement) => truth.kind === "charge";

async function companyMoney({ pool }: SetupParts["db"]): Promise<bigint> {
  const { rows } = await pool.query<{ company: string }>(
    "select coalesce(sum(company), 0)::text as company from ledger_balance",
  );
  return BigInt(rows[0]?.company ?? 0);
}

type Clerk = {
  /** False: it was killed before it was done. */
  run(task: ClerkTask): Promise<boolean>;
  kill(): Promise<void>;
};

type ClerkPool = {
  take(): Promise<Clerk>;
  release(clerk: Clerk): void;
  /** Instead of one that was killed. */
  replace(): void;
  end(): Promise<void>;
};

/** Two work, and one is spare while another starts. */
const clerksMax = 3;

function clerkPool({ url, masterKey }: Pick<StatementKills, "url" | "masterKey">): ClerkPool {
  const environment = { DATABASE_URL: url, DISBURSE_MASTER_KEY: masterKey.toString("base64") };
  const children = new Set<ChildProcess>();
  const idle: Clerk[] = [];
  const takers: ((clerk: Clerk) => void)[] = [];
  function release(clerk: Clerk): void {
    const taker = takers.shift();
    if (taker) taker(clerk);
    else idle.push(clerk);
  }
  async function start(): Promise<void> {
    const child = spawn(process.execPath, [programPath("statement-clerk")], {
      env: { PATH: process.env.PATH, ...environment },
      stdio: ["pipe", "pipe", "ignore"],
    });
    children.add(child);
    const closed = once(child, "close").then(() => {
      children.delete(child);
      return false;
    });
    const answer = () =>
      Promise.race([
        new Promise<boolean>((resolve) => child.stdout.once("data", () => resolve(true))),
        closed,
      ]);
    // One that can't start leaves its taker without a clerk.
    if (!(await answer())) return;
    release({
      run(task) {
        const answered = answer();
        child.stdin.write(`${JSON.stringify(task)}\n`);
        return answered;
      },
      async kill() {
        child.kill("SIGKILL");
        await closed;
      },
    });
  }
  for (let started = 0; started < clerksMax; started += 1) void start();
  return {
    release,
    take() {
      const clerk = idle.shift();
      return clerk ? Promise.resolve(clerk) : new Promise((resolve) => takers.push(resolve));
    },
    replace: () => void start(),
    async end() {
      const ends = [...children].map((child) => once(child, "close"));
      for (const child of children) child.kill("SIGKILL");
      await Promise.all(ends);
    },
  };
}

/** Longer than most tasks take, so that most kills are in the middle of one. */
const longestMs = 400;

async function workAndKill(
  pool: ClerkPool,
  tasks: readonly ClerkTask[],
  { kills, size, onKill }: StatementKills,
  killed: StatementKillsSeen["killed"],
): Promise<void> {
  const draw: Draw = drawOf(size.seed);
  let tookMs = longestMs;
  let count = 0;
  for (const [place, task] of tasks.entries()) {
    const [victim, other] = [await pool.take(), await pool.take()];
    const startMs = performance.now();
    const answers = [victim.run(task), other.run(task)] as const;
    const left = kills - count;
    // Twice as many as are needed: some are done before the kill.
    const isWanted = draw.number() < (2 * left) / (tasks.length - place);
    const waitMs = draw.number() * tookMs;
    const isDone = await (isWanted ? Promise.race([answers[0], sleep(waitMs)]) : answers[0]);
    if (isDone === undefined) {
      await victim.kill();
      pool.replace();
      killed[task.do] += 1;
      count += 1;
      onKill?.(count);
    } else pool.release(victim);
    if (!(await answers[1])) throw new Error("a clerk ended by itself");
    pool.release(other);
    if (!isWanted) tookMs = Math.min(longestMs, performance.now() - startMs);
  }
}
