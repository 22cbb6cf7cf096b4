// A process that applies statements and decides about charges, as its parent tells it by lines of JSON, until it is killed.

import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { toConnection } from "../../src/banking/connections/connection.ts";
import { listConnections } from "../../src/banking/connections/connection-queries.ts";
import { applyInbound } from "../../src/banking/inbound-files/inbound.ts";
import { giveLinesToCompany, undoLine } from "../../src/banking/statements/decide.ts";
import { connect } from "../../src/platform/db/connect.ts";
import { sealWith } from "../../src/platform/encryption/seal.ts";
import { Refusal } from "../../src/platform/refusals/refusals.ts";

/** "decide" gives open charges to the company, "undo" opens some of them again. */
export type ClerkTask =
  | { do: "apply"; path: string; connectionId: string }
  | { do: "decide" | "undo"; limit: number };

const { DATABASE_URL = "", DISBURSE_MASTER_KEY = "" } = process.env;
const db = connect({ connection: { connectionString: DATABASE_URL }, poolMax: 2 });
const seal = sealWith(Buffer.from(DISBURSE_MASTER_KEY, "base64"));

process.stdout.write("ready\n");
for await (const line of createInterface({ input: process.stdin })) {
  await work(JSON.parse(line));
  process.stdout.write("done\n");
}
process.exit();

async function work(task: ClerkTask): Promise<void> {
  const by = { reason: "a charge of the bank", who: "operator:a", atMs: Date.now() };
  if (task.do === "apply") {
    const rows = await listConnections(db);
    const row = rows.find(({ id }) => id === task.connectionId);
    const connection = row && toConnection(row, seal);
    const request = { name: "statement", connection, who: by.who, atMs: by.atMs };
    await applyInbound({ db, seal }, readFileSync(task.path), request);
    return;
  }
  const isUndo = task.do === "undo";
  for (const id of await listCharges(isUndo ? "matched" : "open", task.limit)) {
    try {
      await db.transaction((tx) =>
        isUndo ? undoLine(tx, id, by) : giveLinesToCompany(tx, { ...by, lineIds: [id] }),
      );
    } catch (error) {
      // The other clerk decided first.
      if (!(error instanceof Refusal)) throw error;
    }
  }
}

async function listCharges(status: "open" | "matched", limit: number): Promise<string[]> {
  const { rows } = await db.pool.query<{ id: string }>(
    `select id from bank_statement_line where status = $1 and amount < 0 and bank_text ~ '(FEE|CHARGES)$'
     order by id limit $2`,
    [status, limit],
  );
  return rows.map(({ id }) => id);
}
