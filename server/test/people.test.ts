// Who uses the console: the set-up link, log-in by password, and what ends a session.

import { afterAll, beforeAll, expect, test } from "vitest";
import { newSetUpToken } from "../src/people/invitation.ts";
import { type ConsoleService, callConsole, startConsole } from "./console.ts";
import type { Answer } from "./service.ts";

let service: ConsoleService;
beforeAll(async () => {
  service = await startConsole();
});
afterAll(() => service.close());

const ada = { name: "Ada Admin", email: "ada@example.com", password: "correct horse battery" };

const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  callConsole(service.baseUrl, headers, "POST", path, body);
const me = (cookie: string) => callConsole(service.baseUrl, { cookie }, "GET", "/me");
const logIn = (email: string, password: string) => post("/auth/sign-in/email", { email, password });
const codeOf = ({ status, json }: Answer) => [status, json?.error?.[0]?.code];

/** Of the cookie that an answer sets, what a browser would send back. */
function cookieOf({ headers }: Answer): string {
  return headers.getSetCookie()[0]?.split(";")[0] ?? "";
}

test("the set-up link makes one admin, however many follow it at once, and logs in", async () => {
  const token = (await newSetUpToken(service.db)) ?? "";
  expect((await post("/set-up/look", { token })).json).toEqual({
    email: "",
    name: "",
    role: "admin",
  });
  const weak = await post("/set-up", { ...ada, token, password: "ada@example.com1" });
  expect([codeOf(weak), weak.json.error[0].field]).toEqual([[400, "CONS204"], "password"]);

  const tries = [1, 2, 3].map((n) =>
    post("/set-up", { ...ada, email: `ada${n}@example.com`, token }),
  );
  const answers = await Promise.all(tries);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404]);

  const won = answers.find(({ status }) => status === 200) as Answer;
  expect((await me(cookieOf(won))).json).toMatchObject({ name: "Ada Admin", role: "admin" });
  expect(codeOf(await post("/set-up/look", { token }))).toEqual([404, "CONS203"]);
  expect(await newSetUpToken(service.db)).toBeUndefined();
});

test("log-in by password gives a cookie of its own, which log-out ends", async () => {
  const { email } = (await service.db.pool.query("select email from person")).rows[0];
  expect(codeOf(await logIn(email, "not the password"))).toEqual([401, "CONS201"]);
  expect(codeOf(await logIn("nobody@example.com", ada.password))).toEqual([401, "CONS201"]);

  const answer = await logIn(email.toUpperCase(), ada.password);
  expect(answer.json).toEqual({ logged_in: true });
  const [cookie] = answer.headers.getSetCookie();
  expect(cookie).toMatch(
    /^disburse-session=.*; Max-Age=43200; Path=\/; HttpOnly; SameSite=Strict$/,
  );
  expect((await me(cookieOf(answer))).status).toBe(200);

  const out = await post("/auth/sign-out", {}, { cookie: cookieOf(answer) });
  expect(out.status).toBe(204);
  expect(codeOf(await me(cookieOf(answer)))).toEqual([401, "CONS101"]);
});
