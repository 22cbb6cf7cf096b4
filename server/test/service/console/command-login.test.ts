// A user signs in at the command line: with a code that they confirm at the console.

import { expect, test } from "vitest";
import { closeAfterTests } from "../../support/close-after-tests.ts";
import { startConsole, type TestPerson } from "../../support/console.ts";
import { callOperator, signInCommand } from "../../support/operator.ts";

let nowMs = Date.now();
const service = await closeAfterTests(startConsole({ clock: () => nowMs }));

const call = (method: string, path: string, options: object = {}, token?: string) =>
  callOperator(service.baseUrl, token, method, path, options);
const ask = async (client = "laptop") =>
  (await call("POST", "/login", { body: { client } })).json as {
    device_code: string;
    code: string;
    url: string;
  };
const redeem = async (device_code: string) => {
  const { status, code, json } = await call("POST", "/login/token", { body: { device_code } });
  return code === "" ? json : `${status} ${code}`;
};
const decide = async (user: TestPerson, code: string, what = "confirm") => {
  const { status, json } = await user.post(`/command-line/${what}`, { code });
  return status < 400 ? status : `${status} ${json.error[0].code}`;
};
const me = async (token: string) => {
  const { status, code, json } = await call("GET", "/me", {}, token);
  return code === "" ? json.email : `${status} ${code}`;
};

test("the command gets a token once the user has confirmed its code, and only once", async () => {
  const ana = service.enter("admin");
  const { device_code, code, url } = await ask("ana-laptop");
  expect(code).toMatch(/^[B-DF-HJ-NP-TV-XZ]{4}-[B-DF-HJ-NP-TV-XZ]{4}$/);
  expect(url).toBe(`${service.baseUrl.replace("127.0.0.1", "localhost")}/console/command-line`);
  expect(await redeem(device_code)).toEqual({ status: "waiting" });

  const looked = await ana.post("/command-line/look", {
    code: code.toLowerCase().replace("-", ""),
  });
  expect(looked.json).toMatchObject({ client: "ana-laptop", ip: "127.0.0.1" });
  expect(await decide(ana, code)).toBe(204);
  expect(await decide(service.enter("admin"), code)).toBe("404 CONS218");

  const signedIn = await redeem(device_code);
  expect(signedIn).toMatchObject({ status: "signed-in", email: ana.person.email });
  expect(await redeem(device_code)).toBe("410 OPER108");
  expect(await me(signedIn.token)).toBe(ana.person.email);

  const sessions = (await ana.get("/sessions")).json.rows;
  expect(sessions.map((row: { user_agent: string }) => row.user_agent)).toContain(
    "disburse on ana-laptop",
  );
  const { json } = await ana.get(`/audit?who=${ana.who}`);
  expect(json.rows.map(({ action }: { action: string }) => action)).toEqual([
    "session.start",
    "login.confirm",
  ]);
});

test("what is declined, expired or made up gives nothing", async () => {
  const ana = service.enter("admin");
  const declined = await ask();
  expect(await decide(ana, declined.code, "decline")).toBe(204);
  expect(await redeem(declined.device_code)).toBe("410 OPER108");
  expect(await decide(ana, declined.code)).toBe("404 CONS218");

  const late = await ask();
  nowMs += 10 * 60_000;
  expect(await redeem(late.device_code)).toBe("410 OPER108");
  await ana.ready;
  expect(await redeem("x".repeat(43))).toBe("410 OPER108");
  // The code itself is worth nothing to the one who asks.
  const other = await ask();
  expect(await redeem(other.code)).toBe("410 OPER108");
});

test("five wrong codes, and the user has to wait; another user does not", async () => {
  const [guessing, ana] = [service.enter("admin"), service.enter("admin")];
  const { code } = await ask();
  for (let tries = 0; tries < 5; tries++) {
    expect(await decide(guessing, "BBBB-BBBB")).toBe("404 CONS218");
  }
  expect(await decide(guessing, code)).toBe("429 CONS202");
  expect(await decide(ana, code)).toBe(204);
});

test("a confirmation takes a recent re-authentication, and the console's own page", async () => {
  const late = service.enter("admin", { provenAtMs: nowMs - 6 * 60_000 });
  const { code } = await ask();
  expect(await decide(late, code)).toBe("403 CONS103");
  const { token } = await signInCommand(service.baseUrl, service.enter("admin"));
  const byCommand = await call("POST", "/command-line/confirm", { body: { code } }, token);
  expect(byCommand.status).toBe(404);
});

test.each([
  "Ana's laptop - press Confirm to keep your account",
  "<b>support</b>",
  "x".repeat(61),
  "",
])("a client that is called %j is refused", async (client) => {
  const { status, json } = await call("POST", "/login", { body: { client } });
  expect([status, json.error[0].field]).toEqual([400, "client"]);
});

test("a login ends with its user, by logout, at the list of sessions, and after 12 hours", async () => {
  const [ana, ben] = [service.enter("admin"), service.enter("operator")];
  const signIn = async (user: TestPerson) =>
    (await signInCommand(service.baseUrl, user)).token as string;
  const [first, second, ofBen] = [await signIn(ana), await signIn(ana), await signIn(ben)];
  expect((await call("POST", "/logout", { body: {} }, first)).status).toBe(204);
  expect(await me(first)).toBe("401 OPER101");

  const rows = (await ana.get("/sessions")).json.rows;
  const { id } = rows.find((row: { user_agent: string }) => row.user_agent.startsWith("disburse"));
  await ana.delete(`/sessions/${id}`);
  expect(await me(second)).toBe("401 OPER101");

  expect(await me(ofBen)).toBe(ben.person.email);
  await ana.patch(`/users/${ben.person.id}`, { role: "auditor" });
  expect(await me(ofBen)).toBe("401 OPER101");

  const lasting = await signIn(ana);
  // A command line is not idle like a browser.
  nowMs += 11 * 3_600_000;
  expect(await me(lasting)).toBe(ana.person.email);
  nowMs += 3_600_000;
  expect(await me(lasting)).toBe("401 OPER101");
});

test("a cookie is no login token, and a login token no cookie", async () => {
  const ana = service.enter("admin");
  const { token } = await signInCommand(service.baseUrl, ana);
  const headers = { cookie: `disburse-session=${token}`, "sec-fetch-site": "same-origin" };
  const response = await fetch(`${service.baseUrl}/console/api/me`, { headers });
  expect((await response.json()).error[0].code).toBe("CONS101");
});

test("no more than a thousand sign-ins wait at a time", async () => {
  await service.db.pool.query(
    `insert into login_request (id, device_hash, code_hash, client, ip_address, created_at, expires_at)
     select gen_random_uuid(), sha256(('d' || n)::bytea), sha256(('c' || n)::bytea), 'x', '', $1, $1::timestamptz + interval '1 minute'
     from generate_series(1, 1000) n`,
    [new Date(nowMs)],
  );
  const { status, code } = await call("POST", "/login", { body: { client: "x" } });
  expect([status, code]).toEqual([503, "OPER109"]);
  nowMs += 60_001;
  expect((await ask()).code).toMatch(/-/);
});
