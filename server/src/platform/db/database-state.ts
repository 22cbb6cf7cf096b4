// What keeps the database from serving: asked by /readyz.

import { type Db, type Runner, statement } from "./connect.ts";
import { Outage, outageReasons } from "./outage.ts";

/**
 * Without pg_monitor, `sync_state` is null: then any connected standby may be the one that commits wait for.
 * `synchronous_standby_names` is empty on a server that waits for none.
 */
const findState = statement<{ is_read_only: boolean; is_stalled: boolean }>(
  "database-state",
  `select pg_is_in_recovery() or current_setting('transaction_read_only')::bool as is_read_only,
     current_setting('synchronous_standby_names') <> ''
     and current_setting('synchronous_commit') not in ('off', 'local')
     and not exists (
       select from pg_stat_replication where coalesce(sync_state, 'sync') in ('sync', 'quorum')
     ) as is_stalled`,
);

/** Reasons why it can't serve; empty when it can. */
export async function findTroubles(db: Db): Promise<string[]> {
  try {
    const troubles = await stateTroubles(db);
    if (troubles.length === 0 && db.overdueCount() > 0) return [outageReasons.noAnswer];
    return troubles;
  } catch (error) {
    return [error instanceof Outage ? error.message : outageReasons.unreachable];
  }
}

async function stateTroubles(db: Runner): Promise<string[]> {
  const [state] = await db.run(findState);
  return [
    ...(state?.is_read_only ? [outageReasons.readOnly] : []),
    ...(state?.is_stalled ? [outageReasons.stalled] : []),
  ];
}
