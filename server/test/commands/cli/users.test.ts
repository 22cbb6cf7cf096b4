// Users from the command line: to invite the first admin, and to reset users who are locked out.

import { expect, onTestFinished, test } from "vitest";
import { newId } from "../../../src/platform/base/ids.ts";
import { Refusal } from "../../../src/platform/refusals/refusals.ts";
import { acceptInvitation, readInvitation } from "../../../src/tenants/users/invitation.ts";
import { inviteUser } from "../../../src/tenants/users/invite.ts";
import { me, operatorTest } from "../../support/cli-operator.ts";
import { closeAfterTests } from "../../support/close-after-tests.ts";

const operator = await closeAfterTests(operatorTest());

test("setup-link makes the link for the first admin, and is refused once there is an admin", async () => {
  const own = await operatorTest();
  const { db, json, run } = own;
  onTestFinished(() => own.close());
  for (const [DISBURSE_BASE_URL, address] of [
    ["http://127.0.0.1:8123", "http://localhost:8123"],
    ["http://127.0.0.1/", "http://localhost"],
    ["https://pay.example.com", "https://pay.example.com"],
  ] as const) {
    const { stdout } = await own.runWith({ DISBURSE_BASE_URL }, "users", "setup-link");
    expect(stdout).toMatch(new RegExp(`^link +${address}/console/set-up#`, "m"));
    expect(stdout).toMatch(new RegExp(`^second_link +${address}/console/set-up#`, "m"));
  }
  const { link, second_link, works } = await json("users", "setup-link");
  expect(second_link).toMatch(/^http:\/\/localhost:4000\/console\/set-up#[\w-]{43}$/);
  expect(second_link).not.toBe(link);
  expect(link).toMatch(/^http:\/\/localhost:4000\/console\/set-up#[\w-]{43}$/);
  expect(works).toBe("once, for 24 hours");
  const token = link.split("#")[1] as string;
  const dayMs = 86_400_000;
  const readLink = (nowMs: number) => readInvitation(db, { token, nowMs });
  expect(await readLink(Date.now() + dayMs - 60_000)).toMatchObject({ role: "admin" });
  await expect(readLink(Date.now() + dayMs + 60_000)).rejects.toThrow(Refusal);
  // An invitation of an earlier version has no expiry.
  await db.pool.query("update invitation set expires_at = null");
  expect(await readLink(Date.now())).toMatchObject({ role: "admin" });
  await expect(readLink(Date.now() + dayMs + 60_000)).rejects.toThrow(Refusal);

  await json("users", "invite", "--email", "first@example.com", "--role", "admin");
  const late = await run("users", "setup-link");
  expect([late.code, late.stdout]).toEqual([1, ""]);
  expect(late.stderr).toContain("has an admin already");
});

test("invite, list, reset and disable are in the audit log, and the last admin can't be disabled", async () => {
  const { json, run, db, subaccountId } = operator;
  const invite = (...words: string[]) => json("users", "invite", ...words);
  const ada = await invite("--email", "Ada@example.com", "--role", "admin", "--name", "Ada");
  expect(ada.link).toMatch(/^http:\/\/localhost:4000\/console\/set-up#[\w-]{43}$/);
  await invite("--email", "dev@example.com", "--role", "developer", "--subaccount", subaccountId);

  const listed = await json("users", "list");
  expect(listed.map(({ email, role }: Record<string, string>) => [email, role])).toEqual([
    ["ada@example.com", "admin"],
    ["dev@example.com", "developer"],
  ]);
  const reset = await json("users", "reset", "ada@example.com");
  expect(reset.link).not.toBe(ada.link);
  expect(await json("users", "disable", "dev@example.com")).toMatchObject({ disabled: true });

  const last = await run("users", "disable", "ada@example.com");
  expect([last.code, last.stderr]).toEqual([1, expect.stringContaining("CONS207")]);
  const unknown = await run("users", "reset", "nobody@example.com");
  expect([unknown.code, unknown.stderr]).toEqual([
    4,
    expect.stringContaining("There is no user with"),
  ]);

  const { rows } = await db.pool.query("select who, action from audit_entry order by number");
  expect(rows.map(({ action }) => action)).toEqual([
    "person.invite",
    "person.invite",
    "person.reset",
    "person.change",
  ]);
  expect(new Set(rows.map(({ who }) => who))).toEqual(new Set([me]));
});

test("confirm confirms a user whom an admin let in, once their link was used", async () => {
  const own = await operatorTest();
  onTestFinished(() => own.close());
  const { db, seal, json, run } = own;
  const parts = { db, seal, clock: Date.now };
  const maker = {
    kind: "user",
    who: "operator:a@example.com",
    ip: "",
    requestId: newId(),
  } as const;
  const email = "new@example.com";
  const user = { email, name: "New", role: "operator" } as const;
  const { id, token } = await inviteUser.perform(parts, { actor: maker }, user);
  const early = await run("users", "confirm", email);
  expect([early.code, early.stderr]).toEqual([1, expect.stringContaining("CONS417")]);
  const chosen = { token, name: "New", email: "", password: "correct horse battery" };
  await acceptInvitation(parts, chosen, { ...maker, isBrowserOf: () => false });
  expect(await json("users", "confirm", "New@example.com")).toEqual({
    ...{ id, email: "New@example.com", confirmed: true },
  });
  const { rows } = await db.pool.query("select confirmed_by from user_vouch");
  expect(rows).toEqual([{ confirmed_by: me }]);
  const [entry] = await json("audit", "list", "--action", "person.confirm");
  expect(entry).toMatchObject({ who: me, objectId: id, after: { granted_by: [maker.who] } });
  const again = await run("users", "confirm", email);
  expect([again.code, again.stderr]).toEqual([1, expect.stringContaining("CONS414")]);
  const unknown = await run("users", "confirm", "nobody@example.com");
  expect([unknown.code, unknown.stderr]).toEqual([4, expect.stringContaining("There is no user")]);
});

test("end-sessions ends the sessions of all users, and is in the audit log", async () => {
  const own = await operatorTest();
  onTestFinished(() => own.close());
  const { db, json } = own;
  for (const email of ["one@example.com", "two@example.com"]) {
    const { id } = await json("users", "invite", "--email", email, "--role", "finance");
    await db.pool.query(
      `insert into user_session (id, user_id, token, expires_at, seen_at)
       values (gen_random_uuid(), $1, gen_random_uuid()::text, now() + interval '1 hour', now())`,
      [id],
    );
  }
  expect(await json("users", "end-sessions", "--by", "Ada")).toEqual({ sessions_ended: 2 });
  expect((await db.pool.query("select from user_session")).rowCount).toBe(0);
  const [entry] = await json("audit", "list", "--action", "session.end");
  expect(entry).toMatchObject({ objectKind: "installation", after: { sessions: 2 } });
});
