// The SQL of operator tokens.

import { type Runner, statement, type Tx } from "../../platform/db/index.ts";
import { limits } from "../../platform/limits/index.ts";
import type { Role } from "../roles/index.ts";

export type TokenRow = {
  id: string;
  name: string;
  role: Role;
  /** Null: all of them. */
  subaccount_ids: string[] | null;
  addresses: string[];
  created_at: Date;
  expires_at: Date;
  awaiting_approval: boolean;
  approved_by: string;
  revoked_at: Date | null;
  last_used_at: Date | null;
  user_id: string;
  user_name: string;
  email: string;
  /** A token works while its maker is an admin. */
  is_of_admin: boolean;
};

const columns = `t.id, t.name, t.role, t.subaccount_ids::text[], t.addresses, t.created_at, t.expires_at,
  t.awaiting_approval, t.approved_by, t.revoked_at, t.last_used_at,
  u.id as user_id, u.name as user_name, u.email, u.role = 'admin' and u.disabled_at is null as is_of_admin`;
const from = "operator_token t join console_user u on u.id = t.user_id";

const insert = statement<never>(
  "operator-token-insert",
  `insert into operator_token (id, name, secret_hash, user_id, role, subaccount_ids, addresses, created_at, expires_at, awaiting_approval)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
);

export type NewToken = Pick<TokenRow, "id" | "name" | "role" | "addresses" | "user_id"> & {
  secretHash: Buffer;
  subaccountIds: readonly string[] | undefined;
  atMs: number;
  expiresAtMs: number;
  awaitsApproval: boolean;
};

export async function insertToken(tx: Tx, token: NewToken): Promise<void> {
  const { id, name, secretHash, user_id, role, subaccountIds, addresses } = token;
  const who = [id, name, secretHash, user_id, role, subaccountIds ?? null, addresses];
  await tx.run(insert, [
    ...who,
    new Date(token.atMs),
    new Date(token.expiresAtMs),
    token.awaitsApproval,
  ]);
}

const find = statement<TokenRow>(
  "operator-token-find",
  `with found as (select ${columns} from ${from} where t.secret_hash = $1), used as (
     update operator_token set last_used_at = $2::timestamptz where id = (
       select id from found where last_used_at is null or last_used_at < $2::timestamptz - interval '${limits.sessionSeenMs} ms')
   ) select * from found`,
);

/** Records the time of use. */
export async function findToken(
  db: Runner,
  { secretHash, nowMs }: { secretHash: Buffer; nowMs: number },
): Promise<TokenRow | undefined> {
  return (await db.run(find, [secretHash, new Date(nowMs)]))[0];
}

const lock = statement<TokenRow>(
  "operator-token-lock",
  `select ${columns} from ${from} where t.id = $1 for no key update of t`,
);

export async function lockToken(tx: Tx, id: string): Promise<TokenRow | undefined> {
  return (await tx.run(lock, [id]))[0];
}

const approve = statement<never>(
  "operator-token-approve",
  "update operator_token set awaiting_approval = false, approved_by = $2 where id = $1",
);

export async function updateTokenApproved(tx: Tx, id: string, who: string): Promise<void> {
  await tx.run(approve, [id, who]);
}

const revoke = statement<never>(
  "operator-token-revoke",
  "update operator_token set revoked_at = $2 where id = $1",
);

export async function updateTokenRevoked(tx: Tx, id: string, atMs: number): Promise<void> {
  await tx.run(revoke, [id, new Date(atMs)]);
}

const revokeOfUser = statement<{ id: string }>(
  "operator-tokens-revoke-of-user",
  `update operator_token set revoked_at = $2
   where user_id = $1 and revoked_at is null and expires_at > $2 returning id`,
);

/** For good: they don't work again when the user is an admin again. Returns how many there were. */
export async function revokeTokensOf(tx: Tx, userId: string, atMs: number): Promise<number> {
  return (await tx.run(revokeOfUser, [userId, new Date(atMs)])).length;
}

const works = `t.revoked_at is null and t.expires_at > $1`;

const countLive = statement<{ count: number }>(
  "operator-tokens-count",
  `select count(*)::int as count from operator_token t where ${works}`,
);

export async function countLiveTokens(tx: Tx, nowMs: number): Promise<number> {
  return (await tx.run(countLive, [new Date(nowMs)]))[0]?.count ?? 0;
}

const list = statement<TokenRow>(
  "operator-tokens-list",
  `select ${columns} from ${from} order by t.created_at desc, t.id limit ${limits.operatorTokensListedMax}`,
);

/** The newest first. */
export function listTokens(db: Runner): Promise<TokenRow[]> {
  return db.run(list);
}

const listWaiting = statement<TokenRow>(
  "operator-tokens-waiting",
  `select ${columns} from ${from} where t.awaiting_approval and ${works} order by t.created_at, t.id`,
);

export function listWaitingTokens(db: Runner, nowMs: number): Promise<TokenRow[]> {
  return db.run(listWaiting, [new Date(nowMs)]);
}

const ending = statement<{ name: string; expires_at_ms: string }>(
  "operator-tokens-ending",
  `select t.name, (extract(epoch from t.expires_at) * 1000)::bigint as expires_at_ms from operator_token t
   where ${works} and t.expires_at < $2 and t.last_used_at > $3 order by t.expires_at limit ${limits.countedMax + 1}`,
);

/** Tokens that expire before then and are in use, the next one first. */
export function listEndingTokens(
  db: Runner,
  { nowMs, toMs, usedFromMs }: { nowMs: number; toMs: number; usedFromMs: number },
): Promise<{ name: string; expires_at_ms: string }[]> {
  return db.run(ending, [new Date(nowMs), new Date(toMs), new Date(usedFromMs)]);
}
