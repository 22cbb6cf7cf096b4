// The route POST /api/receiver/<id>/erase

import type { Actor } from "../audit/actor.ts";
import { recordAct } from "../audit/record.ts";
import { whoOf } from "../caller.ts";
import type { Clock } from "../clock.ts";
import type { Db } from "../db/connect.ts";
import { type Api, ById, sendWritten, success } from "../http/route.ts";
import { once } from "../idempotency/once.ts";
import { isUuid } from "../ids.ts";
import { Refusal } from "../refusals/refusals.ts";
import type { Retention } from "../retention/table.ts";
import type { Seal } from "../seal.ts";
import { eraseReceiver } from "./erase.ts";
import { ErasedReceiver, ReceiverErasure } from "./schema.ts";

type PrivacyParts = { db: Db; seal: Seal; clock: Clock; retention: Retention };

export function privacyRoutes(api: Api, { db, seal, clock, retention }: PrivacyParts): void {
  api.post(
    "/api/receiver/:id/erase",
    {
      config: {
        failure: "erase receiver failed",
        scope: "write",
        badBody: "REVR232",
        emptyBody: true,
        refusals: [
          ...(["REVR101", "REVR102", "REVR231", "REVR232"] as const),
          ...(["REVR301", "REVR307", "REVR308"] as const),
        ],
      },
      schema: {
        operationId: "eraseReceiver",
        tags: ["Receivers"],
        summary: "Erase a receiver",
        description:
          "Overwrites every word about the person for good: names, email, date of birth, telephone, address and bank " +
          "details. The receiver stays, inactive and with empty texts. It is refused while a payout is in progress, a " +
          "review is open, or payouts must still be kept by law. Repeating the request changes nothing.",
        params: ById,
        body: ReceiverErasure,
        response: { 200: success(ErasedReceiver) },
      },
    },
    async ({ caller, params, ip }, reply) => {
      if (params.id === "") throw new Refusal("REVR102");
      if (!isUuid(params.id)) throw new Refusal("REVR101");
      const key = { subaccountId: caller.subaccountId, id: params.id.toLowerCase() };
      const who = whoOf(caller);
      const { subaccountId, requestId } = caller;
      const actor: Actor = { kind: "key", who, ip, requestId, subaccountId };
      const written = await once(db, caller, async (tx) => {
        const erasing = { who, atMs: clock(), retention };
        const { erasedAtMs, isNew } = await eraseReceiver({ tx, seal }, key, erasing);
        const object = { kind: "receiver", id: key.id };
        if (isNew) await recordAct({ tx, seal }, actor, { action: "receiver.erase", object });
        const payload: ErasedReceiver = {
          receiver_id: key.id,
          status: "inactive",
          erased_at: String(erasedAtMs),
        };
        return { message: "receiver erased successfully", payload };
      });
      return sendWritten(reply, written);
    },
  );
}
