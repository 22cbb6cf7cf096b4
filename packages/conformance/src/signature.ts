// How a request proves its caller. The published document leaves the computation open: version 1 is what existing callers
// send, version 2 is ours.

import { createHash, createHmac, randomUUID } from "node:crypto";

export type Credentials = { key: string; secret: string };
type Signed = { method: string; path: string; body: string };

/** The headers of a proof. */
export type Signer = (by: Credentials, request: Signed) => Record<string, string>;

const hmac = (secret: string, text: string) =>
  createHmac("sha256", secret).update(text).digest("hex");

export const version1: Signer = (by, request) => version1At(0)(by, request);

export const version1At =
  (offsetMs: number): Signer =>
  ({ key, secret }) => {
    const ms = Date.now() + offsetMs;
    return { "x-api-key": key, signature: `${ms}.${hmac(secret, `${ms}.${key}`)}` };
  };

/** `changed`: what is signed instead of what is sent. */
export const version2 =
  (changed: Partial<Signed> = {}, nonce: string = randomUUID()): Signer =>
  ({ key, secret }, request) => {
    const { method, path, body } = { ...request, ...changed };
    const ms = Date.now();
    const bodyHash = createHash("sha256").update(body).digest("hex");
    const text = ["v2", ms, nonce, key, method, path, bodyHash].join("\n");
    return { "x-api-key": key, signature: `v2.${ms}.${nonce}.${hmac(secret, text)}` };
  };

/** The same headers for every request. */
export const fixed =
  (headers: Record<string, string>): Signer =>
  () =>
    headers;

export const without =
  (header: "x-api-key" | "signature"): Signer =>
  (by, request) => {
    const { [header]: _, ...others } = version1(by, request);
    return others;
  };

/** Well formed, with another secret. */
export const forged: Signer = ({ key }, request) =>
  version1({ key, secret: "not-the-secret" }, request);
