// Decrypts all encrypted values of a database, for scenarios and tests.

import type { Db } from "../../src/db/connect.ts";
import { listHeads, listValues } from "../../src/rotation/column-queries.ts";
import { encryptedColumns } from "../../src/rotation/encrypted-columns.ts";
import type { Seal } from "../../src/seal.ts";

/** Decrypts every value. Returns the number of those that can be read, and the others by table and key. */
export async function readEncryptedValues(
  db: Db,
  seal: Seal,
): Promise<{ readable: number; unreadable: string[] }> {
  let readable = 0;
  const unreadable: string[] = [];
  for (const column of encryptedColumns) {
    const { rows } = await listHeads(db, column, { after: undefined, limit: 1_000_000 });
    for (const { key, sealed } of await listValues(
      db,
      column,
      rows.map((row) => row.key),
    )) {
      if (seal.decryptIfReadable(sealed, column.identityOf(...key)) !== undefined) readable += 1;
      else unreadable.push(`${column.table}.${column.column} ${key.join(" ")}`);
    }
  }
  return { readable, unreadable };
}
