// Settings from the environment, with defaults that depend on where the service runs.

import { availableParallelism } from "node:os";
import { expect, test } from "vitest";
import { ConfigError, readConfig } from "../../../src/platform/config/config.ts";
import { readDatabaseUrl } from "../../../src/platform/settings/database-url.ts";

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

const cell = { ...database, CELL: "b", MERCHANT_ID: "0190F3A2-7b3c-7d1e-8f00-000000000013" };

test("a cell has a name and a merchant id; without settings the database says both", () => {
  const merchantId = "0190f3a2-7b3c-7d1e-8f00-000000000013";
  expect(readConfig(cell).installation).toEqual({ cell: "b", merchantId });
  expect(readConfig({}).installation).toEqual({ cell: "", merchantId: "" });
});

test.each([
  [{ CELL: "B" }, "CELL must have 1 to 8 characters, each a-z or 0-9"],
  [{ CELL: "ninechars" }, "CELL must have 1 to 8 characters, each a-z or 0-9"],
  [{ MERCHANT_ID: "acme" }, "MERCHANT_ID must be a UUID"],
  [{ MERCHANT_ID: "" }, "MERCHANT_ID must be set when CELL is: all cells have one"],
  [
    { DATABASE_URL: "", DISBURSE_MASTER_KEY: "" },
    "DISBURSE_MASTER_KEY must be set when CELL is: all cells have one",
  ],
])("a cell with %j is refused: %s", (changes, problem) => {
  const refused = expect.objectContaining({ problems: [problem] });
  expect(() => readConfig({ ...cell, ...changes })).toThrow(refused);
});

test.each([
  "postgres://u:p@a:5432,b:5433,c/d",
  "postgresql://u:p,w@[::1]:5432,b/d?sslmode=verify-full",
  "postgres://u@localhost/d?host=%2Ftmp",
])("DATABASE_URL=%s is accepted", (DATABASE_URL) => {
  const config = readConfig({ ...database, DATABASE_URL });
  expect(config.database).toEqual({ url: DATABASE_URL, directUrl: "" });
});

test.each(["mysql://u:p@a/d", "postgres://u:p@a,/d", "postgres://u:p@a:x/d", "a,b"])(
  "DATABASE_URL=%s is refused",
  (DATABASE_URL) => {
    expect(() => readConfig({ ...database, DATABASE_URL })).toThrow(ConfigError);
  },
);

test("the servers of DATABASE_URL, and options apart", () => {
  const text = "postgres://u:p,w@a:1,[::1]:2/d?options=-c%20x%3D1&sslmode=verify-full";
  expect(readDatabaseUrl(text)).toEqual({
    servers: [
      "postgres://u:p,w@a:1/d?sslmode=verify-full",
      "postgres://u:p,w@[::1]:2/d?sslmode=verify-full",
    ],
    options: "-c x=1",
  });
});

test("DATABASE_DIRECT_URL needs DATABASE_URL", () => {
  expect(() => readConfig({ DATABASE_DIRECT_URL: "postgres://u@a/d" })).toThrow(
    "DATABASE_DIRECT_URL is set without DATABASE_URL",
  );
});

test.each([
  [{}, 1, 16],
  [{ PROCESSES: "1" }, 1, 16],
  [{ PROCESSES: "2" }, 2, 16],
  [{ PROCESSES: "8" }, 8, 64],
  [{ PROCESSES: "12" }, 12, 64],
  [{ PROCESSES: "32" }, 32, 128],
  [{ PROCESSES: "4", DATABASE_POOL_MAX: "40" }, 4, 40],
])(
  "%j sets the number of processes, and their database connections",
  (environment, processes, poolMax) => {
    expect(readConfig(environment)).toMatchObject({ processes, poolMax });
  },
);

test("PROCESSES=auto is one for each core", () => {
  expect(readConfig({ PROCESSES: "auto" }).processes).toBe(Math.min(availableParallelism(), 64));
});

test.each([
  { PROCESSES: "0" },
  { PROCESSES: "65" },
  { PROCESSES: "two" },
  { PROCESSES: "4", DATABASE_POOL_MAX: "15" },
])("%j is refused", (environment) => {
  expect(() => readConfig(environment)).toThrow(ConfigError);
});
