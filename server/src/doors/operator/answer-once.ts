// A POST with an Idempotency-Key is done once: its response is stored, and sent again to the same request.

import type { FastifyReply, FastifyRequest } from "fastify";
import type { Clock } from "../../platform/base/index.ts";
import type { Db } from "../../platform/db/index.ts";
import type { Seal } from "../../platform/encryption/index.ts";
import { type Api, readIdempotencyKey } from "../../platform/http/index.ts";
import { type Claim, claimAnswer } from "../../tenants/operator-tokens/index.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** Under /operator: of a request with an Idempotency-Key. */
    claim: Claim | undefined;
  }
}

/** Its hooks come before those that parse the body. */
export function answerOnce(
  api: Api,
  { db, seal, clock }: { db: Db; seal: Seal; clock: Clock },
): void {
  api.decorateRequest("claim", undefined);

  api.addHook("preValidation", async (request: FastifyRequest, reply: FastifyReply) => {
    const idempotency = readIdempotencyKey(request, seal);
    if (!idempotency) return;
    const { key, requestHash } = idempotency;
    const asked = { tokenId: request.access.session.id, key, requestHash, requestId: request.id };
    const found = await claimAnswer({ db, seal }, asked, clock());
    if ("markDone" in found) {
      request.claim = found;
      request.access.markDone = found.markDone;
      return;
    }
    const { status, type, body } = found;
    reply.header("idempotent-replayed", "true").code(status);
    if (type) reply.type(type);
    return reply.send(body);
  });

  api.addHook("onSend", async ({ claim }, reply, payload) => {
    if (!claim) return payload;
    if (reply.statusCode >= 400) await claim.release();
    // What is streamed is not kept: the key says only that it was done.
    else if (typeof payload === "string" || payload === undefined || payload === null) {
      const type = String(reply.getHeader("content-type") ?? "");
      await claim.store({ status: reply.statusCode, body: payload ?? "", type });
    }
    return payload;
  });
}
