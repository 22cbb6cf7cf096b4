// The single row that identifies this installation and its cell, and proves the master key.

import { newId } from "../../platform/base/index.ts";
import { type Db, type Runner, statement } from "../../platform/db/index.ts";
import type { Seal } from "../../platform/encryption/index.ts";
import { findQuarantine, type Quarantine } from "./quarantine-queries.ts";

export const masterKeyCheckIdentity = "installation:master_key_check";
const constant = "disburse";

/** Cells are installations side by side. All have one merchant id and one master key, so that subaccounts can move. */
export type Installation = {
  /** Empty: the default cell. */
  cell: string;
  merchantId: string;
};

/** `quarantine`: while it is set, nothing is delivered and nothing is paid. */
export type FoundInstallation = Installation & { quarantine: Quarantine | undefined };

const insertOnce = statement<never>(
  "installation-insert",
  `insert into installation (merchant_id, master_key_check, cell) values ($1, $2, $3)
   on conflict do nothing`,
);
const find = statement<{ master_key_check: Buffer; merchant_id: string; cell: string }>(
  "installation-find",
  "select master_key_check, merchant_id, cell from installation",
);

/** False on a database on which Disburse was migrated but never started. */
export async function hasInstallation(db: Runner): Promise<boolean> {
  return (await db.run(find)).length > 0;
}

export class InstallationError extends Error {}

/**
 * Creates the row on the first start. Later it refuses settings that do not belong to this database. An empty setting
 * means: as the database says.
 */
export async function ensureInstallation(
  db: Db,
  seal: Seal,
  wanted: Installation = { cell: "", merchantId: "" },
): Promise<FoundInstallation> {
  const check = seal.encrypt(constant, masterKeyCheckIdentity);
  await db.run(insertOnce, [wanted.merchantId || newId(), check, wanted.cell]);
  const [row] = await db.run(find);
  if (!row || !provesMasterKey(seal, row.master_key_check)) {
    throw new InstallationError(
      "The master key is not the one this database was sealed with. Restore DISBURSE_MASTER_KEY, or master.key in DATA_DIR.",
    );
  }
  const { cell, merchant_id: merchantId } = row;
  if (wanted.cell !== "" && wanted.cell !== cell) {
    throw new InstallationError(
      `This database belongs to ${cellText(cell)}, and CELL is ${wanted.cell}. A database keeps the cell of its first start: correct CELL, or DATABASE_URL.`,
    );
  }
  if (wanted.merchantId !== "" && wanted.merchantId !== merchantId) {
    throw new InstallationError(
      `The merchant id of this database is ${merchantId}, and MERCHANT_ID is ${wanted.merchantId}. All cells have one merchant id: correct MERCHANT_ID, or DATABASE_URL.`,
    );
  }
  return { cell, merchantId, quarantine: await findQuarantine(db) };
}

/** Undefined before the first start. */
export async function findMasterKeyCheck(db: Db): Promise<Buffer | undefined> {
  return (await db.run(find))[0]?.master_key_check;
}

export function provesMasterKey(seal: Seal, check: Buffer): boolean {
  return seal.decryptIfReadable(check, masterKeyCheckIdentity) === constant;
}

function cellText(cell: string): string {
  return cell === "" ? "the default cell" : `cell ${cell}`;
}
