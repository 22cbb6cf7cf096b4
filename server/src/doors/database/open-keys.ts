// Opens the key ring: finds the original key of the database, by the master key or by Vault, and loads the others.

import { randomBytes } from "node:crypto";
import type { Config } from "../../platform/config/index.ts";
import {
  type DataKeyRow,
  findKeys,
  insertDataKey,
  KeyServiceError,
  type KeyServices,
  keyServices,
  listDataKeys,
  loadDataKeys,
  localKeyService,
  vaultKeyService,
} from "../../platform/data-keys/index.ts";
import type { Db } from "../../platform/db/index.ts";
import { embeddedMasterKey, hasMasterKey } from "../../platform/embedded/index.ts";
import {
  dataKeyId,
  KeyRing,
  masterKeyBytes,
  masterKeyFingerprint,
  sealOf,
  sealWith,
} from "../../platform/encryption/index.ts";
import {
  findMasterKeyCheck,
  InstallationError,
  provesMasterKey,
} from "../../tenants/installation/index.ts";

export type OpenKeys = { ring: KeyRing; services: KeyServices };

/** `db` has the migrations. */
export async function openKeys(config: Config, db: Db): Promise<OpenKeys> {
  const masterKeys = masterKeysOf(config);
  const { vault } = config.keys;
  const services = keyServices([
    ...(vault ? [vaultKeyService(vault)] : []),
    ...masterKeys.map(localKeyService),
  ]);
  const original = await findOriginal(config, { db, services, masterKeys });
  const ring = new KeyRing(original);
  await loadDataKeys(ring, await findKeys(db), services);
  return { ring, services };
}

/** The one that wraps comes first. */
export function masterKeysOf({ keys, database }: Config): Buffer[] {
  let { masterKey } = keys;
  if (!masterKey && "embeddedIn" in database) {
    const folder = database.embeddedIn;
    // With Vault there is no need for one, but data from before may be under it.
    if (!keys.vault || hasMasterKey(folder)) masterKey = embeddedMasterKey(folder);
  }
  return [masterKey, keys.masterKeyBefore].filter((key) => key !== undefined);
}

/** What a copy of the database needs before it can be opened: the fingerprint of its master key, or `vault`. */
export function keyNeeded({ ring }: OpenKeys, rows: readonly DataKeyRow[]): string {
  const original = rows.find(({ is_original }) => is_original);
  if (!original) return masterKeyFingerprint(sealOf(ring));
  const [kind = "", fingerprint = ""] = original.wrapped.split(":");
  return kind === "local" ? fingerprint : kind;
}

type Finding = { db: Db; services: KeyServices; masterKeys: readonly Buffer[] };

async function findOriginal(config: Config, finding: Finding): Promise<Buffer> {
  const { db, masterKeys } = finding;
  const wrapped = await unwrapOriginal(finding);
  if (wrapped) return wrapped;
  // Before the first rotation the master key is the only key.
  const check = await findMasterKeyCheck(db);
  const known = check && masterKeys.find((key) => provesMasterKey(sealWith(key), check));
  // If none proves to be the right one, the check of the installation says so.
  const masterKey = known ?? masterKeys[0];
  if (masterKey) return masterKey;
  if (check) {
    throw new InstallationError(
      "This database was set up with a master key. Set DISBURSE_MASTER_KEY to it as well, and run disburse master-key rewrap:\n" +
        "then its keys are wrapped by Vault, and the master key is no longer needed.",
    );
  }
  return createOriginal(config, finding);
}

async function unwrapOriginal({ db, services }: Finding): Promise<Buffer | undefined> {
  const row = (await listDataKeys(db)).find(({ is_original }) => is_original);
  if (!row) return undefined;
  const key = await services.unwrap(row.wrapped);
  if (key.length === masterKeyBytes && dataKeyId(key) === row.id) return key;
  throw new KeyServiceError(`The key service returned another key than ${row.id}.`);
}

/** The first start with Vault and without a master key. Several processes may do it at once: one of them is first. */
async function createOriginal({ installation }: Config, finding: Finding): Promise<Buffer> {
  if (installation.cell) {
    throw new InstallationError(
      "All cells have one original key. Start this cell with the DISBURSE_MASTER_KEY of the others, and run disburse master-key rewrap:\n" +
        "then its keys are wrapped by Vault.",
    );
  }
  const { db, services } = finding;
  const key = randomBytes(masterKeyBytes);
  const wrapped = await services.wrap(key);
  const row = { id: dataKeyId(key), wrapped, state: "current", is_original: true } as const;
  await insertDataKey(db, row);
  const stored = await unwrapOriginal(finding);
  if (!stored) throw new Error("the original data key was not stored");
  return stored;
}
