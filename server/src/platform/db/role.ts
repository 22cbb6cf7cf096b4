// The database role of the service: it can insert ledger entries, but not change them.

import { type Db, statement } from "./connect.ts";
import { sessionSettings } from "./session.ts";

export const serviceRole = "disburse_service";

/** Undefined when the migration had no right to create the role. Then the table owner has revoked its own right instead. */
export async function findServiceRole({ pool }: Db): Promise<string | undefined> {
  const { rows } = await pool.query<{ rolname: string }>(
    "select rolname from pg_roles where rolname = $1 and pg_has_role(oid, 'member')",
    [serviceRole],
  );
  return rows[0]?.rolname;
}

const findSettings = statement<{ name: string; setting: string }>(
  "session-settings",
  "select name, current_setting(name) as setting from unnest($1::text[]) name",
);

export class SessionError extends Error {}

/** Without its settings, a statement could run without end, be slow, or change the ledger. */
export async function requireSession(db: Db, role: string | undefined): Promise<void> {
  const needed = Object.entries({ ...sessionSettings, ...(role && { role }) });
  for (const runner of [db, db.shared]) {
    const rows = await runner.run(findSettings, [needed.map(([name]) => name)]);
    const settings = new Map(rows.map(({ name, setting }) => [name, setting]));
    const wrong = needed.filter(([name, value]) => settings.get(name) !== value);
    if (wrong.length === 0) continue;
    const list = wrong.map(([name, value]) => `  ${name} is ${settings.get(name)}, not ${value}`);
    throw new SessionError(
      `The sessions of the database lack settings that Disburse needs:\n${list.join("\n")}\n` +
        "If DATABASE_URL sets them, remove them there. A pooler drops them: set them on the login role, with\n" +
        "disburse migrate --runtime-role <role>, and set DATABASE_DIRECT_URL to the address of PostgreSQL itself.",
    );
  }
}
