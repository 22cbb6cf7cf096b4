// The role that the service works under: it may add to the books, and never change what is in them.

import type { Db } from "./connect.ts";

/** Undefined where the database let us make no role: then the owner of the tables has given up the right. */
export async function findServiceRole({ pool }: Db): Promise<string | undefined> {
  const { rows } = await pool.query<{ rolname: string }>(
    "select rolname from pg_roles where rolname = 'disburse_service' and pg_has_role(oid, 'member')",
  );
  return rows[0]?.rolname;
}
