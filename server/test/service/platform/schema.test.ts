// The schema dump in the repository equals the result of the migrations.

import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { dumpSchema, schemaFile } from "../../../src/platform/db/dump-schema.ts";
import { newDatabase } from "../../support/service.ts";

test("schema.sql equals the result of the migrations (npm run generate writes it)", async () => {
  const { db } = await newDatabase();
  const dumped = await dumpSchema(db).finally(() => db.close());
  expect(readFileSync(schemaFile, "utf8")).toBe(dumped);
});

test("schema.sql has every table once, and no partition", () => {
  const text = readFileSync(schemaFile, "utf8");
  const tables = [...text.matchAll(/^create table (\w+) \(/gm)].map(([, name]) => name as string);
  expect(tables.length).toBeGreaterThan(50);
  expect(new Set(tables).size).toBe(tables.length);
  expect(tables).toContain("webhook_endpoint");
  expect(tables.filter((name) => /_(default|\d{8})$/.test(name))).toEqual([]);
});
