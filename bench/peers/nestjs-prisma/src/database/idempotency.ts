// Idempotency by unique constraints: the row that a request creates carries its key and a hash of its body.

import { createHash } from "node:crypto";
import { Prisma } from "../generated/client.ts";
import { refusal } from "../http/problem.ts";

export type IdempotencyColumns = { idempotencyKey: string | null; requestHash: string | null };

export function idempotencyColumns(key: string | undefined, body: object): IdempotencyColumns {
  if (key === undefined) return { idempotencyKey: null, requestHash: null };
  const requestHash = createHash("sha256").update(JSON.stringify(body)).digest("hex");
  return { idempotencyKey: key, requestHash };
}

/** The earlier request had the same body, or this one is refused. */
export function requireSameRequest(earlier: IdempotencyColumns, now: IdempotencyColumns): void {
  if (earlier.requestHash !== now.requestHash) throw refusal("IDEM102");
}

export function isUniqueViolation(error: unknown): boolean {
  return error instanceof Prisma.PrismaClientKnownRequestError && error.code === "P2002";
}
