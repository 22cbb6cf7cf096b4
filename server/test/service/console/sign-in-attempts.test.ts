// Guessing a password is slow, and a stranger who guesses can't keep a user out.

import { afterAll, beforeAll, expect, test } from "vitest";
import { newSetUpTokens } from "../../../src/tenants/users/invitation.ts";
import { type ConsoleService, callConsole, startConsole } from "../../support/console.ts";
import type { Answer } from "../../support/service.ts";

const email = "ada@example.com";
const password = "correct horse battery";
const home = "203.0.113.1";

let service: ConsoleService;
/** The cookies of the browser that the user signed in with. */
let cookie: string;
beforeAll(async () => {
  service = await startConsole({ trustProxy: ["127.0.0.1"] });
  const token = (await newSetUpTokens(service.db))?.first;
  const first = await post(home, "/set-up", { name: "Ada", email, password, token });
  expect(first.status).toBe(200);
  cookie = cookiesOf(first);
});
afterAll(() => service.close());

function post(ip: string, path: string, body: object, cookie = ""): Promise<Answer> {
  const headers = { "x-forwarded-for": ip, ...(cookie && { cookie }) };
  return callConsole(service.baseUrl, headers, "POST", path, body);
}

function cookiesOf({ headers }: Answer): string {
  return headers
    .getSetCookie()
    .map((one) => one.split(";")[0])
    .join("; ");
}

async function signIn(ip: string, secret: string, cookie = ""): Promise<unknown[]> {
  const answer = await post(ip, "/auth/sign-in/email", { email, password: secret }, cookie);
  return [answer.status, answer.json?.error?.[0]?.code];
}

const guess = (ip: string, cookie = "") => signIn(ip, "not the password", cookie);
const guesses = (count: number, ip: string, cookie = "") =>
  Promise.all(Array.from({ length: count }, () => guess(ip, cookie)));
const locked = [429, "CONS202"];
const knownCookie = () => cookie.split("; ").filter((pair) => pair.includes("-known-"));

test("wrong guesses lock unknown browsers of a network, but no known browser and no live session", async () => {
  await service.db.pool.query("delete from login_failure");
  const told = await guesses(11, home);
  expect(told.filter(([status]) => status === 401)).toHaveLength(10);
  expect(await signIn(home, password)).toEqual(locked);

  expect(await signIn(home, password, knownCookie().join("; "))).toEqual([200, undefined]);
  const session = await post(home, "/auth/sign-in/email", { email, password }, cookie);
  const inside = cookiesOf(session);
  expect((await post(home, "/step-up", { password }, inside)).status).toBe(204);
  // From another network the user can sign in with an unknown browser.
  expect(await signIn("198.51.100.7", password)).toEqual([200, undefined]);
});

test("a browser is known only by a cookie that the service signed for this user", async () => {
  await service.db.pool.query("delete from login_failure");
  await guesses(11, home);
  const [known = ""] = knownCookie();
  const [name, value = ""] = known.split("=");
  const forged = `${name}=${encodeURIComponent(decodeURIComponent(value).replace(/^./, "z"))}`;
  expect(await signIn(home, password, forged)).toEqual(locked);
  const other = { email: "other@example.com", password: "not the password" };
  const renamed = known.replace(/known-.{8}/, "known-00000000");
  const answer = await post(home, "/auth/sign-in/email", other, `${known}; ${renamed}`);
  expect(answer.status).toBe(401);
  const { rows } = await service.db.pool.query("select count(*)::int from login_failure");
  // The rows of both users and of the network: nothing was counted for a known browser.
  expect(rows).toEqual([{ count: 5 }]);
});

test("guesses are also limited in a known browser, in a session, and from many networks", async () => {
  await service.db.pool.query("delete from login_failure");
  const known = knownCookie().join("; ");
  await guesses(10, home, known);
  expect(await signIn(home, password, known)).toEqual(locked);

  const session = cookiesOf(await post(home, "/auth/sign-in/email", { email, password }));
  const wrong = () => post(home, "/step-up", { password: "wrong" }, session);
  await Promise.all(Array.from({ length: 10 }, wrong));
  expect((await post(home, "/step-up", { password }, session)).status).toBe(429);

  await service.db.pool.query("delete from login_failure");
  await guess("198.51.100.8");
  await service.db.pool.query("update login_failure set failures = 100");
  expect(await signIn("198.51.100.9", password)).toEqual(locked);
});
