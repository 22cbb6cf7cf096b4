// `disburse receivers import` of a CSV file, from the start of the process to its end.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Database, Postgres } from "./database.ts";
import { sampleReceiver, uniqueEmail } from "./requests.ts";

const main = join(import.meta.dirname, "..", "server", "src", "doors", "cli", "main.mjs");

/** Resolves to the milliseconds that it took. */
export async function importReceivers(
  { folder }: Postgres,
  database: Database,
  rows: number,
): Promise<number> {
  const file = join(folder, "receivers.csv");
  writeFileSync(file, csv(rows));
  const startMs = performance.now();
  await runImport(file, database);
  return performance.now() - startMs;
}

function csv(rows: number): string {
  const columns = Object.keys(sampleReceiver(""));
  const lines = Array.from({ length: rows }, () => Object.values(sampleReceiver(uniqueEmail())));
  return `${[columns, ...lines].map((line) => line.join(",")).join("\n")}\n`;
}

async function runImport(file: string, { connection, masterKey, caller }: Database): Promise<void> {
  const { host, port, user, password, database } = connection;
  const place = `localhost:${port}/${database}?host=${encodeURIComponent(String(host))}`;
  const child = spawn(
    process.execPath,
    [main, "receivers", "import", file, "--subaccount", caller.subaccountId],
    {
      env: {
        PATH: process.env.PATH,
        DATABASE_URL: `postgres://${user}:${password}@${place}`,
        DISBURSE_MASTER_KEY: masterKey.toString("base64"),
      },
      stdio: ["ignore", "ignore", "pipe"],
    },
  );
  let said = "";
  child.stderr.on("data", (chunk) => {
    said += chunk;
  });
  const [code] = (await once(child, "close")) as [number | null];
  if (code !== 0) throw new Error(`the import ended with ${code}:\n${said}`);
}
