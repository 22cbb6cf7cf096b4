// Sign-in in a real browser: a passkey is added, signs in and confirms, and users sign in at their company's provider.

import type { BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, expect, onTestFinished } from "vitest";
import { sharedBrowser } from "../../support/browser.ts";
import { type ConsoleService, startConsole } from "../../support/console.ts";
import { type Provider, startProvider } from "../../support/identity-provider.ts";
import { closeContexts } from "../../support/reused-contexts.ts";
import { testUnless } from "../../support/skippable.ts";

const launched = await sharedBrowser();
const test = testUnless(launched.reason);
let service: ConsoleService;
let provider: Provider;
let origin: string;
/** The service's clock is ahead by this much. */
let aheadMs = 0;

beforeAll(async () => {
  provider = await startProvider();
  service = await startConsole({
    oidc: provider.settings,
    clock: () => Date.now() + aheadMs,
  });
  // Passkeys belong to a host name, and do not work with an IP address.
  origin = `http://localhost:${service.port}`;
});
afterAll(async () => {
  await closeContexts(launched.browser);
  await service.close();
  provider.close();
});

/** A page in a new browser context, signed in if a cookie is given. */
async function newPage(cookie?: string): Promise<{ page: Page; context: BrowserContext }> {
  if (!launched.browser) throw new Error(launched.reason);
  const context = await launched.browser.newContext({ locale: "en-GB" });
  if (cookie) {
    const [name = "", value = ""] = cookie.split("=");
    await context.addCookies([{ name, value, url: origin, sameSite: "Strict", httpOnly: true }]);
  }
  const page = await context.newPage();
  await page.goto(`${origin}/healthz`);
  return { page, context };
}

/** Calls the console's API like its pages. */
function call(page: Page, method: string, path: string, body?: object) {
  return page.evaluate(
    async ([method, path, body]) => {
      const response = await fetch(`/console/api${path}`, {
        method: method as string,
        headers: { "x-requested-with": "disburse-console", "content-type": "application/json" },
        ...(body ? { body: JSON.stringify(body) } : {}),
      });
      const text = await response.text();
      return { status: response.status, json: text ? JSON.parse(text) : undefined };
    },
    [method, path, body] as const,
  );
}

async function newAuthenticator(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send("WebAuthn.enable");
  await session.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

async function register(page: Page, name: string) {
  const options = await call(page, "GET", "/auth/passkey/generate-register-options");
  expect(options.status).toBe(200);
  const response = await page.evaluate(async (json) => {
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(json);
    return ((await navigator.credentials.create({ publicKey })) as PublicKeyCredential).toJSON();
  }, options.json);
  return call(page, "POST", "/auth/passkey/verify-registration", { response, name });
}

async function assertion(page: Page) {
  const options = await call(page, "GET", "/auth/passkey/generate-authenticate-options");
  expect(options.status).toBe(200);
  return page.evaluate(async (json) => {
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(json);
    return ((await navigator.credentials.get({ publicKey })) as PublicKeyCredential).toJSON();
  }, options.json);
}

test("a passkey is added, confirms the user, signs in, and stops working once it is deleted", async () => {
  const operator = service.enter("operator");
  await operator.ready;
  const { page, context } = await newPage(operator.cookie);
  await newAuthenticator(page);
  const added = await register(page, "Laptop");
  expect(added).toMatchObject({ status: 200, json: { rows: [{ name: "Laptop" }] } });

  // The last proof is an hour old. A passkey renews it, and the session stays the same.
  await service.db.pool.query("update user_session set proven_at = now() - interval '1 hour'");
  const again = await call(page, "GET", "/auth/passkey/generate-register-options");
  expect(again).toMatchObject({ status: 403, json: { error: [{ code: "CONS103" }] } });
  const [cookie] = await context.cookies();
  const response = await assertion(page);
  expect((await call(page, "POST", "/step-up/passkey", { response })).status).toBe(204);
  expect((await call(page, "GET", "/auth/passkey/generate-register-options")).status).toBe(200);
  expect((await context.cookies()).find(({ name }) => name === cookie?.name)).toEqual(cookie);
  // The same response is refused the second time.
  const replayed = await call(page, "POST", "/step-up/passkey", { response });
  expect(replayed).toMatchObject({ status: 401, json: { error: [{ code: "CONS206" }] } });
  const { rows } = (await operator.get("/sessions")).json;
  expect(rows).toHaveLength(1);

  expect((await call(page, "POST", "/auth/sign-out", {})).status).toBe(204);
  expect((await call(page, "GET", "/me")).status).toBe(401);
  const entry = { response: await assertion(page) };
  const entered = await call(page, "POST", "/auth/passkey/verify-authentication", entry);
  expect(entered).toEqual({ status: 200, json: { logged_in: true } });
  expect((await call(page, "GET", "/me")).json.email).toBe(operator.person.email);

  const { id } = added.json.rows[0];
  const deleted = await call(page, "POST", "/auth/passkey/delete-passkey", { id });
  expect(deleted.json).toEqual({ rows: [] });
  await call(page, "POST", "/auth/sign-out", {});
  const gone = { response: await assertion(page) };
  const refused = await call(page, "POST", "/auth/passkey/verify-authentication", gone);
  expect(refused).toMatchObject({ status: 401, json: { error: [{ code: "CONS206" }] } });
  await context.close();
});

test("a passkey challenge works once and for five minutes, and nothing is stored for strangers", async () => {
  const operator = service.enter("operator");
  await operator.ready;
  const { page, context } = await newPage(operator.cookie);
  await newAuthenticator(page);
  expect((await register(page, "Phone")).status).toBe(200);
  await call(page, "POST", "/auth/sign-out", {});
  const signIn = (response: object) =>
    call(page, "POST", "/auth/passkey/verify-authentication", { response });
  const countRows = async () => {
    const { rows } = await service.db.pool.query(
      "select count(*)::int as count from user_verification",
    );
    return rows[0].count;
  };

  const before = await countRows();
  for (let asked = 0; asked < 20; asked++) {
    const path = "/auth/passkey/generate-authenticate-options";
    expect((await call(page, "GET", path)).status).toBe(200);
  }
  const stranger = { ...(await assertion(page)), id: "AAAA", rawId: "AAAA" };
  expect((await signIn(stranger)).status).toBe(401);
  // There are fewer if expired ones were deleted meanwhile.
  expect(await countRows()).toBeLessThanOrEqual(before);

  const response = await assertion(page);
  const statuses = (await Promise.all([signIn(response), signIn(response)])).map(
    ({ status }) => status,
  );
  expect(statuses.sort()).toEqual([200, 401]);
  const replayed = await signIn(response);
  expect(replayed).toMatchObject({ status: 401, json: { error: [{ code: "CONS206" }] } });

  const late = await assertion(page);
  aheadMs = 5 * 60_000;
  onTestFinished(() => {
    aheadMs = 0;
  });
  expect((await signIn(late)).status).toBe(401);
  aheadMs = 4 * 60_000;
  expect((await signIn(late)).status).toBe(200);
  await context.close();
});

test("a passkey of another user is no proof", async () => {
  const [ada, eve] = [service.enter("operator"), service.enter("operator")];
  await Promise.all([ada.ready, eve.ready]);
  const { page, context } = await newPage(eve.cookie);
  await newAuthenticator(page);
  expect((await register(page, "Eve's")).status).toBe(200);
  await call(page, "POST", "/auth/sign-out", {});
  // Eve's passkey responds to options without a user, and the response is sent in Ada's session.
  const response = await assertion(page);
  const [name = "", value = ""] = ada.cookie.split("=");
  await context.addCookies([{ name, value, url: origin, sameSite: "Strict", httpOnly: true }]);
  const refused = await call(page, "POST", "/step-up/passkey", { response });
  expect(refused).toMatchObject({ status: 401, json: { error: [{ code: "CONS206" }] } });
  expect((await call(page, "GET", "/me")).json.email).toBe(ada.person.email);
  await context.close();
});

test("a passkey without user verification is refused", async () => {
  const operator = service.enter("operator");
  await operator.ready;
  const { page, context } = await newPage(operator.cookie);
  await newAuthenticator(page);
  expect((await register(page, "Key")).status).toBe(200);
  const options = await call(page, "GET", "/auth/passkey/generate-authenticate-options");
  const response = await page.evaluate(async (json) => {
    const discouraged = { ...json, userVerification: "discouraged" };
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(discouraged);
    return ((await navigator.credentials.get({ publicKey })) as PublicKeyCredential).toJSON();
  }, options.json);
  const refused = await call(page, "POST", "/auth/passkey/verify-authentication", { response });
  expect(refused).toMatchObject({ status: 401, json: { error: [{ code: "CONS206" }] } });
  await context.close();
});

test("starting a sign-in at the company's provider stores nothing, and another browser can't finish it", async () => {
  const { page, context } = await newPage();
  const countRows = async () => {
    const { rows } = await service.db.pool.query(
      "select count(*)::int as count from user_verification",
    );
    return rows[0].count;
  };
  const before = await countRows();
  const begin = () => call(page, "POST", "/auth/sign-in/oauth2", {});
  for (let asked = 0; asked < 20; asked++) expect((await begin()).status).toBe(200);
  // There are fewer if expired ones were deleted meanwhile.
  expect(await countRows()).toBeLessThanOrEqual(before);

  const kim = service.enter("finance");
  await kim.ready;
  provider.who.claims = { sub: "kim-1", email: kim.person.email, email_verified: true };
  const { json } = await begin();
  const other = await newPage();
  const led = other.page.waitForRequest((request) => /\/console(?!\/api)/.test(request.url()));
  await other.page.goto(json.url);
  expect(new URL((await led).url()).search).toBe("?refused=CONS211");
  expect((await call(other.page, "GET", "/me")).status).toBe(401);
  expect(service.logged.join("")).toContain('"why":"state_mismatch"');
  await Promise.all([context.close(), other.context.close()]);
});

// Many pages, which are slow where many tests share a machine.
test("invited users sign in at their company's provider, and others are refused", async () => {
  const admin = service.enter("admin");
  const email = "sam@example.com";
  const input = { email, name: "Sam", role: "finance" };
  expect((await admin.post("/users/invite", input)).status).toBe(200);
  const good = { sub: "sam-1", email: "Sam@Example.com", email_verified: true, name: "S" };
  const { page, context } = await newPage();
  const way = await call(page, "GET", "/auth-options");
  expect(way.json.oidc).toEqual({ name: "Example SSO" });
  // The first call loads the library, which may take longer than a call's timeout on a busy machine.
  const start = () => call(page, "POST", "/auth/sign-in/oauth2", {});
  await expect.poll(async () => (await start()).status).toBe(200);

  async function signInWith(claims: object, signsFalsely = false, input = {}): Promise<string> {
    provider.who.claims = { ...claims };
    provider.who.signsFalsely = signsFalsely;
    await page.goto(`${origin}/healthz`);
    const { json } = await call(page, "POST", "/auth/sign-in/oauth2", input);
    // Only the redirect matters here, not what the page does next.
    const led = page.waitForRequest((request) => /\/console(?!\/api)/.test(request.url()));
    await page.goto(json.url);
    return (await led).url().slice(origin.length);
  }
  const refused = "/console/sign-in?refused=CONS211";
  expect(await signInWith({ ...good, email: "stranger@example.com" })).toBe(refused);
  expect(await signInWith({ ...good, email_verified: false })).toBe(refused);
  expect(await signInWith({ ...good, email_verified: "false" })).toBe(refused);
  expect(await signInWith(good, true)).toBe(refused);
  expect(await signInWith({ ...good, nonce: "of another log-in" })).toBe(refused);
  expect(await signInWith({ ...good, aud: "somebody else" })).toBe(refused);
  expect((await call(page, "GET", "/me")).status).toBe(401);

  expect(await signInWith(good)).toBe("/console");
  expect((await call(page, "GET", "/me")).json).toMatchObject({
    email,
    name: "Sam",
    role: "finance",
  });
  const { rows } = await service.db.pool.query("select * from user_credential");
  const tokens = rows.map(({ access_token, id_token }) => [access_token, id_token]);
  expect(tokens).toEqual([[null, null]]);
  expect(provider.asked.at(-1)?.get("code_challenge_method")).toBe("S256");

  // The invitation is used up.
  const left = await service.db.pool.query("select from invitation where user_id is not null");
  expect(left.rows).toEqual([]);

  // A silent redirect is no proof: the provider must have asked the user within the last minute.
  const isProven = async () =>
    (await call(page, "GET", "/auth/passkey/generate-register-options")).status === 200;
  const again = { again: true };
  const nowS = () => Math.floor(Date.now() / 1000);
  expect(await isProven()).toBe(false);
  const notAsked = "/console/sign-in?refused=CONS212";
  expect(await signInWith(good, false, again)).toBe(notAsked);
  expect(await signInWith({ ...good, auth_time: nowS() - 90 }, false, again)).toBe(notAsked);
  const { searchParams } = new URL(`http://provider/?${provider.asked.at(-1)}`);
  expect([searchParams.get("prompt"), searchParams.get("max_age")]).toEqual(["login", "0"]);
  expect((await call(page, "GET", "/me")).status).toBe(200);
  expect(await isProven()).toBe(false);
  expect(await signInWith({ ...good, auth_time: nowS() }, false, again)).toBe("/console");
  expect(await isProven()).toBe(true);
  expect(await signInWith(good)).toBe("/console");
  expect(await isProven()).toBe(false);

  // Another account of the provider with the same email is not this user.
  await call(page, "POST", "/auth/sign-out", {});
  expect(await signInWith({ ...good, sub: "sam-2" })).toBe(refused);
  expect(await signInWith(good)).toBe("/console");

  // The account is recognised after its email has changed at the provider. A disabled user is refused.
  await call(page, "POST", "/auth/sign-out", {});
  expect(await signInWith({ ...good, email: "sam.new@example.com" })).toBe("/console");
  expect((await call(page, "GET", "/me")).json.email).toBe(email);
  const { id } = (await call(page, "GET", "/me")).json;
  await admin.patch(`/users/${id}`, { disabled: true });
  expect(await signInWith(good)).toBe(refused);
  await context.close();
});
