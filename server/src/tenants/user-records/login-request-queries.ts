// The SQL of command lines that ask to sign in.

import { type Runner, statement, type Tx } from "../../platform/db/index.ts";
import { limits } from "../../platform/limits/index.ts";

export type LoginRequest = {
  id: string;
  client: string;
  ip_address: string;
  created_at: Date;
  expires_at: Date;
  user_id: string | null;
  declined_at: Date | null;
};

const columns = "id, client, ip_address, created_at, expires_at, user_id, declined_at";

const insert = statement<{ id: string }>(
  "login-request-insert",
  // Anyone can ask, so there is a bound.
  `insert into login_request (id, device_hash, code_hash, client, ip_address, created_at, expires_at)
   select $1, $2, $3, $4, $5, $6, $6::timestamptz + interval '${limits.loginCodeMs} ms'
   where (select count(*) from login_request where expires_at > $6) < ${limits.loginCodesMax}
   returning id`,
);

type NewRequest = {
  id: string;
  deviceHash: Buffer;
  codeHash: Buffer;
  client: string;
  ip: string;
  atMs: number;
};

/** False: too many wait already. */
export async function insertLoginRequest(db: Runner, request: NewRequest): Promise<boolean> {
  const { id, deviceHash, codeHash, client, ip, atMs } = request;
  const values = [id, deviceHash, codeHash, client, ip, new Date(atMs)];
  return (await db.run(insert, values)).length > 0;
}

const byCode = statement<LoginRequest>(
  "login-request-by-code",
  `select ${columns} from login_request where code_hash = $1 and expires_at > $2
     and user_id is null and declined_at is null for update`,
);

/** While it waits. */
export async function lockLoginRequest(
  db: Runner,
  { codeHash, nowMs }: { codeHash: Buffer; nowMs: number },
): Promise<LoginRequest | undefined> {
  return (await db.run(byCode, [codeHash, new Date(nowMs)]))[0];
}

const decide = statement<never>(
  "login-request-decide",
  "update login_request set user_id = $2, declined_at = $3 where id = $1",
);

export async function updateLoginRequest(
  tx: Tx,
  id: string,
  { userId, declinedAtMs }: { userId?: string; declinedAtMs?: number },
): Promise<void> {
  await tx.run(decide, [id, userId ?? null, declinedAtMs ? new Date(declinedAtMs) : null]);
}

const byDevice = statement<LoginRequest>(
  "login-request-by-device",
  `select ${columns} from login_request where device_hash = $1 and expires_at > $2 for update`,
);

export async function lockLoginRequestOfDevice(
  tx: Tx,
  { deviceHash, nowMs }: { deviceHash: Buffer; nowMs: number },
): Promise<LoginRequest | undefined> {
  return (await tx.run(byDevice, [deviceHash, new Date(nowMs)]))[0];
}

const remove = statement<never>("login-request-delete", "delete from login_request where id = $1");

export async function deleteLoginRequest(tx: Tx, id: string): Promise<void> {
  await tx.run(remove, [id]);
}

const insertSession = statement<never>(
  "login-session-insert",
  `insert into user_session (id, user_id, token, ip_address, user_agent, client, created_at, seen_at, expires_at, proven_at)
   values ($1, $2, $3, $4, $5, $6, $7, $7, $7::timestamptz + interval '${limits.sessionMs} ms', 'epoch')`,
);

type NewLogin = {
  id: string;
  userId: string;
  token: string;
  ip: string;
  client: string;
  atMs: number;
};

export async function insertLoginSession(tx: Tx, login: NewLogin): Promise<void> {
  const { id, userId, token, ip, client, atMs } = login;
  const agent = `disburse on ${client}`;
  await tx.run(insertSession, [id, userId, token, ip, agent, client, new Date(atMs)]);
}
