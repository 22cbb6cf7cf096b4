// The route POST /api/receiver/<id>/erase

import { ErasedReceiver, eraseReceiver, ReceiverErasure } from "../../../people/privacy/index.ts";
import { type Clock, isUuid, whoOf } from "../../../platform/base/index.ts";
import type { Db } from "../../../platform/db/index.ts";
import type { Seal } from "../../../platform/encryption/index.ts";
import { type Api, ById, sendWritten, success } from "../../../platform/http/index.ts";
import { once } from "../../../platform/idempotency/index.ts";
import { Refusal } from "../../../platform/refusals/index.ts";
import type { Retention } from "../../../platform/retention/index.ts";
import { keyActor, recordAct } from "../../../tenants/audit/index.ts";

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
      const actor = keyActor(caller, ip);
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
