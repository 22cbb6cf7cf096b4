// Access to /console/api: for which users, from which sites, and to which subaccounts.

import { expect, test } from "vitest";
import { createAuth } from "../../../src/tenants/users/auth.ts";
import { sessionCookie } from "../../../src/tenants/users/session-cookie.ts";
import { closeAfterTests } from "../../support/close-after-tests.ts";
import { callConsole, startConsole } from "../../support/console.ts";
import { consoleRoutes, type Route } from "../../support/console-routes.ts";

const routes = await consoleRoutes();
const service = await closeAfterTests(
  startConsole({
    oidc: { issuer: "http://127.0.0.1:1", clientId: "a", clientSecret: "b", name: "c" },
  }),
);

/** Calls a route with a placeholder for each path parameter. */
const ask = ({ method, path }: Pick<Route, "method" | "path">, headers: Record<string, string>) =>
  callConsole(
    service.baseUrl,
    headers,
    method,
    path.slice("/console/api".length).replace(/:\w+|\*/g, "00000000-0000-7000-8000-000000000000"),
    method === "GET" ? undefined : {},
  );
const codeOf = ({ status, json }: Awaited<ReturnType<typeof ask>>) =>
  `${status} ${json?.error?.[0]?.code}`;

test("GET /me lists what the user may do, and which subaccounts they see", async () => {
  const { subaccountId } = await service.newCaller();
  const other = await service.newCaller();
  const operator = await service.enter("operator").get("/me");
  expect(operator.status).toBe(200);
  expect(operator.json.permissions).toContain("payouts.approve");
  const seen = operator.json.subaccounts.map(({ id }: { id: string }) => id);
  expect(seen).toEqual(expect.arrayContaining([subaccountId, other.subaccountId]));

  const developer = await service.enter("developer", { subaccountId }).get("/me");
  expect(developer.json.subaccounts.map(({ id }: { id: string }) => id)).toEqual([subaccountId]);
  expect(developer.json.permissions).not.toContain("payouts.approve");
});

test("an API key gives no access to the console", async () => {
  const { call } = await service.newCaller();
  const { status, json } = await call("GET", "/console/api/me");
  expect([status, json.error[0].code]).toEqual([401, "CONS101"]);
});

test("a session cookie gives no access to /api", async () => {
  const admin = service.enter("admin");
  expect((await admin.get("/me")).status).toBe(200);
  const { cookie } = admin;
  const response = await fetch(`${service.baseUrl}/api/receiver`, { headers: { cookie } });
  expect([response.status, (await response.json()).error[0].code]).toEqual([401, "AUTH101"]);
});

test("every route except those of sign-in requires a session", async () => {
  const open = [
    "GET /console/api/auth-options",
    "GET /console/api/auth/callback/oidc",
    "GET /console/api/auth/passkey/generate-authenticate-options",
    "POST /console/api/auth/passkey/verify-authentication",
    "POST /console/api/auth/sign-in/email",
    "POST /console/api/auth/sign-in/oauth2",
    "POST /console/api/set-up",
    "POST /console/api/set-up/look",
    "POST /console/api/set-up/passkey",
    "POST /console/api/set-up/passkey-options",
  ];
  const asked = routes.filter(({ method }) => method !== "HEAD");
  expect(asked.length).toBeGreaterThan(15);
  const answers = await Promise.all(
    asked.map(async (route) => ({ ...route, code: codeOf(await ask(route, {})) })),
  );
  const let_in = answers.filter(({ code }) => code !== "401 CONS101");
  expect(let_in.map(({ method, path }) => `${method} ${path}`).sort()).toEqual(open);
});

test("CONS210: a sign-in with an identity provider that does not respond is refused", async () => {
  const answer = await ask({ method: "POST", path: "/console/api/auth/sign-in/oauth2" }, {});
  expect(codeOf(answer)).toBe("503 CONS210");
});

test("CONS111: what a page of another build sends in a form that is not known is answered with reload", async () => {
  const admin = service.enter("admin");
  await admin.ready;
  const old = { cookie: admin.cookie, "x-disburse-page": "index-0ld.js" };
  const { subaccountId } = await service.newCaller();
  const keys = `/console/api/s/${subaccountId}/keys`;
  const asked = [
    { method: "POST", path: "/console/api/gone" },
    { method: "DELETE", path: keys },
    { method: "POST", path: keys },
  ];
  for (const route of asked) {
    expect(codeOf(await ask(route, old))).toBe("409 CONS111");
    const same = codeOf(await ask(route, { cookie: admin.cookie }));
    expect(["404 SYST101", "405 SYST102", "400 CONS107"]).toContain(same);
  }
  // What does not depend on the form is answered as ever.
  const unproven = service.enter("admin", { provenAtMs: 0 });
  await unproven.ready;
  const create = { method: "POST", path: keys };
  expect(codeOf(await ask(create, { ...old, cookie: unproven.cookie }))).toBe("403 CONS103");
});

test("CONS104: requests from another site are refused on every route", async () => {
  const admin = service.enter("admin");
  await admin.ready;
  const { cookie } = admin;
  const unsafe = routes.filter(({ method }) => method !== "GET" && method !== "HEAD");
  const fromElsewhere: Record<string, string>[] = [
    { origin: "https://evil.example" },
    { origin: "null" },
    { origin: service.baseUrl.replace(/\d+$/, "1") },
    { "sec-fetch-site": "cross-site" },
    { "sec-fetch-site": "same-site" },
    { "x-requested-with": "" },
  ];
  for (const headers of fromElsewhere) {
    const answers = await Promise.all(unsafe.map((route) => ask(route, { cookie, ...headers })));
    expect(new Set(answers.map(codeOf)), JSON.stringify(headers)).toEqual(new Set(["403 CONS104"]));
  }
  const safe = routes.filter(({ method, path }) => method === "GET" && !/callback/.test(path));
  const elsewhere = { cookie, "sec-fetch-site": "cross-site" };
  const reads = await Promise.all(safe.map((route) => ask(route, elsewhere)));
  expect(new Set(reads.map(codeOf))).toEqual(new Set(["403 CONS104"]));
});

test("routes of the sign-in library that the console does not need are not served", async () => {
  const admin = service.enter("admin");
  await admin.ready;
  const consoleUrl = service.baseUrl;
  const { api } = createAuth({
    db: service.db,
    secret: "s".repeat(43),
    consoleUrl,
    cookie: sessionCookie(consoleUrl),
    onError: () => {},
  });
  const ours = new Set(routes.map(({ method, path }) => `${method} ${path}`));
  const offered = Object.values(api as Record<string, { path?: string; options: Offered }>)
    .filter(({ path }) => path)
    .flatMap(({ path, options }) =>
      [options.method].flat().map((method) => ({ method, path: `/console/api/auth${path}` })),
    );
  const others = offered.filter(({ method, path }) => !ours.has(`${method} ${path}`));
  expect(others.length).toBeGreaterThan(25);
  expect(others.map(({ path }) => path)).toContain("/console/api/auth/sign-up/email");
  const { cookie } = admin;
  const answers = await Promise.all(others.map((route) => ask(route, { cookie })));
  expect(new Set(answers.map(codeOf))).toEqual(new Set(["404 SYST101"]));
});

type Offered = { method: string | string[] };
