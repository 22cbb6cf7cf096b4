// A user of the console, for tests: calls /console/api as a page in a browser would.

import { randomBytes } from "node:crypto";
import { newId } from "../../src/platform/base/ids.ts";
import type { Db } from "../../src/platform/db/connect.ts";
import { limits } from "../../src/platform/limits/limits.ts";
import type { Role, User } from "../../src/tenants/roles/user.ts";
import { insertUser } from "../../src/tenants/user-records/queries.ts";
import { authSecret } from "../../src/tenants/users/login.ts";
import { signedToken } from "../../src/tenants/users/session-cookie.ts";
import { sentBody } from "./import-file.ts";
import { type Answer, type Service, type ServiceOptions, startService } from "./service.ts";

export type ConsoleService = Awaited<ReturnType<typeof startConsole>>;
export type TestPerson = ReturnType<ConsoleService["enter"]>;

/** The service with its console, and users who are signed in. */
export async function startConsole(options: ServiceOptions = {}) {
  const service = await startService(options);
  return { ...service, enter: consoleUsers(service, options.clock) };
}

type Served = Pick<Service, "db" | "seal" | "baseUrl">;

/** Creates users of a running service. */
export function consoleUsers(service: Served, clock: () => number = Date.now) {
  const secret = authSecret(service.seal);

  /** A new user who is signed in at once, without a password and the wait for its hash. */
  function enter(
    role: Role,
    { subaccountId, provenAtMs = clock() }: { subaccountId?: string; provenAtMs?: number } = {},
  ) {
    const id = newId();
    const email = `${role}-${id.slice(-8)}@example.com`;
    const subaccountIds = subaccountId === undefined ? undefined : [subaccountId];
    const person: User = { id, name: `A ${role}`, email, role, subaccountIds };
    const token = randomBytes(24).toString("base64url");
    const cookie = `disburse-session=${signedToken(token, secret)}`;
    /** Calls wait for it. Code that uses the cookie elsewhere must wait too. */
    const ready = insertUser(service.db, person).then(() =>
      insertSession(service.db, person, { token, provenAtMs, nowMs: clock() }),
    );
    const call = async (method: string, path: string, body?: unknown) => {
      await ready;
      return callConsole(service.baseUrl, { cookie }, method, path, body);
    };
    return {
      ...{ person, cookie, ready, who: `operator:${email}` },
      /** After a sign-out: the cookie is that of a session again. */
      enterAgain: () => insertSession(service.db, person, { token, provenAtMs, nowMs: clock() }),
      get: (path: string) => call("GET", path),
      post: (path: string, body: unknown = {}) => call("POST", path, body),
      patch: (path: string, body: unknown = {}) => call("PATCH", path, body),
      put: (path: string, body: unknown = {}) => call("PUT", path, body),
      delete: (path: string, body: unknown = {}) => call("DELETE", path, body),
    };
  }
  return enter;
}

async function insertSession(
  db: Db,
  person: User,
  { token, provenAtMs, nowMs }: { token: string; provenAtMs: number; nowMs: number },
): Promise<void> {
  await db.pool.query("update console_user set logged_in_at = now() where id = $1", [person.id]);
  const expiresAt = new Date(nowMs + limits.sessionMs);
  await db.pool.query(
    `insert into user_session (id, user_id, token, expires_at, proven_at, created_at, seen_at)
     values ($1, $2, $3, $4, $5, $6, $6)`,
    [newId(), person.id, token, expiresAt, new Date(provenAtMs), new Date(nowMs)],
  );
}

/** Sends the headers of a console page, unless `headers` override them. */
export async function callConsole(
  origin: string,
  headers: Record<string, string>,
  method: string,
  path: string,
  body?: unknown,
): Promise<Answer> {
  const isRead = method === "GET";
  const sent = body === undefined ? undefined : sentBody(body);
  const response = await fetch(`${origin}/console/api${path}`, {
    method,
    redirect: "manual",
    headers: {
      "sec-fetch-site": "same-origin",
      ...(isRead ? {} : { origin, "x-requested-with": "disburse-console" }),
      ...(sent && { "content-type": sent.type }),
      ...headers,
    },
    ...(sent && { body: sent.body }),
  });
  const text = await response.text();
  const isJson = response.headers.get("content-type")?.includes("application/json");
  const json = isJson ? JSON.parse(text) : undefined;
  return { status: response.status, text, json, headers: response.headers };
}
