// Users of the console: the set-up link, sign-in by password, invitations, roles, and the end of a session.

import { afterAll, afterEach, beforeAll, expect, onTestFinished, test } from "vitest";
import type { Refusal } from "../../../src/platform/refusals/refusals.ts";
import { newSetUpTokens } from "../../../src/tenants/users/invitation.ts";
import { logIn } from "../../../src/tenants/users/login.ts";
import { requireStrongPassword } from "../../../src/tenants/users/password.ts";
import { type ConsoleService, callConsole, startConsole } from "../../support/console.ts";
import type { Answer } from "../../support/service.ts";

let service: ConsoleService;
/** The service's clock is ahead by this much. */
let aheadMs = 0;
beforeAll(async () => {
  service = await startConsole({ clock: () => Date.now() + aheadMs });
  const token = (await newSetUpTokens(service.db))?.first;
  expect((await post("/set-up", { ...ada, token })).status).toBe(200);
});
afterEach(() => {
  aheadMs = 0;
});
afterAll(() => service.close());

const hourMs = 3_600_000;
const password = "correct horse battery";
const ada = { name: "Ada Admin", email: "ada@example.com", password };

const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  callConsole(service.baseUrl, headers, "POST", path, body);
/** A service without users, and a function that posts to it. */
async function startUnused() {
  const unused = await startConsole({ clock: () => Date.now() + aheadMs });
  onTestFinished(unused.close);
  const postTo: typeof post = (path, body, headers = {}) =>
    callConsole(unused.baseUrl, headers, "POST", path, body);
  return { ...unused, post: postTo };
}
const me = (cookie: string) => callConsole(service.baseUrl, { cookie }, "GET", "/me");
const signIn = (email: string, secret = password) =>
  post("/auth/sign-in/email", { email, password: secret });
const codeOf = ({ status, json }: Answer) => [status, json?.error?.[0]?.code];

/** The cookies that a browser would send after this response. */
function cookieOf({ headers }: Answer): string {
  const pairs = headers.getSetCookie().map((cookie) => cookie.split(";")[0]);
  return pairs.join("; ");
}

/** The token in a link such as …/console/set-up#token. */
const tokenOf = ({ json }: Answer) => new URL(json.link).hash.slice(1);

async function actsOf(email: string, { db } = service): Promise<string[]> {
  const { rows } = await db.pool.query(
    "select action from audit_entry where who = $1 order by number",
    [`operator:${email}`],
  );
  return rows.map(({ action }) => action);
}

test("the set-up link creates one admin and signs them in, however many use it at once", async () => {
  const { post, ...unused } = await startUnused();
  const old = (await newSetUpTokens(unused.db))?.first;
  const token = (await newSetUpTokens(unused.db))?.first ?? "";
  expect(codeOf(await post("/set-up/look", { token: old }))).toEqual([404, "CONS203"]);
  const look = await post("/set-up/look", { token });
  expect(look.json).toEqual({ email: "", name: "", role: "admin", first_admin: null });

  const weak = await post("/set-up", { ...ada, token, password: "too short" });
  expect(weak.json.error).toMatchObject([{ code: "CONS204", field: "password" }]);
  const tries = ["ada", "eve", "bob"].map((name) =>
    post("/set-up", { ...ada, email: `${name}@example.com`, token }),
  );
  const answers = await Promise.all(tries);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404]);
  const { rows } = await unused.db.pool.query("select email, role from console_user");
  expect(rows).toEqual([{ email: expect.any(String), role: "admin" }]);

  const won = answers.find(({ status }) => status === 200) as Answer;
  const inside = await callConsole(unused.baseUrl, { cookie: cookieOf(won) }, "GET", "/me");
  expect(inside.json).toMatchObject({ name: "Ada Admin", role: "admin" });
  expect(await newSetUpTokens(unused.db)).toBeUndefined();
  expect(await actsOf(rows[0].email, unused)).toEqual(["person.set-up", "session.start"]);
});

test.each([
  ["too short", "It must have at least 12 characters"],
  ["ada@example.com", "It must not contain your e-mail address"],
  ["P4ssw0rd!P4ssw0rd!", "It is one of those that are tried first"],
  ["1234567890123", "It is one of those that are tried first"],
  ["password1234", "It is one of those that are tried first"],
  ["Welcome2026!!", "It is one of those that are tried first"],
  ["Pa55w0rd!2026", "It is one of those that are tried first"],
  ["2026-Summer-2026", "It is one of those that are tried first"],
  ["Example#20261115", "It is one of those that are tried first"],
  ["qwertyuiop12", "It is one of those that are tried first"],
  ["Trustno1Trustno1", "It is one of those that are tried first"],
  ["20261115093000", "It is one of those that are tried first"],
  ["aaaaaaaaaaaaaa", "It repeats a few characters"],
  ["tr0ub4tr0ub4", "It repeats a few characters"],
  ["kitchen 47 violin", ""],
  ["v8Kq2mTz9xLp", ""],
  ["лошадь батарея 5", ""],
  ["correct horse battery", ""],
])("CONS204: %s as a password: %s", (secret, why) => {
  let said = "";
  try {
    requireStrongPassword(secret, ada);
  } catch (error) {
    said = (error as Refusal).problems[0].message;
  }
  expect(said).toBe(why);
});

test("sign-in sets a new session cookie, never the one that was sent, and sign-out ends it", async () => {
  expect(codeOf(await signIn(ada.email, "not the password"))).toEqual([401, "CONS201"]);
  expect(codeOf(await signIn("nobody@example.com"))).toEqual([401, "CONS201"]);

  const first = await signIn("ADA@example.com");
  expect(first.json).toEqual({ logged_in: true });
  const [cookie] = first.headers.getSetCookie();
  expect(cookie).toMatch(
    /^disburse-session=[^;]+; Max-Age=43200; Path=\/; HttpOnly; SameSite=Strict$/,
  );
  const old = cookieOf(first);
  const body = { email: ada.email, password };
  const second = await post("/auth/sign-in/email", body, { cookie: old });
  expect(cookieOf(second)).not.toBe(old);
  expect(codeOf(await me(old))).toEqual([401, "CONS101"]);

  const out = await post("/auth/sign-out", {}, { cookie: cookieOf(second) });
  expect(out.status).toBe(204);
  expect(out.headers.getSetCookie()).toEqual([
    expect.stringMatching(/^disburse-session=; Max-Age=0;/),
  ]);
  expect(codeOf(await me(cookieOf(second)))).toEqual([401, "CONS101"]);
  // Neither the response nor the log has the password or the email.
  expect(first.text + service.logged.join("")).not.toMatch(/correct horse|ada@example/i);
});

test("an unknown email takes about as long to refuse as a known one", async () => {
  await service.enter("admin").post("/users/invite", { email: "new@example.com", role: "finance" });
  // The hash is most of the work. It counts in processor time: the machine may be busy with other things meanwhile.
  const leastWork = async (email: string) => {
    const works: number[] = [];
    for (let n = 0; n < 2; n += 1) {
      const before = process.cpuUsage();
      expect(codeOf(await signIn(email, "not the password"))).toEqual([401, "CONS201"]);
      const { user, system } = process.cpuUsage(before);
      works.push(user + system);
    }
    return Math.min(...works);
  };
  const known = await leastWork(ada.email);
  // Without a hash it would take a fiftieth.
  expect(await leastWork("not.a.user@example.com")).toBeGreaterThan(known / 5);
  expect(await leastWork("new@example.com")).toBeGreaterThan(known / 5);
  expect((await signIn(ada.email)).status).toBe(200);
});

test("a cookie without the service's signature gives no access", async () => {
  const admin = service.enter("admin");
  await admin.ready;
  const token = decodeURIComponent(admin.cookie).split("=")[1]?.split(".")[0];
  for (const forged of [token, `${token}.`, `${token}.${"A".repeat(43)}=`]) {
    const cookie = `disburse-session=${encodeURIComponent(forged ?? "")}`;
    expect(codeOf(await me(cookie))).toEqual([401, "CONS101"]);
  }
});

test("a session ends 30 minutes after it was last used, and after 12 hours in any case", async () => {
  const [idle, busy] = [service.enter("operator"), service.enter("operator")];
  expect((await idle.get("/me")).status).toBe(200);
  for (; aheadMs < 12 * hourMs - 60_000; aheadMs += 28 * 60_000) {
    expect((await busy.get("/me")).status).toBe(200);
  }
  aheadMs = 31 * 60_000;
  expect(codeOf(await idle.get("/me"))).toEqual([401, "CONS101"]);
  aheadMs = 12 * hourMs + 60_000;
  expect(codeOf(await busy.get("/me"))).toEqual([401, "CONS101"]);
});

test("background requests of a page do not keep a session alive; requests of the user do", async () => {
  const [left, used] = [service.enter("operator"), service.enter("operator")];
  await Promise.all([left.ready, used.ready]);
  const poll = (cookie: string) =>
    callConsole(service.baseUrl, { cookie, "x-disburse-background": "1" }, "GET", "/me");
  for (aheadMs = 0; aheadMs <= 28 * 60_000; aheadMs += 7 * 60_000) {
    expect((await poll(left.cookie)).status).toBe(200);
  }
  aheadMs = 28 * 60_000;
  expect((await used.get("/me")).status).toBe(200);
  aheadMs = 31 * 60_000;
  expect(codeOf(await poll(left.cookie))).toEqual([401, "CONS101"]);
  expect((await poll(used.cookie)).status).toBe(200);
});

test("an invited user sets a password once; the link is for the invited email, and for a day", async () => {
  const admin = service.enter("admin");
  const { subaccountId } = await service.newCaller();
  const input = { email: "Dev@Example.com", name: "Dev", role: "developer" };
  expect(codeOf(await admin.post("/users/invite", input))).toEqual([400, "CONS209"]);
  const unknown = { ...input, subaccount_id: "00000000-0000-7000-8000-000000000000" };
  expect(codeOf(await admin.post("/users/invite", unknown))).toEqual([404, "CONS105"]);
  const invited = await admin.post("/users/invite", { ...input, subaccount_id: subaccountId });
  const again = await admin.post("/users/invite", { ...input, subaccount_id: subaccountId });
  expect(codeOf(again)).toEqual([409, "CONS205"]);
  const token = tokenOf(invited);
  const kept = await service.db.pool.query("select token_hash::text from invitation");
  expect(JSON.stringify(kept.rows)).not.toContain(token);

  aheadMs = 25 * hourMs;
  expect(codeOf(await post("/set-up/look", { token }))).toEqual([404, "CONS203"]);
  aheadMs = 0;
  const look = await post("/set-up/look", { token });
  expect(look.json).toMatchObject({ email: "dev@example.com", name: "Dev", role: "developer" });
  // The email is the invited one, not the one in the request.
  const set = { token, name: "Devi", email: "other@example.com", password };
  const joined = await post("/set-up", set);
  expect((await me(cookieOf(joined))).json).toMatchObject({
    name: "Devi",
    email: "dev@example.com",
    role: "developer",
    subaccounts: [{ id: subaccountId }],
  });
  expect(codeOf(await post("/set-up", set))).toEqual([404, "CONS203"]);
});

test("a reset, a new role and disabling a user end the user's sessions at once", async () => {
  const admin = service.enter("admin");
  const row = async (id: string) =>
    (await admin.get("/users")).json.rows.find((one: { id: string }) => one.id === id);

  const one = service.enter("operator");
  expect((await one.get("/me")).status).toBe(200);
  expect(await row(one.person.id)).toMatchObject({ status: "active", sessions: 1, is_you: false });
  await admin.patch(`/users/${one.person.id}`, { role: "finance" });
  expect(codeOf(await one.get("/me"))).toEqual([401, "CONS101"]);
  expect(await row(one.person.id)).toMatchObject({ role: "finance", sessions: 0 });

  const two = service.enter("operator");
  expect((await two.get("/me")).status).toBe(200);
  const { status, json } = await admin.post(`/users/${two.person.id}/reset`);
  expect([status, json.link]).toEqual([200, expect.stringMatching(/\/console\/set-up#[\w-]{43}$/)]);
  expect(codeOf(await two.get("/me"))).toEqual([401, "CONS101"]);

  const three = service.enter("operator");
  expect((await three.get("/me")).status).toBe(200);
  await admin.patch(`/users/${three.person.id}`, { disabled: true });
  expect(codeOf(await three.get("/me"))).toEqual([401, "CONS101"]);
  expect(await row(three.person.id)).toMatchObject({ status: "disabled" });
  expect(await actsOf(admin.person.email)).toEqual([
    "person.change",
    "person.reset",
    "person.change",
  ]);
});

test("a disabled user can't sign in or use a link", async () => {
  const admin = service.enter("admin");
  const input = { email: "gone@example.com", role: "operator" };
  const invited = await admin.post("/users/invite", input);
  await post("/set-up", { token: tokenOf(invited), name: "Gone", email: input.email, password });
  const { id } = invited.json;
  const reset = await admin.post(`/users/${id}/reset`);
  expect(codeOf(await signIn(input.email))).toEqual([401, "CONS201"]);
  await admin.patch(`/users/${id}`, { disabled: true });
  expect(codeOf(await post("/set-up/look", { token: tokenOf(reset) }))).toEqual([404, "CONS203"]);
  await admin.patch(`/users/${id}`, { disabled: false });
  const back = { token: tokenOf(reset), name: "Back", email: input.email, password };
  expect((await post("/set-up", back)).status).toBe(200);
  await admin.patch(`/users/${id}`, { disabled: true });
  expect(codeOf(await signIn(input.email))).toEqual([401, "CONS201"]);
});

test("CONS207, CONS208: users can't change themselves, and of two admins who remove each other one stays", async () => {
  await service.db.pool.query("update console_user set disabled_at = now() where role = 'admin'");
  const [one, two] = [service.enter("admin"), service.enter("admin")];
  await Promise.all([one.ready, two.ready]);
  const self = await one.patch(`/users/${one.person.id}`, { role: "finance" });
  expect(codeOf(self)).toEqual([409, "CONS208"]);
  const answers = await Promise.all([
    one.patch(`/users/${two.person.id}`, { disabled: true }),
    two.patch(`/users/${one.person.id}`, { role: "operator" }),
  ]);
  const { rows } = await service.db.pool.query(
    "select count(*)::int as n from console_user where role = 'admin' and disabled_at is null",
  );
  expect(rows).toEqual([{ n: 1 }]);
  expect(answers.map(({ status }) => status).sort()[0]).toBe(204);
  await service.db.pool.query("update console_user set disabled_at = null where role = 'admin'");
});

test("a user sees their own sessions and can't end another user's; an admin can", async () => {
  const [one, other, admin] = [
    service.enter("operator"),
    service.enter("operator"),
    service.enter("admin"),
  ];
  const { rows } = (await one.get("/sessions")).json;
  expect(rows).toEqual([expect.objectContaining({ is_current: true })]);
  expect(codeOf(await other.delete(`/sessions/${rows[0].id}`))).toEqual([404, "CONS110"]);
  expect((await one.get("/me")).status).toBe(200);
  expect((await admin.get(`/users/${one.person.id}/sessions`)).json.rows).toHaveLength(1);
  expect((await admin.delete(`/users/${one.person.id}/sessions`)).status).toBe(204);
  expect(codeOf(await one.get("/me"))).toEqual([401, "CONS101"]);
});

test("CONS103: a new password needs a fresh proof, which a password gives for five minutes", async () => {
  const answer = await signIn(ada.email);
  const cookie = cookieOf(answer);
  const change = (body: object) => post("/password", body, { cookie });
  aheadMs = 6 * 60_000;
  expect(codeOf(await change({ password: "another long password" }))).toEqual([403, "CONS103"]);
  expect(codeOf(await post("/step-up", { password: "wrong" }, { cookie }))).toEqual([
    401,
    "CONS201",
  ]);
  expect((await post("/step-up", { password }, { cookie })).status).toBe(204);
  expect((await change({ password: "another long password" })).status).toBe(204);
  expect(codeOf(await signIn(ada.email))).toEqual([401, "CONS201"]);
  expect((await change({ password })).status).toBe(204);
  const ways = await callConsole(service.baseUrl, { cookie }, "GET", "/step-up");
  expect(ways.json).toEqual({ password: true, passkey: false, oidc: null });
});

test("CONS206: an invalid passkey response is refused", async () => {
  const operator = service.enter("operator");
  await operator.ready;
  const nonsense = [{}, { clientDataJSON: "e30" }, { attestationObject: 7, transports: "usb" }];
  const bodies = nonsense.map((response) => ({
    response: { id: "AAAA", type: "public-key", response },
  }));
  for (const kind of ["register", "authenticate"]) {
    for (const body of bodies) {
      const begun = await operator.get(`/auth/passkey/generate-${kind}-options`);
      const cookie = `${operator.cookie}; ${cookieOf(begun)}`;
      const path = kind === "register" ? "verify-registration" : "verify-authentication";
      const named = kind === "register" ? { ...body, name: "Key" } : body;
      const answer = await post(`/auth/passkey/${path}`, named, { cookie });
      expect(codeOf(answer), kind).toEqual([401, "CONS206"]);
    }
  }
});

test("over HTTPS the cookie is only for this host, and requests must come from this origin", async () => {
  const consoleUrl = "https://pay.example.com";
  const secure = await startConsole({ consoleUrl });
  onTestFinished(secure.close);
  const token = (await newSetUpTokens(secure.db))?.first;
  const setUp = (headers: Record<string, string>) =>
    callConsole(secure.baseUrl, headers, "POST", "/set-up", { ...ada, token });
  expect(codeOf(await setUp({}))).toEqual([403, "CONS104"]);
  const answer = await setUp({ origin: consoleUrl });
  const [cookie = ""] = answer.headers.getSetCookie();
  expect(cookie).toMatch(
    /^__Host-disburse=[^;]+; Max-Age=43200; Path=\/; HttpOnly; Secure; SameSite=Strict$/,
  );
  const inside = await callConsole(secure.baseUrl, { cookie: cookieOf(answer) }, "GET", "/me");
  expect(inside.status).toBe(200);
});

test("CONS202: password guesses for one email are limited, even when they are sent at once", async () => {
  const { post, db } = await startUnused();
  const token = (await newSetUpTokens(db))?.first;
  expect((await post("/set-up", { ...ada, token })).status).toBe(200);
  const signIn = (email: string, secret = password) =>
    post("/auth/sign-in/email", { email, password: secret });
  const guesses = Array.from({ length: 14 }, () => signIn("victim@example.com", "a guess or two"));
  const codes = (await Promise.all(guesses)).map(codeOf).map(([status]) => status);
  expect(codes.filter((status) => status === 401)).toHaveLength(10);
  const refused = await signIn("VICTIM@example.com", password);
  expect(codeOf(refused)).toEqual([429, "CONS202"]);
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(800);
  // Other users can sign in, and the lock ends.
  expect((await signIn(ada.email)).status).toBe(200);
  aheadMs = 16 * 60_000;
  expect(codeOf(await signIn("victim@example.com"))).toEqual([401, "CONS201"]);
});

test("a failed load of the sign-in library is not cached: the next sign-in tries again", async () => {
  let isUp = false;
  const consoleUrl = () => {
    if (!isUp) throw new Error("not listening yet");
    return service.baseUrl;
  };
  const { db, seal } = service;
  const users = logIn({ db, seal, clock: Date.now, consoleUrl, oidc: undefined, onError() {} });
  await expect(users.auth()).rejects.toThrow("not listening yet");
  isUp = true;
  expect(await users.auth()).toHaveProperty("handler");
});
