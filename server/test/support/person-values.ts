// Encrypted values under the keys of receivers, each with the stored key.

import type { EncryptedColumn } from "../../src/doors/rotation/encrypted-columns.ts";
import type { Db } from "../../src/platform/db/connect.ts";

type PersonValue = {
  key: string[];
  sealed: Buffer;
  subaccount_id: string;
  receiver_id: string;
  person_key: Buffer;
};

export async function listPersonValues(
  { pool }: Db,
  { table, column, key, receiver }: EncryptedColumn,
  keys: readonly (readonly string[])[],
): Promise<PersonValue[]> {
  const names = key.map(([name]) => name).join(", ");
  const receiverId =
    receiver === "account_id"
      ? "(select a.receiver_id from receiver_account a where a.subaccount_id = t.subaccount_id and a.id = t.account_id)"
      : `t.${receiver}`;
  const arrays = key.map(([, type], index) => `$${index + 1}::${type}[]`).join(", ");
  const { rows } = await pool.query<PersonValue>(
    `select array[${key.map(([name]) => `t.${name}::text`).join(", ")}] as key, t.${column} as sealed, r.subaccount_id,
            r.id as receiver_id, r.person_key
     from ${table} t join unnest(${arrays}) as v(${names}) using (${names})
     join receiver r on r.subaccount_id = t.subaccount_id and r.id = ${receiverId}
     where r.person_key is not null`,
    key.map((_, part) => keys.map((values) => values[part])),
  );
  return rows;
}
