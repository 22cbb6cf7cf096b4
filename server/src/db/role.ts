// The database role of the service: it can insert ledger entries, but not change them.

import type { Db } from "./connect.ts";

/** Undefined when the migration had no right to create the role. Then the table owner has revoked its own right instead. */
export async function findServiceRole({ pool }: Db): Promise<string | undefined> {
  const { rows } = await pool.query<{ rolname: string }>(
    "select rolname from pg_roles where rolname = 'disburse_service' and pg_has_role(oid, 'member')",
  );
  return rows[0]?.rolname;
}
