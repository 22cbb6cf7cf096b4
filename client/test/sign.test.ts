// Signatures, compared with the vectors that all implementations share.

import { expect, test } from "vitest";
import { signV1, signV2, stringToSignV2 } from "../src/index.ts";
import vectors from "./signature-vectors.json" with { type: "json" };

const { v1, v2 } = vectors.signatures;

test.each(v1)("the version 1 signature of $api_key at $ms is the published one", async (vector) => {
  const signature = await signV1({
    apiKey: vector.api_key,
    apiSecret: vector.secret,
    ms: Number(vector.ms),
  });
  expect(signature).toBe(vector.signature);
});

test.each(v2)("the version 2 signature of $method $path is the published one", async (vector) => {
  const { method, path, body, nonce } = vector;
  const credentials = { apiKey: vector.api_key, apiSecret: vector.secret };
  const input = { ...credentials, ms: Number(vector.ms), nonce, method, path };

  expect(await signV2({ ...input, body })).toBe(vector.signature);
  expect(await signV2({ ...input, body: Buffer.from(body) })).toBe(vector.signature);
});

test("a request without a body is signed as one with an empty body", async () => {
  const input = { apiKey: "k", ms: 1, nonce: "n", method: "GET", path: "/" };
  expect(await stringToSignV2(input)).toBe(await stringToSignV2({ ...input, body: "" }));
});

test("the string to sign has seven lines and no line break at its end", async () => {
  const input = { apiKey: "key", ms: 1712042205773, nonce: "nonce", method: "get", path: "/a?b=1" };
  expect(await stringToSignV2(input)).toBe(
    "v2\n1712042205773\nnonce\nkey\nGET\n/a?b=1\n" +
      "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
  );
});

test("time and nonce are generated if they are not given, and each nonce is new", async () => {
  const input = { apiKey: "key", apiSecret: "secret", method: "GET", path: "/" };
  const [one, other] = await Promise.all([signV2(input), signV2(input)]);
  expect(one).toMatch(/^v2\.\d{13}\.[0-9a-f]{32}\.[0-9a-f]{64}$/);
  expect(one.split(".")[2]).not.toBe(other.split(".")[2]);
  expect(await signV1(input)).toMatch(/^\d{13}\.[0-9a-f]{64}$/);
});
