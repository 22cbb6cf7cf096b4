// Decrypts all encrypted values of a database, for scenarios and tests.

import { listHeads, listValues } from "../../src/doors/rotation/column-queries.ts";
import {
  type EncryptedColumn,
  encryptedColumns,
} from "../../src/doors/rotation/encrypted-columns.ts";

import { ifReadable, personKeyOf } from "../../src/people/person/person.ts";
import type { Db } from "../../src/platform/db/connect.ts";
import { isUnderPersonKey, type Seal } from "../../src/platform/encryption/seal.ts";
import { listPersonValues } from "./person-values.ts";

/**
 * Decrypts every value. Returns the number of those under data keys that can be read, and all that can't be read, by
 * table and key.
 */
export async function readEncryptedValues(
  db: Db,
  seal: Seal,
): Promise<{ readable: number; unreadable: string[] }> {
  let readable = 0;
  const unreadable: string[] = [];
  for (const column of encryptedColumns) {
    const { rows } = await listHeads(db, column, { after: undefined, limit: 1_000_000 });
    const ofPersons = rows.filter(({ head }) => isUnderPersonKey(head)).map(({ key }) => key);
    unreadable.push(...(await findUnreadable({ db, seal }, column, ofPersons)));
    const others = rows.filter(({ head }) => !isUnderPersonKey(head)).map(({ key }) => key);
    for (const { key, sealed } of await listValues(db, column, others)) {
      if (seal.decryptIfReadable(sealed, column.identityOf(...key)) !== undefined) readable += 1;
      else unreadable.push(`${column.table}.${column.column} ${key.join(" ")}`);
    }
  }
  return { readable, unreadable };
}

/** Values under the keys of receivers. Stored responses don't say whose they are. */
async function findUnreadable(
  { db, seal }: { db: Db; seal: Seal },
  column: EncryptedColumn,
  keys: readonly (readonly string[])[],
): Promise<string[]> {
  if (!column.receiver || keys.length === 0) return [];
  const values = await listPersonValues(db, column, keys);
  const readable = values.filter(({ key, sealed, subaccount_id, receiver_id: id, person_key }) =>
    ifReadable(() => {
      const personKey = personKeyOf(seal, subaccount_id, { id, person_key });
      return personKey?.decrypt(sealed, column.identityOf(...key));
    }),
  );
  const found = new Set(readable.map(({ key }) => key.join(" ")));
  return keys
    .map((key) => key.join(" "))
    .filter((key) => !found.has(key))
    .map((key) => `${column.table}.${column.column} ${key}`);
}
