// Arrays are written as the driver writes them, and PostgreSQL reads every element as it was.

import { createRequire } from "node:module";
import { expect, test } from "vitest";
import { arrayLiteral } from "../../../src/platform/db/array-literal.ts";
import { statement } from "../../../src/platform/db/connect.ts";
import { service, useService } from "../../support/service-setup.ts";

const { prepareValue } = createRequire(import.meta.url)("pg/lib/utils.js");

await useService();

const texts = [
  "",
  "NULL",
  "null",
  "a,b",
  "{x}",
  ' "q" ',
  "back\\slash",
  '\\"',
  "ü’\u{1f600}\n\t",
  " ",
];

test("texts, nulls and bytes are written as the driver writes them", () => {
  const bytes = [Buffer.from([0, 255, 92]), Buffer.alloc(0)];
  for (const elements of [texts, [null, "a", undefined], bytes, []]) {
    expect(arrayLiteral(elements)).toBe(prepareValue(elements));
  }
});

test("what only the driver can write is left to it", () => {
  for (const elements of [[["a"]], [new Date(0)], [{ a: 1 }], [new Uint8Array(2)]]) {
    expect(arrayLiteral(elements)).toBeUndefined();
  }
});

test("PostgreSQL reads what was written", async () => {
  const read = statement<object>(
    "array-literal-test",
    `select $1::text[] as texts, $2::bytea[] as bytes, $3::float8[] as numbers, $4::bigint[] as bigs,
       $5::boolean[] as flags, $6::text[][] as nested`,
  );
  const bytes = [Buffer.from([0, 255, 92]), Buffer.alloc(0), null];
  const [row] = await service.db.run(read, [
    texts,
    bytes,
    [1.5, -0, 1e21, null],
    [9_007_199_254_740_993n, "-1"],
    [true, false, null],
    [["a"], ['"']],
  ]);
  expect(row).toEqual({
    texts,
    bytes,
    numbers: [1.5, 0, 1e21, null],
    bigs: ["9007199254740993", "-1"],
    flags: [true, false, null],
    nested: [["a"], ['"']],
  });
});
