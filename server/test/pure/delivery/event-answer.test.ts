// The stored start of a response: text, without secrets.

import { expect, test } from "vitest";
import { keepAnswer } from "../../../src/webhooks/http-client/answer.ts";

const kept = (text: string) => keepAnswer(Buffer.from(text));
const signature = "K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=";

test.each([
  ["secret whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD", "secret whsec_…"],
  ['{"key":"sk_live_4eC39HqLyjWDarjtT1zdp7dc"}', '{"key":"sk_live_…"}'],
  ["sk_test_a-b_c, ak_test_public", "sk_test_…, ak_test_…"],
  [`webhook-signature: v1,${signature} v1,${signature}`, "webhook-signature: v1,… v1,…"],
  [`{"signature":"v1,${signature.replaceAll("/", "\\/")}"}`, '{"signature":"v1,…"}'],
  [encodeURIComponent(`v1,${signature}`), "v1,…"],
  ["Authorization: Bearer eyJhbGciOi.eyJzdWIi.c2ln", "Authorization: Bearer …"],
  ['{"authorization":"Basic dXNlcjpwYXNz"}', '{"authorization":"Basic …"}'],
  ["authorization: token-without-a-scheme next", "authorization: … next"],
  ["account 12345678 at 062000", "account …78 at …00"],
  ["12345 is short, v1 is a version", "12345 is short, v1 is a version"],
  ["plain text, äöü 日本語 🙂", "plain text, äöü 日本語 🙂"],
])("%s", (sent, shown) => {
  expect(kept(sent)).toBe(shown);
});

test("binary data becomes text that the database accepts", () => {
  expect(keepAnswer(Buffer.from([0x61, 0, 0xff, 0xc3, 0x28, 0x1b, 0x5b, 0x62]))).toBe("a���(�[b");
  expect(kept("line\r\n\tline")).toBe("line\r\n\tline");
});

test("four kibibytes are kept, and no character is cut in two", () => {
  expect(kept("a".repeat(10_000))).toBe("a".repeat(4_096));
  expect(Buffer.byteLength(kept("日".repeat(10_000)))).toBeLessThanOrEqual(4_096);
  expect(Buffer.byteLength(keepAnswer(Buffer.alloc(4_096, 0xff)))).toBe(4_095);
});

test("a secret that is cut off at the end is redacted", () => {
  const end = `whsec_${"A".repeat(40)}`;
  expect(kept(`${"a".repeat(4_080)}${end}`)).toBe(`${"a".repeat(4_080)}whsec_…`);
});

test("no response makes the redaction slow", () => {
  for (const text of [
    "authorization ".repeat(300),
    "v1,".repeat(1_400),
    "1".repeat(4_096),
    "bearer\t".repeat(600),
  ]) {
    // Processor time of this process does not depend on other work on the machine.
    const before = process.cpuUsage();
    for (let times = 0; times < 20; times += 1) kept(text);
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1_000 / 20).toBeLessThan(50);
  }
});
