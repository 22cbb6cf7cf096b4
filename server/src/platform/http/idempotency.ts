// Reads the Idempotency-Key header and hashes the request that it stands for.

import type { FastifyRequest } from "fastify";
import type { Caller } from "../base/index.ts";
import type { Seal } from "../encryption/index.ts";
import { Refusal } from "../refusals/index.ts";

const visible = /^[!-~]{1,255}$/;

/** For a POST whose body is still bytes. Other methods are safe to repeat and need no key. */
export function readIdempotencyKey(request: FastifyRequest, seal: Seal): Caller["idempotency"] {
  const key = request.headers["idempotency-key"];
  if (key === undefined || request.method !== "POST") return undefined;
  // Node joins a repeated header with a comma and a space, which the pattern refuses.
  if (typeof key !== "string" || !visible.test(key)) throw new Refusal("IDEM101");
  const line = `${request.method} ${request.raw.url}\n`;
  const body = request.body instanceof Buffer ? request.body : Buffer.alloc(0);
  // A plain hash would reveal a body whose only unknown is an account number.
  return { key, requestHash: seal.fingerprint(Buffer.from(line), body) };
}
