// The API secret is in no error, dump or request.

import { inspect } from "node:util";
import { afterAll, expect, test } from "vitest";
import { Disburse } from "../src/index.ts";
import { subaccount } from "./samples.ts";
import {
  apiKey,
  apiSecret,
  fail,
  hang,
  reset,
  say,
  startServer,
  stopServers,
  succeed,
} from "./scripted-server.ts";

afterAll(stopServers);

function everythingAbout(value: unknown): string {
  return [
    inspect(value, { depth: 20, showHidden: true, getters: true }),
    JSON.stringify(value),
    String(value),
    value instanceof Error ? value.stack : "",
  ].join("\n");
}

test("a client does not show its secret", () => {
  const disburse = new Disburse({ apiKey, apiSecret, baseUrl: "http://localhost" });
  for (const value of [disburse, disburse.receivers, disburse.receivers.list()]) {
    expect(everythingAbout(value)).not.toContain(apiSecret);
  }
});

test.each([
  ["a refused signature", fail(401, "AUTH105")],
  ["a proxy's page", say(502, "<html></html>")],
  ["a redirect", say(302, "", { location: "https://example.com/" })],
  ["a broken connection", reset],
  ["a time limit", hang],
])("an error after %s does not show the secret", async (_, step) => {
  const { baseUrl } = await startServer([step]);
  const options = { apiKey, apiSecret, baseUrl, maxRetries: 0, timeoutMs: 200 };
  const failure = await new Disburse(options).subaccount.get().catch((error) => error);
  expect(failure).toBeInstanceOf(Error);
  expect(everythingAbout(failure)).not.toContain(apiSecret);
});

test("an error in JSON has the fields that a log needs, and not its cause", async () => {
  const { baseUrl } = await startServer([reset]);
  const disburse = new Disburse({ apiKey, apiSecret, baseUrl, maxRetries: 0 });
  const failure = await disburse.subaccount.get().catch((error) => error);
  expect(JSON.parse(JSON.stringify(failure))).toEqual({
    name: "ConnectionError",
    message: failure.message,
    code: "CONNECTION_FAILED",
    status: null,
    requestId: null,
    errors: [],
    retryAfterMs: null,
  });
});

test("a request has the key, and not the secret", async () => {
  const { baseUrl, requests } = await startServer([succeed(subaccount)]);
  await new Disburse({ apiKey, apiSecret, baseUrl }).subaccount.get();
  expect(requests[0]?.headers["x-api-key"]).toBe(apiKey);
  expect(JSON.stringify(requests)).not.toContain(apiSecret);
});

test("a secret in place of the key is refused, and the error does not repeat it", () => {
  const swapped = () => new Disburse({ apiKey: apiSecret, apiSecret: apiKey, baseUrl: "http://a" });
  expect(swapped).toThrow("swapped");
  expect(swapped).not.toThrow(apiSecret);
});
