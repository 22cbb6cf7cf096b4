// A program that calls /operator/v1 with a token, for tests.

import type { TestPerson } from "./console.ts";

const dayMs = 24 * 3_600_000;

type Wanted = {
  role: string;
  name?: string;
  subaccountIds?: readonly string[];
  addresses?: readonly string[];
  expiresAtMs?: number;
};

let made = 0;

/** An admin makes a token. Where it waits, another admin approves it. */
export async function newToken(
  admin: TestPerson,
  { role, name, subaccountIds, addresses, expiresAtMs = Date.now() + dayMs }: Wanted,
  second?: TestPerson,
) {
  made += 1;
  const { status, json } = await admin.post("/tokens", {
    name: name ?? `${role} ${admin.person.id.slice(-6)} ${made}`,
    role,
    ...(subaccountIds && { subaccount_ids: subaccountIds }),
    ...(addresses && { addresses }),
    expires_at: expiresAtMs,
  });
  if (status !== 200) throw new Error(JSON.stringify(json));
  const { id, token, awaits_approval } = json as {
    id: string;
    token: string;
    awaits_approval: boolean;
  };
  if (awaits_approval && second) await second.post(`/tokens/${id}/approve`);
  return { id, token, awaits_approval };
}

export async function callOperator(
  baseUrl: string,
  token: string | undefined,
  method: string,
  path: string,
  { body, key, headers = {} }: { body?: unknown; key?: string; headers?: object } = {},
) {
  const response = await fetch(`${baseUrl}/operator/v1${path}`, {
    method,
    headers: {
      ...(token && { authorization: `Bearer ${token}` }),
      ...(key && { "idempotency-key": key }),
      ...(body !== undefined && { "content-type": "application/json" }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const isJson = response.headers.get("content-type")?.includes("json") && text !== "";
  const json = isJson ? JSON.parse(text) : undefined;
  const code = (json?.error?.[0]?.code ?? "") as string;
  return { status: response.status, text, json, code, headers: response.headers };
}

/** A user signs in at the command line: the command asks, the user confirms its code at the console. */
export async function signInCommand(baseUrl: string, user: TestPerson, client = "laptop") {
  const asked = await callOperator(baseUrl, undefined, "POST", "/login", { body: { client } });
  const { device_code, code } = asked.json;
  const confirmed = await user.post("/command-line/confirm", { code });
  const body = { device_code };
  const outcome = await callOperator(baseUrl, undefined, "POST", "/login/token", { body });
  return { confirmed, ...(outcome.json as { token: string; email: string; status: string }) };
}
