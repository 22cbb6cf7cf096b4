// Copies a subaccount and one of its keys to another database, as a move would.

import type { Db } from "../../src/platform/db/connect.ts";

export async function copyKey(from: Db, to: Db, key: string): Promise<void> {
  const isOf = {
    subaccount: "id = (select subaccount_id from api_key where key = $1)",
    api_key: "key = $1",
    api_secret: "key = $1",
  };
  for (const [table, condition] of Object.entries(isOf)) {
    const { rows } = await from.pool.query(
      `select to_jsonb(t) as row from ${table} t where ${condition}`,
      [key],
    );
    for (const { row } of rows) {
      await to.pool.query(
        `insert into ${table} select * from jsonb_populate_record(null::${table}, $1)`,
        [JSON.stringify(row)],
      );
    }
  }
  await to.pool.query("update installation set keys_version = keys_version + 1");
}
