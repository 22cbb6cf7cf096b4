// Failures have the right class, with code, status, request id and every problem.

import { afterAll, expect, test } from "vitest";
import * as client from "../src/index.ts";
import { newReceiver } from "./samples.ts";
import {
  apiKey,
  apiSecret,
  fail,
  reset,
  type Step,
  say,
  startServer,
  stopServers,
  succeed,
} from "./scripted-server.ts";

afterAll(stopServers);

const { Disburse } = client;

async function failureOf(step: Step): Promise<client.DisburseError> {
  const { baseUrl } = await startServer([step]);
  const disburse = new Disburse({ apiKey, apiSecret, baseUrl, maxRetries: 0 });
  return disburse.receivers.get("receiver-1").catch((error) => error);
}

test.each([
  [400, "REVR101", client.NotFoundError],
  [400, "REAC101", client.NotFoundError],
  [400, "REAC104", client.NotFoundError],
  [400, "REAC211", client.NotFoundError],
  [400, "SUBA101", client.NotFoundError],
  [400, "PAYO101", client.NotFoundError],
  [400, "PAYO102", client.NotFoundError],
  [400, "PAYO205", client.NotFoundError],
  [400, "PAYO206", client.NotFoundError],
  [400, "REVR201", client.ConflictError],
  [400, "REVR214", client.ValidationError],
  [400, "REAC207", client.ValidationError],
  [400, "PAYO207", client.ValidationError],
  [400, "PAYO224", client.ValidationError],
  [400, "IDEM101", client.ValidationError],
  [413, "SYST413", client.ValidationError],
  [401, "AUTH105", client.AuthenticationError],
  [403, "AUTH110", client.PermissionError],
  [403, "AUTH111", client.PermissionError],
  [409, "REVR301", client.ConflictError],
  [409, "REVR302", client.ConflictError],
  [409, "REAC301", client.ConflictError],
  [409, "REAC302", client.ConflictError],
  [409, "PAYO226", client.ConflictError],
  [409, "PAYO227", client.ConflictError],
  [409, "PAYO301", client.ConflictError],
  [409, "PAYO302", client.ConflictError],
  [409, "IDEM103", client.ConflictError],
  [422, "IDEM102", client.ConflictError],
  [429, "RATE101", client.RateLimitError],
  [500, "SYST500", client.ServerError],
  [503, "SYST503", client.ServerError],
  [404, "SYST404", client.DisburseError],
])("%i %s has its own class", async (status, code, ErrorClass) => {
  const failure = await failureOf(fail(status, code));
  expect(failure.constructor).toBe(ErrorClass);
  expect(failure).toBeInstanceOf(client.DisburseError);
  expect(failure).toBeInstanceOf(Error);
  expect(failure).toMatchObject({ status, code, requestId: "req-1", name: ErrorClass.name });
  expect(failure.message).toBe(`it failed: a reason (${code})`);
  expect(failure.stack).toMatch(new RegExp(`^${ErrorClass.name}: it failed`));
});

test("an error has every problem that the server found, with its field", async () => {
  const errors = ["email", "phone", "dob", "city"].map((field, index) => {
    return { code: `REVR21${index}`, message: `${field} is not valid`, field };
  });
  const step = say(400, JSON.stringify({ message: "creation failed", error: errors }));
  const { baseUrl } = await startServer([step]);
  const disburse = new Disburse({ apiKey, apiSecret, baseUrl });
  const failure = await disburse.receivers.create(newReceiver).catch((error) => error);
  expect(failure).toMatchObject({ code: "REVR210", errors });
  expect(failure.message).toContain("creation failed: email is not valid (REVR210), ");
  expect(failure.message).toContain("and 1 more");
});

test.each([
  ["a page of HTML", 502, "<html>Bad gateway</html>", client.ServerError],
  ["nothing at all", 503, "", client.ServerError],
  ["JSON of another shape", 500, `{"error":"no"}`, client.ServerError],
  ["entries without a code", 500, `{"error":[null,{"message":"x"}]}`, client.ServerError],
  ["JSON null", 504, "null", client.ServerError],
  ["HTML for a bad request", 400, "<html></html>", client.DisburseError],
  ["HTML for a forbidden address", 403, "<html></html>", client.PermissionError],
  ["HTML for too many requests", 429, "<html></html>", client.RateLimitError],
])("%s from a proxy is an error with its status", async (_, status, body, ErrorClass) => {
  const failure = await failureOf(say(status, body));
  expect(failure.constructor).toBe(ErrorClass);
  expect(failure).toMatchObject({ status, code: `HTTP_${status}`, errors: [], requestId: null });
});

test.each(["<html>Please log in</html>", "", "[]", "null", `{"message":"hello"}`])(
  "200 with %j instead of the envelope is an error, not a crash",
  async (body) => {
    const failure = await failureOf(say(200, body));
    expect(failure.constructor).toBe(client.DisburseError);
    expect(failure).toMatchObject({ status: 200, code: "UNREADABLE_RESPONSE" });
  },
);

test("a broken connection is a ConnectionError, with the runtime's error as its cause", async () => {
  const failure = await failureOf(reset);
  expect(failure).toBeInstanceOf(client.ConnectionError);
  expect(failure).toMatchObject({ code: "CONNECTION_FAILED", status: null });
  expect(failure.cause).toBeInstanceOf(Error);
});

test("the error for an unreachable server names its address", async () => {
  const disburse = new Disburse({ apiKey, apiSecret, baseUrl: "http://127.0.0.1:1/x" });
  const failure = await disburse.subaccount.get({ maxRetries: 0 }).catch((error) => error);
  expect(failure).toBeInstanceOf(client.ConnectionError);
  expect(failure.message).toContain("no answer from http://127.0.0.1:1");
});

test.each([301, 302, 303, 307, 308])("a redirect (%i) is not followed", async (status) => {
  const target = await startServer([succeed({})]);
  const location = `${target.baseUrl}/api/receiver/receiver-1?token=private`;
  const { baseUrl, requests } = await startServer([say(status, "", { location })]);
  const call = new Disburse({ apiKey, apiSecret, baseUrl }).receivers.get("receiver-1");
  const failure = await call.catch((error) => error);
  expect(failure).toMatchObject({ code: "REDIRECTED", status });
  expect(failure.message).toContain(target.baseUrl);
  expect(failure.message).not.toContain("private");
  expect(requests).toHaveLength(1);
  expect(target.requests).toHaveLength(0);
});
