// Every SQL statement about API keys and their secrets.

import type { Mode, Scope } from "../../platform/base/index.ts";
import { type Db, statement, type Tx } from "../../platform/db/index.ts";

const lock = statement<{ id: string }>(
  "subaccount-lock",
  "select id from subaccount where id = $1 for update",
);

/** Whether it exists. It stays locked until the end of the transaction. */
export async function lockSubaccount(tx: Tx, id: string): Promise<boolean> {
  return (await tx.run(lock, [id])).length > 0;
}

const insertOneKey = statement<never>(
  "api-key-insert",
  `insert into api_key (key, subaccount_id, name, scopes, addresses, version2_only, expires_at, awaiting_approval)
   values ($1, $2, $3, $4, $5, $6, $7, $8)`,
);

type NewKey = {
  key: string;
  subaccountId: string;
  name: string;
  scopes: readonly Scope[];
  addresses: readonly string[];
  version2Only: boolean;
  expiresAt: Date | undefined;
  awaitsApproval: boolean;
};

export async function insertKey(tx: Tx, key: NewKey): Promise<void> {
  await tx.run(insertOneKey, [
    key.key,
    key.subaccountId,
    key.name,
    key.scopes,
    key.addresses,
    key.version2Only,
    key.expiresAt ?? null,
    key.awaitsApproval,
  ]);
}

const countLive = statement<{ count: number }>(
  "api-keys-live-count",
  `select count(*)::int as count from api_key
   where subaccount_id = $1 and revoked_at is null and (expires_at is null or expires_at > now())`,
);

export async function countLiveKeys(tx: Tx, subaccountId: string): Promise<number> {
  return (await tx.run(countLive, [subaccountId]))[0]?.count ?? 0;
}

const insertOneSecret = statement<never>(
  "api-secret-insert",
  // One that waits is also expired, for a process of the version before.
  `insert into api_secret (key, id, sealed, awaiting_approval, expires_at)
   values ($1, $2, $3, $4, case when $4 then now() end)`,
);

export async function insertSecret(
  tx: Tx,
  secret: { key: string; id: string; sealed: Buffer; awaitsApproval: boolean },
): Promise<void> {
  await tx.run(insertOneSecret, [secret.key, secret.id, secret.sealed, secret.awaitsApproval]);
}

type LockedKey = { key: string; revoked: boolean };

const lockOneKey = statement<LockedKey>(
  "api-key-lock",
  "select key, revoked_at is not null as revoked from api_key where key = $1 for update",
);

export async function lockKey(tx: Tx, key: string): Promise<LockedKey | undefined> {
  return (await tx.run(lockOneKey, [key]))[0];
}

const endSecrets = statement<never>(
  "api-secret-end",
  // The newest secret stays valid until the end of the grace period; one that was already in its grace period ends now.
  `update api_secret s
   set expires_at = case when s.id = (select max(n.id::text)::uuid from api_secret n
                                     where n.key = $1 and not n.awaiting_approval)
                         then now() + $2 * interval '1 millisecond' else now() end
   where s.key = $1 and (s.expires_at is null or s.expires_at > now())`,
);

export async function updateSecretsEnding(tx: Tx, key: string, graceMs: number): Promise<void> {
  await tx.run(endSecrets, [key, graceMs]);
}

const deleteWaiting = statement<never>(
  "api-secret-waiting-delete",
  "delete from api_secret where key = $1 and awaiting_approval",
);

/** A rotated secret that no second user has approved. */
export async function deleteWaitingSecret(tx: Tx, key: string): Promise<void> {
  await tx.run(deleteWaiting, [key]);
}

const approveWaiting = statement<{ id: string }>(
  "api-secret-approve",
  `update api_secret set awaiting_approval = false, expires_at = null
   where key = $1 and awaiting_approval returning id`,
);

/** False if no secret of the key waits. */
export async function updateSecretApproved(tx: Tx, key: string): Promise<boolean> {
  return (await tx.run(approveWaiting, [key])).length > 0;
}

const revoke = statement<never>(
  "api-key-revoke",
  "update api_key set revoked_at = now() where key = $1 and revoked_at is null",
);

export async function updateKeyRevoked(tx: Tx, key: string): Promise<void> {
  await tx.run(revoke, [key]);
}

const approve = statement<never>(
  "api-key-approve",
  "update api_key set awaiting_approval = false where subaccount_id = $1 and key = $2",
);

export async function updateKeyApproved(tx: Tx, subaccountId: string, key: string): Promise<void> {
  await tx.run(approve, [subaccountId, key]);
}

const rename = statement<never>(
  "api-key-rename",
  "update api_key set name = $3 where subaccount_id = $1 and key = $2",
);

export async function updateKeyName(
  tx: Tx,
  subaccountId: string,
  { key, name }: { key: string; name: string },
): Promise<void> {
  await tx.run(rename, [subaccountId, key, name]);
}

const cell = statement<{ cell: string }>("installation-cell", "select cell from installation");

/** The cell that new keys name. Empty: the default cell. */
export async function findCell(tx: Tx): Promise<string> {
  return (await tx.run(cell))[0]?.cell ?? "";
}

const bumpKeysVersion = statement<never>(
  "keys-version-bump",
  "update installation set keys_version = keys_version + 1",
);

/** Notifies every process that a key changed. Part of each transaction that changes one. */
export async function updateKeysVersion(tx: Tx): Promise<void> {
  await tx.run(bumpKeysVersion);
}

const keysVersion = statement<{ keys_version: string }>(
  "keys-version",
  "select keys_version from installation",
);

export async function findKeysVersion(db: Db): Promise<string> {
  return (await db.run(keysVersion))[0]?.keys_version ?? "";
}

export type SecretRow = { id: string; sealed: string; expires_at_ms: number | null; used: boolean };

export type KeyRow = {
  key: string;
  subaccount_id: string;
  mode: Mode;
  closed: boolean;
  scopes: Scope[];
  addresses: string[];
  version2_only: boolean;
  expires_at: Date | null;
  secrets: SecretRow[];
  /** Of a subaccount that moves, or has moved, to another cell. */
  writes_stop_until_ms: number | null;
  has_moved: boolean | null;
};

const findLiveKeys = statement<KeyRow>(
  "api-keys-live",
  `select k.key, k.subaccount_id, s.mode, s.closed_at is not null as closed, k.scopes, k.addresses,
          k.version2_only, k.expires_at, m.writes_stop_until_ms::float8, m.has_moved,
          (select json_agg(json_build_object(
                    'id', a.id, 'sealed', encode(a.sealed, 'base64'),
                    'expires_at_ms', extract(epoch from a.expires_at) * 1000,
                    'used', a.last_used_at is not null) order by a.id desc)
           from api_secret a
           where a.key = k.key and (a.expires_at is null or a.expires_at > now())) as secrets
   from api_key k join subaccount s on s.id = k.subaccount_id
   left join subaccount_move m on m.subaccount_id = k.subaccount_id
   where k.key = any($1) and k.revoked_at is null and not k.awaiting_approval`,
);

export function listLiveKeys(db: Db, keys: string[]): Promise<KeyRow[]> {
  return db.run(findLiveKeys, [keys]);
}

const touchSecrets = statement<never>(
  "api-secrets-touch",
  `update api_secret s set last_used_at = to_timestamp(u.at_ms / 1000.0)
   from unnest($1::text[], $2::uuid[], $3::bigint[]) as u(key, id, at_ms)
   where s.key = u.key and s.id = u.id`,
);

type SecretUse = { key: string; secretId: string; atMs: number };

export async function updateSecretsUsed(db: Db, uses: SecretUse[]): Promise<void> {
  await db.run(touchSecrets, [
    uses.map(({ key }) => key),
    uses.map(({ secretId }) => secretId),
    uses.map(({ atMs }) => atMs),
  ]);
}

export type KeySummary = {
  api_key: string;
  subaccount_id: string;
  name: string;
  scopes: Scope[];
  addresses: string[];
  version2_only: boolean;
  expires_at: Date | null;
  revoked_at: Date | null;
  awaiting_approval: boolean;
  secrets: { created_at: string; expires_at: string | null; last_used_at: string | null }[];
};

const listOfSubaccount = statement<KeySummary>(
  "api-keys-of-subaccount",
  `select k.key as api_key, k.subaccount_id, k.name, k.scopes, k.addresses, k.version2_only,
          k.expires_at, k.revoked_at, k.awaiting_approval,
          (select json_agg(json_build_object('created_at', a.created_at, 'expires_at', a.expires_at,
                                             'last_used_at', a.last_used_at) order by a.id)
           from api_secret a
           where a.key = k.key and (a.expires_at is null or a.expires_at > now())) as secrets
   from api_key k where $1::uuid is null or k.subaccount_id = $1 order by k.created_at, k.key`,
);

export function listKeys(db: Db, subaccountId: string | undefined): Promise<KeySummary[]> {
  return db.run(listOfSubaccount, [subaccountId ?? null]);
}

export type LockedKeyOf = {
  name: string;
  scopes: Scope[];
  is_revoked: boolean;
  awaiting_approval: boolean;
};

const lockOneOf = statement<LockedKeyOf>(
  "api-key-lock-of-subaccount",
  `select name, scopes, revoked_at is not null as is_revoked, awaiting_approval from api_key
   where subaccount_id = $1 and key = $2 for update`,
);

/** Undefined where the subaccount has no such key. */
export async function lockKeyOf(
  tx: Tx,
  subaccountId: string,
  key: string,
): Promise<LockedKeyOf | undefined> {
  return (await tx.run(lockOneOf, [subaccountId, key]))[0];
}
