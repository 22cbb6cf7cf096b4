// `disburse receivers import` as a process, on files and subaccounts that tests make.

import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse } from "csv-parse/sync";
import { stringify } from "csv-stringify/sync";
import { expect } from "vitest";
import { readBatchPage } from "../../src/doors/console/batches/read.ts";
import { openPerson } from "../../src/people/person/person.ts";
import type { NewReceiver } from "../../src/people/receivers/schema.ts";
import { createSubaccount } from "../../src/tenants/subaccounts/create.ts";
import { command } from "./commands.ts";
import { disburse } from "./process.ts";
import { programPath } from "./programs.ts";
import { newDatabase, settingsOf } from "./service.ts";

type Stored = NewReceiver & { id: string; created_by: string; kyc_provider: string };

export type ImportTest = Awaited<ReturnType<typeof importTest>>;

export async function importTest() {
  const { db, url, seal } = await newDatabase();
  const folder = mkdtempSync(join(tmpdir(), "disburse-cli-import-"));
  const environment = settingsOf({ url });
  let files = 0;
  return {
    folder,
    environment,
    fileOf(text: string): string {
      files += 1;
      const path = join(folder, `people-${files}.csv`);
      writeFileSync(path, text);
      return path;
    },
    /** A new subaccount, and the command on it. */
    async importer() {
      const { subaccountId } = await createSubaccount({ db, seal }, { name: "I", mode: "test" });
      const words = ["receivers", "import", "--subaccount", subaccountId];
      const query = async (what: string) => {
        const text = `select ${what} from receiver where subaccount_id = $1`;
        return (await db.pool.query(text, [subaccountId])).rows;
      };
      return {
        stored: async (): Promise<Stored[]> =>
          (await query("*"))
            .map((row) => openPerson(seal, subaccountId, row))
            .sort((one, other) => (one.id < other.id ? -1 : 1)),
        run: (...more: string[]) => command([...words, ...more], environment),
        /** As the console lists them, the newest first. */
        imports: async () =>
          (await readBatchPage(db, { subaccountId, nowMs: Date.now() }, {})).rows,
        /** Runs the command in a new process. */
        runAlone: (...more: string[]) => disburse([...words, ...more], environment),
        start: (...more: string[]) => start([...words, ...more], environment),
        /** Waits until more than `least` rows are committed. */
        sinceRows: (least: number) =>
          expect
            .poll(async () => (await query("count(*)::int"))[0].count, {
              interval: 5,
              timeout: 60_000,
            })
            .toBeGreaterThan(least),
      };
    },
    async close() {
      await db.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export function csvOf(receivers: object[]): string {
  return stringify(receivers, { header: true });
}

export function rowsOf(path: string): Record<string, string>[] {
  return parse(readFileSync(path), { columns: true });
}

/** The problems are printed, and all are in a file that starts with `first`. */
export function expectProblems(
  { file, stderr }: { file: string; stderr: string },
  problems: readonly string[],
  first: Record<string, string>,
): void {
  const rest = `Nothing has been created. All problems are in ${file}.problems.csv.`;
  expect(stderr.split("\n").slice(1)).toEqual([...problems, rest, ""]);
  const rows = rowsOf(`${file}.problems.csv`);
  expect(rows[0]).toEqual(first);
  expect(rows).toHaveLength(problems.length);
}

/** Starts the command. `said` returns its output so far. */
export function start(
  words: string[],
  environment: Record<string, string>,
): ChildProcess & { said: () => string } {
  const child = spawn(process.execPath, [programPath("main"), ...words], {
    env: { PATH: process.env.PATH, ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let text = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on("data", (chunk) => {
      text += chunk;
    });
  }
  return Object.assign(child, { said: () => text });
}
