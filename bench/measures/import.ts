// `disburse receivers import`: from a CSV file to committed receivers, against creating them over HTTP.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { creating } from "../creating.ts";
import type { Database } from "../database.ts";
import { connectionsUnderLoad, type Measure } from "../measure.ts";
import { sampleReceiver, uniqueEmail } from "../requests.ts";
import { atLeast } from "../requirement.ts";
import { interleave, type Variant } from "../rounds.ts";

const main = join(import.meta.dirname, "..", "..", "server", "src", "cli", "main.mjs");

type Name = "created over HTTP" | "imported";

export const measureImport: Measure = async ({ postgres, servers, scale }) => {
  const createDatabase = await postgres.createDatabase("import_created");
  const importDatabase = await postgres.createDatabase("import_imported");
  const server = await servers.disburse(createDatabase);
  const importing = async () => {
    const file = join(postgres.folder, "receivers.csv");
    writeFileSync(file, csv(scale.importRows));
    const startMs = performance.now();
    await runImport(file, importDatabase);
    return { perSecond: (scale.importRows * 1000) / (performance.now() - startMs) };
  };
  const variants: Variant<Name>[] = [
    { name: "created over HTTP", run: creating({ port: server.port, database: createDatabase }) },
    { name: "imported", run: importing },
  ];
  const figures = await interleave(variants, { ...scale, rounds: scale.importRounds });
  await server.stop();
  return {
    title: "Import of receivers",
    how:
      `${scale.importRows} rows a file, from the start of the process to its end, both passes over the ` +
      `file included; over HTTP ${connectionsUnderLoad} connections, signed`,
    figures: Object.values(figures),
    requirements: [
      atLeast(
        "import: rows a second / created over HTTP",
        figures.imported.perSecond / figures["created over HTTP"].perSecond,
        0.5,
      ),
    ],
    notes: [],
  };
};

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
