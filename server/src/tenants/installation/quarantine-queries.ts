// The quarantine of this installation: while it is set, nothing is delivered and nothing is paid.

import { type Runner, statement } from "../../platform/db/index.ts";

/** `moved`: the data lives in another database now, so it is never released. */
export type QuarantineReason = "restored" | "moving" | "moved";
export type Quarantine = { atMs: number; reason: QuarantineReason };

const find = statement<{ at_ms: string; reason: QuarantineReason }>(
  "installation-quarantine",
  `select (extract(epoch from quarantined_at) * 1000)::bigint as at_ms, quarantine_reason as reason
   from installation where quarantined_at is not null`,
);

export async function findQuarantine(db: Runner): Promise<Quarantine | undefined> {
  const [row] = await db.run(find);
  return row && { atMs: Number(row.at_ms), reason: row.reason };
}

const set = statement<never>(
  "installation-quarantine-set",
  "update installation set quarantined_at = coalesce(quarantined_at, now()), quarantine_reason = $1",
);

export async function setQuarantine(db: Runner, reason: QuarantineReason): Promise<void> {
  await db.run(set, [reason]);
}

const lift = statement<never>(
  "installation-quarantine-lift",
  "update installation set quarantined_at = null, quarantine_reason = null",
);

export async function liftQuarantine(db: Runner): Promise<void> {
  await db.run(lift);
}

const connections = statement<{ count: number }>(
  "installation-connections",
  `select count(*)::int as count from pg_stat_activity
   where datname = current_database() and application_name = $1`,
);

/** Connections that have this name. */
export async function countConnections(db: Runner, name: string): Promise<number> {
  return (await db.run(connections, [name]))[0]?.count ?? 0;
}
