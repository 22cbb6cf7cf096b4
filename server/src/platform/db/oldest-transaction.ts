// Finds how far back a transaction may be that is still open: its rows appear later, with ids of an earlier time.

import { type Runner, statement } from "./connect.ts";

const oldest = statement<{ since_ms: string | null }>(
  "oldest-transaction",
  // Ours by their name, and others that have written. A long read of someone else, such as a backup, delays nothing.
  `select floor(extract(epoch from min(xact_start)) * 1000)::bigint as since_ms
   from pg_stat_activity
   where datname = current_database() and pid <> pg_backend_pid()
     and (application_name = 'disburse' or backend_xid is not null)`,
);

/** When the oldest open transaction began. Undefined: there is none. */
export async function oldestTransactionMs(db: Pick<Runner, "run">): Promise<number | undefined> {
  const [row] = await db.run(oldest);
  return row?.since_ms == null ? undefined : Number(row.since_ms);
}
