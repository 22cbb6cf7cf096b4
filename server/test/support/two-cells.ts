// Two cells of one fleet: two PostgreSQL servers with the same merchant id and master key, and a service on each.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { MoveParts } from "../../src/doors/moves/move.ts";
import { purgeMoved } from "../../src/doors/moves/purge.ts";
import { newId } from "../../src/platform/base/ids.ts";
import { connect, type Db } from "../../src/platform/db/connect.ts";
import { migrate } from "../../src/platform/db/migrate.ts";
import { type Seal, sealWith } from "../../src/platform/encryption/seal.ts";
import { commandActorName } from "../../src/tenants/audit/actor.ts";
import { ensureInstallation } from "../../src/tenants/installation/installation.ts";
import { startPostgres } from "./own-postgres.ts";
import { type Environment, serve } from "./process.ts";

export type Cell = {
  name: string;
  url: string;
  /** As the owner of the tables. */
  db: Db;
  seal: Seal;
  baseUrl: string;
  environment: Environment;
};

/** By default PostgreSQL copies two tables at a time, and most of the time of a small move goes by with waiting. */
const copyingMany = {
  max_sync_workers_per_subscription: "8",
  max_logical_replication_workers: "12",
  max_worker_processes: "16",
  max_replication_slots: "20",
  max_wal_senders: "20",
};

export type TwoCells = Awaited<ReturnType<typeof startTwoCells>>;

export async function startTwoCells(masterKey: Buffer) {
  const folder = mkdtempSync(join(tmpdir(), "disburse-cells-"));
  const seal = sealWith(masterKey);
  const merchantId = newId();
  const closings: (() => Promise<unknown>)[] = [];
  const close = async () => {
    for (const end of closings.reverse()) await end();
    rmSync(folder, { recursive: true, force: true });
  };

  async function startCell(name: string): Promise<Cell> {
    const postgres = await startPostgres({ wal_level: "logical", ...copyingMany });
    closings.push(postgres.close);
    await postgres.ready();
    const { url, connection } = postgres;
    const db = connect({ connection, poolMax: 3 });
    closings.push(db.close);
    await migrate(db);
    await ensureInstallation(db, seal, { cell: name, merchantId });
    const environment = {
      NODE_ENV: "production",
      DATABASE_URL: url,
      DISBURSE_MASTER_KEY: masterKey.toString("base64"),
      ADMIN_PORT: "0",
      POSTBACK_ADDRESSES: "loopback",
      KYC_SANDBOX_DELAY_MS: "86400000",
      SANDBOX_BANK_DELAY_MS: "50",
      RATE_LIMIT_PER_S: "0",
      LOG_LEVEL: "fatal",
    };
    const service = await serve(environment);
    closings.push(() => service.end("SIGTERM"));
    return { name, url, db, seal, baseUrl: service.baseUrl, environment };
  }

  try {
    const a = await startCell("a");
    const b = await startCell("b");
    return { a, b, folder, close };
  } catch (error) {
    await close();
    throw error;
  }
}

const actor = { kind: "command", who: commandActorName("a test"), ip: "", requestId: "" } as const;

export function moveParts(
  { folder }: Pick<TwoCells, "folder">,
  { from, to }: { from: Cell; to: Cell },
  subaccountId: string,
): MoveParts {
  return {
    source: from.db,
    target: to.db,
    seal: from.seal,
    subaccountId,
    sourceConnection: from.url,
    cells: { source: from.name, target: to.name },
    actor,
    auditFile: (id) => join(folder, `audit-${id}.jsonl`),
    signal: new AbortController().signal,
  };
}

export function purge({ db, seal }: Cell, subaccountId: string): Promise<number> {
  return purgeMoved({ db, seal, subaccountId, actor });
}

/** What replication and the move of a subaccount leave in a database. */
export async function remainsOf({ db: { pool } }: Cell, subaccountId: string): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>(
    `select name from (
       select 'slot ' || slot_name as name from pg_replication_slots
       union all select 'publication ' || pubname from pg_publication
       union all select 'subscription ' || subname from pg_subscription
       union all select 'trigger ' || tgname || ' of ' || tgrelid::regclass from pg_trigger
     ) left_over where name like '%' || replace($1::text, '-', '') || '%'
     union all select 'move ' || step from subaccount_move where subaccount_id = $1::uuid
     union all select 'marker' from subaccount_move_marker where subaccount_id = $1::uuid`,
    [subaccountId],
  );
  return rows.map(({ name }) => name);
}
