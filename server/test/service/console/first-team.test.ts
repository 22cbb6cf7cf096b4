// The two set-up links of an installation: the second admin confirms the first, and each link works once.

import { afterEach, expect, onTestFinished, test } from "vitest";
import { conflictsOf } from "../../../src/tenants/four-eyes/four-eyes.ts";
import { newSetUpTokens } from "../../../src/tenants/users/invitation.ts";
import { callConsole, startConsole } from "../../support/console.ts";
import type { Answer } from "../../support/service.ts";

/** The service's clock is ahead by this much. */
let aheadMs = 0;
afterEach(() => {
  aheadMs = 0;
});

const password = "correct horse battery";
const ada = { name: "Ada", email: "ada@example.com", password };
const bob = { name: "Bob", email: "bob@example.com", password };
const codeOf = ({ status, json }: Answer) => [status, json?.error?.[0]?.code];

async function startWithLinks() {
  const service = await startConsole({ clock: () => Date.now() + aheadMs });
  onTestFinished(service.close);
  const tokens = await newSetUpTokens(service.db);
  if (!tokens) throw new Error("an installation without users has set-up links");
  const post = (path: string, body: object, cookie = "") =>
    callConsole(service.baseUrl, cookie ? { cookie } : {}, "POST", path, body);
  return { ...service, ...tokens, post };
}

test("a passkey instead of a password needs a link, and one that is made up leaves the link as it is", async () => {
  const { post, db, first } = await startWithLinks();
  const who = { name: ada.name, email: ada.email };
  const none = { ...who, token: "made-up" };
  expect(codeOf(await post("/set-up/passkey-options", none))).toEqual([404, "CONS203"]);
  const options = await post("/set-up/passkey-options", { ...who, token: first });
  expect(options).toMatchObject({ status: 200, json: { user: { name: ada.email } } });
  const cookie = options.headers.getSetCookie().map((one) => one.split(";")[0] ?? "");
  const response = { id: "x", rawId: "x", type: "public-key", response: {} };
  const use = () => post("/set-up/passkey", { ...who, token: first, response }, cookie.join("; "));
  // The second time its challenge is gone, too.
  expect([codeOf(await use()), codeOf(await use())]).toEqual([
    [401, "CONS206"],
    [401, "CONS206"],
  ]);
  const { rows } = await db.pool.query("select email from console_user");
  expect(rows).toEqual([]);
  expect((await post("/set-up", { ...ada, token: first })).status).toBe(200);
});

test("the second admin confirms the first, and then each can approve for the other", async () => {
  const { post, db, baseUrl, first, second } = await startWithLinks();
  // Either link makes the first admin.
  const joined = await post("/set-up", { ...ada, token: second });
  expect(joined.status).toBe(200);
  const look = await post("/set-up/look", { token: first });
  expect(look.json.first_admin).toEqual({
    name: "Ada",
    email: ada.email,
    at: expect.any(Number),
  });

  const use = (more: object, cookie?: string) =>
    post("/set-up", { ...bob, token: first, ...more }, cookie);
  const adasBrowser = joined.headers
    .getSetCookie()
    .map((cookie) => cookie.split(";")[0])
    .join("; ");
  expect(codeOf(await use({}))).toEqual([409, "CONS213"]);
  expect(codeOf(await use({ confirms: bob.email }))).toEqual([409, "CONS213"]);
  expect(codeOf(await use({ confirms: ada.email }, adasBrowser))).toEqual([403, "CONS214"]);
  expect(codeOf(await use({ confirms: ada.email, email: ada.email }))).toEqual([409, "CONS205"]);
  expect((await use({ confirms: ada.email })).status).toBe(200);
  expect(codeOf(await use({ confirms: ada.email }))).toEqual([404, "CONS203"]);

  const approving = { who: `operator:${bob.email}` };
  expect(await conflictsOf(db, [[`operator:${ada.email}`]], approving)).toEqual([undefined]);
  const { rows } = await db.pool.query(
    "select who, action from audit_entry where action like 'person.%' order by number",
  );
  expect(rows).toEqual([
    { who: `operator:${ada.email}`, action: "person.set-up" },
    { who: `operator:${bob.email}`, action: "person.set-up" },
    { who: `operator:${bob.email}`, action: "person.confirm" },
  ]);
  const users = await callConsole(baseUrl, { cookie: adasBrowser }, "GET", "/users");
  const confirmedBy = users.json.rows.map(
    (row: { email: string; set_up_confirmed_by: string | null; granted_by: string[] }) => [
      row.email,
      row.set_up_confirmed_by,
      row.granted_by,
    ],
  );
  expect(confirmedBy).toEqual([
    [ada.email, `operator:${bob.email}`, []],
    [bob.email, null, []],
  ]);
});

test("of two people who use the links at once, one is the first and the other has to confirm them", async () => {
  const { post, first, second, db } = await startWithLinks();
  const answers = await Promise.all([
    post("/set-up", { ...ada, token: first }),
    post("/set-up", { ...bob, token: second }),
  ]);
  expect(answers.map(codeOf).sort()).toEqual([
    [200, undefined],
    [409, "CONS213"],
  ]);
  const { rows } = await db.pool.query("select from console_user");
  expect(rows.length).toBe(1);
});

test("the second link works for a day, and only as long as the first admin is one", async () => {
  const { post, db, first, second } = await startWithLinks();
  expect((await post("/set-up", { ...ada, token: first })).status).toBe(200);
  const use = () => post("/set-up", { ...bob, token: second, confirms: ada.email });
  aheadMs = 24 * 3_600_000 + 60_000;
  expect(codeOf(await use())).toEqual([404, "CONS203"]);
  aheadMs = 0;
  await db.pool.query("update console_user set disabled_at = now()");
  expect(codeOf(await use())).toEqual([404, "CONS203"]);
  await db.pool.query("update console_user set disabled_at = null, role = 'operator'");
  // There is no admin at all, so the link makes the first one again.
  expect((await post("/set-up/look", { token: second })).json.first_admin).toBeNull();
  expect(await newSetUpTokens(db)).toBeDefined();
  expect(codeOf(await use())).toEqual([404, "CONS203"]);
});
