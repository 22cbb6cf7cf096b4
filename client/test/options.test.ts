// The settings of a client: options first, then the environment, otherwise an error.

import { afterAll, expect, test, vi } from "vitest";
import { Disburse } from "../src/index.ts";
import { subaccount } from "./samples.ts";
import { apiKey, apiSecret, startServer, stopServers, succeed } from "./scripted-server.ts";

afterAll(stopServers);

const baseUrl = "https://payouts.example";

test("settings that are not passed are read from the environment", async () => {
  const server = await startServer([succeed(subaccount)]);
  vi.stubEnv("DISBURSE_API_KEY", apiKey);
  vi.stubEnv("DISBURSE_API_SECRET", apiSecret);
  vi.stubEnv("DISBURSE_BASE_URL", server.baseUrl);
  try {
    expect(await new Disburse().subaccount.get()).toEqual(subaccount);
  } finally {
    vi.unstubAllEnvs();
  }
});

test("the error for a missing setting names its environment variable", () => {
  expect(() => new Disburse({ apiSecret, baseUrl })).toThrow("DISBURSE_API_KEY");
  expect(() => new Disburse({ apiKey, baseUrl })).toThrow("DISBURSE_API_SECRET");
  expect(() => new Disburse({ apiKey, apiSecret })).toThrow("DISBURSE_BASE_URL");
});

test.each([
  "payouts.example",
  "ftp://payouts.example",
  "https://user:password@payouts.example",
  "https://payouts.example/?a=b",
  "https://payouts.example/#a",
])("%s is refused as a base URL", (address) => {
  expect(() => new Disburse({ apiKey, apiSecret, baseUrl: address })).toThrow("baseUrl");
});

test.each(["ak_test_1\n", "ak test", "clé"])("%j is refused as a key", (key) => {
  expect(() => new Disburse({ apiKey: key, apiSecret, baseUrl })).toThrow("apiKey");
});

test.each([-1, 1.5, Number.NaN])("maxRetries of %d is refused", (maxRetries) => {
  expect(() => new Disburse({ apiKey, apiSecret, baseUrl, maxRetries })).toThrow("maxRetries");
});
