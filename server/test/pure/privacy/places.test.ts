// The table of places names every column of the database that can hold words of a person.

import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { places } from "../../../src/people/privacy/erased-column-queries.ts";
import { schemaFile } from "../../../src/platform/db/dump-schema.ts";

test("every column of text, JSON or bytes has a rule, and every rule has its column", () => {
  const schema = readFileSync(schemaFile, "utf8");
  const columns = [...schema.matchAll(/^create table (\w+) \(\n([\s\S]*?)^\)/gm)].flatMap(
    ([, table, body = ""]) =>
      [...body.matchAll(/^ {2}"?(\w+)"? (?:text|jsonb?|bytea|character varying)\b/gm)].map(
        ([, column]) => `${table}.${column}`,
      ),
  );
  expect(columns.length).toBeGreaterThan(400);
  const words = (text = "") => text.split(/\s+/).filter(Boolean);
  // Columns of other types are overwritten too.
  const otherTypes = ["kyc_needs_review", "receiver_accepted"];
  const ruled = Object.entries(places).flatMap(([table, place]) =>
    [
      ...[...words(place.deletes), ...words(place.apart), ...words(place.keeps)],
      ...Object.keys(place.overwrites ?? {}).filter((column) => !otherTypes.includes(column)),
    ].map((column) => `${table}.${column}`),
  );
  expect(new Set(ruled).size).toBe(ruled.length);
  expect(ruled.sort()).toEqual(columns.sort());
});
