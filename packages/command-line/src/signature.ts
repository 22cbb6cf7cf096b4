// The signature of a call with an API key, version 2: it covers the whole request, and a nonce makes it valid once.

import { createHash, createHmac, randomBytes } from "node:crypto";
import type { ByKey } from "./profiles.ts";

type Signed = { method: string; path: string; body: string | undefined };

export function signatureOf(
  { api_key, api_secret }: Pick<ByKey, "api_key" | "api_secret">,
  { method, path, body = "" }: Signed,
): string {
  const [ms, nonce] = [Date.now(), randomBytes(16).toString("hex")];
  const bodyHash = createHash("sha256").update(body).digest("hex");
  const text = ["v2", ms, nonce, api_key, method, path, bodyHash].join("\n");
  return `v2.${ms}.${nonce}.${createHmac("sha256", api_secret).update(text).digest("hex")}`;
}
