// A person at the console, for tests: calls what is behind its pages as a browser's page would.

import { randomUUID } from "node:crypto";
import type { FindSession } from "../src/http/console-gate.ts";
import type { Role, Session } from "../src/people/person.ts";
import { type Answer, type ServiceOptions, startService } from "./service.ts";

export type ConsoleService = Awaited<ReturnType<typeof startConsole>>;
export type TestPerson = ReturnType<ConsoleService["enter"]>;

/** The service with its console, and people who are let in. */
export async function startConsole(options: ServiceOptions = {}) {
  const sessions = new Map<string, Session>();
  const findSession: FindSession = async ({ headers }) => sessions.get(headers.cookie ?? "");
  let origin = "";
  const service = await startService({ ...options, findSession, consoleOrigins: () => [origin] });
  origin = service.baseUrl;

  function enter(
    role: Role,
    { subaccountId, provenAtMs = Date.now() }: { subaccountId?: string; provenAtMs?: number } = {},
  ) {
    const id = randomUUID();
    const email = `${role}-${id.slice(0, 8)}@example.com`;
    const person = { id, name: `A ${role}`, email, role, subaccountId };
    const cookie = `session=${id}`;
    sessions.set(cookie, { id, person, provenAtMs });
    const call = (method: string, path: string, body?: unknown) =>
      callConsole(origin, cookie, method, path, body);
    return {
      ...{ person, cookie, who: `operator:${email}` },
      get: (path: string) => call("GET", path),
      post: (path: string, body: unknown = {}) => call("POST", path, body),
      patch: (path: string, body: unknown = {}) => call("PATCH", path, body),
      put: (path: string, body: unknown = {}) => call("PUT", path, body),
      delete: (path: string) => call("DELETE", path),
    };
  }
  return { ...service, enter };
}

async function callConsole(
  origin: string,
  cookie: string,
  method: string,
  path: string,
  body?: unknown,
): Promise<Answer> {
  const isRead = method === "GET";
  const response = await fetch(`${origin}/console/api${path}`, {
    method,
    headers: {
      cookie,
      "sec-fetch-site": "same-origin",
      ...(isRead ? {} : { origin, "x-requested-with": "disburse-console" }),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const isJson = response.headers.get("content-type")?.includes("application/json");
  const json = isJson ? JSON.parse(text) : undefined;
  return { status: response.status, text, json, headers: response.headers };
}
