// A signed-in user of the console, for measures, with the cookie that a browser would send.

import { randomBytes } from "node:crypto";
import { newId } from "../server/src/platform/base/ids.ts";
import { sealWith } from "../server/src/platform/encryption/seal.ts";
import { insertUser } from "../server/src/tenants/user-records/queries.ts";
import { authSecret } from "../server/src/tenants/users/login.ts";
import { signedToken } from "../server/src/tenants/users/session-cookie.ts";
import type { Database } from "./database.ts";

/** A request of a page as bytes that are ready to send. `path` is below /console/api. */
export type ConsoleRequest = (path: string) => Buffer;

export async function signInToConsole(database: Database): Promise<ConsoleRequest> {
  const cookie = await consoleCookie(database);
  return (path) =>
    Buffer.from(
      `GET /console/api${path} HTTP/1.1\r\nhost: 127.0.0.1\r\naccept: application/json\r\n` +
        `sec-fetch-site: same-origin\r\ncookie: ${cookie}\r\n\r\n`,
    );
}

/** The cookie of a new user who is signed in. */
export async function consoleCookie({ db, masterKey }: Database): Promise<string> {
  const user = { id: newId(), name: "Bench", email: "bench@example.com", role: "operator" };
  await insertUser(db, { ...user, role: "operator" });
  const token = randomBytes(24).toString("base64url");
  await db.pool.query(
    `insert into user_session (id, user_id, token, expires_at)
     values ($1, $2, $3, now() + interval '12 hours')`,
    [newId(), user.id, token],
  );
  return `disburse-session=${signedToken(token, authSecret(sealWith(masterKey)))}`;
}
