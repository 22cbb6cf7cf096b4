// The single row that identifies this installation and proves the master key.

import { type Db, statement } from "../db/connect.ts";
import { newId } from "../ids.ts";
import type { Seal } from "../seal.ts";

const identity = "installation:master_key_check";
const constant = "disburse";

const insertOnce = statement<never>(
  "installation-insert",
  "insert into installation (merchant_id, master_key_check) values ($1, $2) on conflict do nothing",
);
const find = statement<{ master_key_check: Buffer }>(
  "installation-find",
  "select master_key_check from installation",
);

export class MasterKeyError extends Error {}

/** Creates the row on the first start. Later it refuses a master key that does not belong to this database. */
export async function ensureInstallation(db: Db, seal: Seal): Promise<void> {
  await db.run(insertOnce, [newId(), seal.encrypt(constant, identity)]);
  const [row] = await db.run(find);
  try {
    if (row && seal.decrypt(row.master_key_check, identity) === constant) return;
  } catch {
    // The key does not fit: the check below reports it.
  }
  throw new MasterKeyError(
    "The master key is not the one this database was sealed with. Restore DISBURSE_MASTER_KEY, or master.key in DATA_DIR.",
  );
}
