// The Idempotency-Key header: which request it stands for.

import type { FastifyRequest } from "fastify";
import type { Caller } from "../caller.ts";
import { Refusal } from "../refusals/refusals.ts";
import type { Seal } from "../seal.ts";

const visible = /^[!-~]{1,255}$/;

/** Of a POST whose body is still bytes. Other methods change nothing by being repeated, so need none. */
export function readIdempotencyKey(request: FastifyRequest, seal: Seal): Caller["idempotency"] {
  const key = request.headers["idempotency-key"];
  if (key === undefined || request.method !== "POST") return undefined;
  // A header that came twice is joined by Node with a comma and a space: not visible, so refused.
  if (typeof key !== "string" || !visible.test(key)) throw new Refusal("IDEM101");
  const line = `${request.method} ${request.raw.url}\n`;
  const body = request.body instanceof Buffer ? request.body : Buffer.alloc(0);
  // A plain hash would give a body away whose only unknown is an account number.
  return { key, requestHash: seal.fingerprint(Buffer.from(line), body) };
}
