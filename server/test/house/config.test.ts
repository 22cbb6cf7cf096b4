// Settings from the environment, with defaults that depend on where the service runs.

import { expect, test } from "vitest";
import { ConfigError, readConfig } from "../../src/config.ts";

const lax = { base: "loopback", networks: [] };
const strict = { base: "public", networks: [] };
const database = {
  DATABASE_URL: "postgres://u:p@localhost/d",
  DISBURSE_MASTER_KEY: Buffer.alloc(32).toString("base64"),
};

test.each([
  [{}, lax, 0],
  [{ HOST: "localhost" }, lax, 0],
  [{ HOST: "::1" }, lax, 0],
  [{ HOST: "0.0.0.0" }, strict, 100],
  [{ HOST: "::" }, strict, 100],
  [{ HOST: "10.0.0.1" }, strict, 100],
  [{ HOST: "pay.example.com" }, strict, 100],
  [{ NODE_ENV: "production", DISBURSE_EMBEDDED: "1" }, strict, 100],
  [database, strict, 100],
  [{ HOST: "0.0.0.0", POSTBACK_ADDRESSES: "loopback", RATE_LIMIT_PER_S: "0" }, lax, 0],
])("%j sets where events may go, and the rate limit", (environment, addresses, perSecond) => {
  const { postbackAddresses, rateLimit } = readConfig(environment);
  expect([postbackAddresses, rateLimit.perSecond]).toEqual([addresses, perSecond]);
});

test("private networks are listed beside public or loopback", () => {
  const { postbackAddresses } = readConfig({
    POSTBACK_ADDRESSES: "public, 10.1.0.0/16,fd12::/16",
  });
  expect(postbackAddresses.base).toBe("public");
  expect(postbackAddresses.networks.map(String)).toEqual(["10.1.0.0/16", "fd12::/16"]);
});

test.each(["10.1.0.0/16", "public,", "public,8.8.8.0/24", "public,127.0.0.0/8", "private", ","])(
  "POSTBACK_ADDRESSES=%s is refused",
  (POSTBACK_ADDRESSES) => {
    expect(() => readConfig({ POSTBACK_ADDRESSES })).toThrow(ConfigError);
  },
);
