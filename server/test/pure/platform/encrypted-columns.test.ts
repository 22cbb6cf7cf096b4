// The list of encrypted columns is complete: whatever the schema stores as bytes is in it, or is listed here as not encrypted.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { encryptedColumns } from "../../../src/doors/rotation/encrypted-columns.ts";

const schema = readFileSync(
  join(import.meta.dirname, "..", "..", "..", "src", "platform", "db", "schema.sql"),
  "utf8",
);

type Table = { name: string; body: string };
const tables: Table[] = [...schema.matchAll(/^create table (\w+) \(([\s\S]*?)\n\);/gm)].map(
  ([, name = "", body = ""]) => ({ name, body }),
);

const notEncrypted: Record<string, string> = {
  "bank_batch_encrypted_chunk.bytes": "encrypted for the bank, with the bank's public key",
  "bank_closing.csv": "a report that its readers may see",
  "bank_closing.pdf": "a report that its readers may see",
  "invitation.token_hash": "a hash",
  "login_request.code_hash": "a hash",
  "login_request.device_hash": "a hash",
  "metadata_entry.hash": "a hash",
  "operator_token.secret_hash": "a hash",
  "receipt_logo.bytes": "a logo that every payee sees",
};

const namesOf = () => encryptedColumns.map(({ table, column }) => `${table}.${column}`);

test("every column of bytes is encrypted and listed, or has a reason not to be", () => {
  const bytes = tables.flatMap(({ name, body }) =>
    [...body.matchAll(/^ {2}(\w+) bytea\b/gm)].map(([, column]) => `${name}.${column}`),
  );
  // A text column that holds encrypted values is named like this one.
  const named = tables.flatMap(({ name, body }) =>
    [...body.matchAll(/^ {2}(\w*sealed) /gm)].map(([, column]) => `${name}.${column}`),
  );
  const all = [...new Set([...bytes, ...named])];
  expect(all.length).toBeGreaterThan(10);
  expect(all.filter((name) => !namesOf().includes(name) && !(name in notEncrypted))).toEqual([]);
});

test("the list names columns and primary keys of the schema, each column once", () => {
  expect(new Set(namesOf()).size).toBe(encryptedColumns.length);
  for (const { table, column, key } of encryptedColumns) {
    const body = tables.find(({ name }) => name === table)?.body ?? "";
    expect(body, table).toMatch(new RegExp(`^ {2}${column} `, "m"));
    const primary = /PRIMARY KEY \(([^)]+)\)/.exec(body)?.[1];
    expect(key.map(([name]) => name).join(", "), table).toBe(primary);
    for (const [name, type] of key) expect(body).toMatch(new RegExp(`^ {2}${name} ${type}`, "m"));
  }
});
