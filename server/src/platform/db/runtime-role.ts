// The runtime role: a login role for the service, which works as disburse_service and can't change the schema.

import pg from "pg";
import type { Db } from "./connect.ts";
import { serviceRole } from "./role.ts";
import { sessionSettings } from "./session.ts";

export class RuntimeRoleError extends Error {}

/** Writes the grants and the session settings of a login role. Call it as the owner of the tables. */
export async function grantRuntimeRole({ pool }: Db, name: string): Promise<void> {
  const { rows } = await pool.query<{ may_change_schema: boolean; database: string }>(
    `select rolsuper or pg_has_role(r.oid, c.relowner, 'member') as may_change_schema, current_database() as database
     from pg_roles r cross join pg_class c where rolname = $1 and c.oid = 'migration'::regclass`,
    [name],
  );
  const role = pg.escapeIdentifier(name);
  const [found] = rows;
  if (!found) {
    throw new RuntimeRoleError(
      `There is no role ${name}. Create it first: create role ${role} login password '…';`,
    );
  }
  if (found.may_change_schema) {
    throw new RuntimeRoleError(
      `The role ${name} may change the schema: it is a superuser or owns the tables. Name another role.`,
    );
  }
  const inDatabase = `alter role ${role} in database ${pg.escapeIdentifier(found.database)}`;
  const settings = Object.entries({ role: serviceRole, ...sessionSettings });
  const texts = [
    ...(await tablesWithoutGrant(pool)).map(
      (table) => `grant select, insert, update, delete on ${table} to ${serviceRole}`,
    ),
    `grant usage on all sequences in schema public to ${serviceRole}`,
    `grant ${serviceRole} to ${role}`,
    ...settings.map(([setting, value]) => `${inDatabase} set ${setting} = '${value}'`),
  ];
  try {
    // One transaction.
    await pool.query(texts.join(";\n"));
  } catch (error) {
    if (!(error instanceof pg.DatabaseError) || error.code !== "42501") throw error;
    const list = texts.map((text) => `  ${text};`).join("\n");
    throw new RuntimeRoleError(
      `The role in DATABASE_URL may not change ${name}. Run this as a superuser:\n${list}`,
    );
  }
}

/** Tables of an owner whose default privileges do not name the role of the service. */
async function tablesWithoutGrant(pool: pg.Pool): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>(
    `select oid::regclass::text as name from pg_class
     where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
       and not has_table_privilege($1, oid, 'select')`,
    [serviceRole],
  );
  return rows.map(({ name }) => name);
}
