// PATCH /api/subaccount, GET /api/subaccount/postback, POST /api/subaccount/postback-secret: where events go

import type { AddressPolicy } from "../../../platform/addresses/index.ts";
import type { Clock } from "../../../platform/base/index.ts";
import { tracedFor } from "../../../platform/batching/index.ts";
import type { Db, Tx } from "../../../platform/db/index.ts";
import type { Seal } from "../../../platform/encryption/index.ts";
import { type Api, codesOf, sendWritten, success } from "../../../platform/http/index.ts";
import { once } from "../../../platform/idempotency/index.ts";
import { limits } from "../../../platform/limits/index.ts";
import { Refusal } from "../../../platform/refusals/index.ts";
import { keyActor, recordAct } from "../../../tenants/audit/index.ts";
import {
  ChangedSubaccount,
  changeSubaccountByKey,
  findEndpoint,
  listLiveSecrets,
  overlapSDefault,
  Postback,
  RotatedSecret,
  rotateSecret,
  SecretRotation,
  SubaccountChange,
  toPostback,
} from "../../../webhooks/webhook-endpoints/index.ts";

type EndpointParts = { db: Db; seal: Seal; clock: Clock; addresses: AddressPolicy };

const tags = ["Subaccount"];

export function endpointRoutes(api: Api, { db, seal, clock, addresses }: EndpointParts): void {
  api.patch(
    "/api/subaccount",
    {
      config: {
        failure: "update subaccount failed",
        scope: "write",
        badBody: "SUBA212",
        refusals: [...codesOf(SubaccountChange), "SUBA211", "SUBA212", "SUBA213"],
      },
      schema: {
        operationId: "updateSubaccount",
        tags,
        summary: "Change the webhook endpoint, the event types and the contact",
        description:
          "Only the fields that you send change. Setting the first postback_url creates the " +
          "secret that verifies events. The response shows it, this once, as postback_secret.",
        body: SubaccountChange,
        response: { 200: success(ChangedSubaccount) },
      },
    },
    async ({ caller, body, ip }, reply) => {
      if (Object.keys(body).length === 0) throw new Refusal("SUBA213");
      const work = once(
        db,
        caller,
        async (tx) => ({
          message: "subaccount updated successfully",
          payload: await changeSubaccountByKey({ tx, seal }, keyActor(caller, ip), body, {
            addresses,
            nowMs: clock(),
          }),
        }),
        { seal },
      );
      return sendWritten(reply, await work);
    },
  );

  api.get(
    "/api/subaccount/postback",
    {
      config: { failure: "get postback failed", scope: "read" },
      schema: {
        operationId: "getPostback",
        tags,
        summary: "Get the state of event delivery",
        response: { 200: success(Postback) },
      },
    },
    async ({ caller }) => {
      const { subaccountId } = caller;
      const traced = tracedFor(db, caller);
      const nowMs = clock();
      const row = await findEndpoint(traced, subaccountId, limits.waitingCountedMax);
      if (!row) throw new Refusal("SUBA101");
      const secrets = await listLiveSecrets(traced, subaccountId, nowMs);
      return { message: "get postback successful", payload: toPostback(row, secrets, nowMs) };
    },
  );

  api.post(
    "/api/subaccount/postback-secret",
    {
      config: {
        failure: "rotate postback secret failed",
        scope: "write",
        badBody: "SUBA212",
        emptyBody: true,
        refusals: [...codesOf(SecretRotation), "SUBA211", "SUBA212"],
      },
      schema: {
        operationId: "rotatePostbackSecret",
        tags,
        summary: "Rotate the secret that signs events",
        description:
          "The new secret is shown once. During the overlap, events are also signed with the previous " +
          `secrets. At most ${limits.endpointSecretsMax} secrets are live: one more ends the oldest at once.`,
        body: SecretRotation,
        response: { 200: success(RotatedSecret) },
      },
    },
    async ({ caller, ip, body: { overlap_s = overlapSDefault } }, reply) => {
      const overlap = { overlapMs: overlap_s * 1000, nowMs: clock() };
      const rotate = async (tx: Tx) => {
        const { subaccountId: id } = caller;
        const payload = await rotateSecret({ tx, seal }, id, overlap);
        await recordAct({ tx, seal }, keyActor(caller, ip), {
          action: "subaccount.rotate_postback_secret",
          object: { kind: "subaccount", id },
          after: { overlap_seconds: overlap_s },
        });
        return { message: "postback secret rotated successfully", payload };
      };
      const work = once(db, caller, rotate, { seal });
      return sendWritten(reply, await work);
    },
  );
}
