// /api/webhook-endpoint: the webhook endpoints of a subaccount as objects

import Type from "typebox";
import type { AddressPolicy } from "../../../platform/addresses/index.ts";
import type { Caller, Clock } from "../../../platform/base/index.ts";
import { tracedFor } from "../../../platform/batching/index.ts";
import type { Db } from "../../../platform/db/index.ts";
import type { Seal } from "../../../platform/encryption/index.ts";
import { type Api, ById, codesOf, sendWritten, success } from "../../../platform/http/index.ts";
import { once } from "../../../platform/idempotency/index.ts";
import { limits } from "../../../platform/limits/index.ts";
import { Refusal } from "../../../platform/refusals/index.ts";
import type { Act } from "../../../tenants/acts/index.ts";
import { keyActor } from "../../../tenants/audit/index.ts";
import {
  EndpointFill,
  fillWebhookEndpoint,
  StartedRecovery,
} from "../../../webhooks/events/index.ts";
import {
  ChangedEndpoint,
  changeWebhookEndpoint,
  createWebhookEndpoint,
  deleteWebhookEndpoint,
  EndpointChange,
  EndpointRotation,
  enableWebhookEndpoint,
  listEndpoints,
  NewEndpoint,
  NoEndpointFields,
  pauseWebhookEndpoint,
  requireEndpoint,
  rotateEndpointSecretAct,
  showEndpoint,
  WebhookEndpoint,
} from "../../../webhooks/webhook-endpoints/index.ts";

type EndpointRouteParts = {
  db: Db;
  seal: Seal;
  clock: Clock;
  addresses: AddressPolicy;
  /** Where deliveries come from. */
  sources: readonly string[];
};

const tags = ["Webhook endpoints"];
const path = "/api/webhook-endpoint";
const scope = "write" as const;
const badBody = "ENDP209" as const;

export function webhookEndpointRoutes(
  api: Api,
  { db, seal, clock, addresses, sources }: EndpointRouteParts,
): void {
  /** Does an act in the transaction of the request, once for each idempotency key. */
  async function write(
    { caller, ip }: { caller: Caller; ip: string },
    act: Pick<Act<never, object | undefined, { addresses: AddressPolicy }>, "perform">,
    fields: object,
    message: string,
  ) {
    const { subaccountId: id, mode } = caller;
    return once(
      db,
      caller,
      async (tx) => {
        const inTransaction: Db = { ...db, transaction: (work) => work(tx) };
        const parts = { db: inTransaction, seal, clock, addresses };
        const by = {
          actor: keyActor(caller, ip),
          subaccount: { id, mode, isClosed: false },
          caller,
        };
        return { message, payload: (await act.perform(parts, by, fields as never)) ?? {} };
      },
      { seal },
    );
  }

  api.get(
    path,
    {
      config: { failure: "get webhook endpoints failed", scope },
      schema: {
        operationId: "listWebhookEndpoints",
        tags,
        summary: "List webhook endpoints",
        description: "That of postback_url first, then the oldest.",
        response: { 200: success(Type.Array(WebhookEndpoint)) },
      },
    },
    async ({ caller }) => ({
      message: "get webhook endpoints successful",
      payload: await listEndpoints(tracedFor(db, caller), caller.subaccountId, clock()),
    }),
  );

  api.get(
    `${path}/source-addresses`,
    {
      config: { failure: "get source addresses failed", scope },
      schema: {
        operationId: "listSourceAddresses",
        tags,
        summary: "Get the IP addresses that events are sent from",
        description: "Empty: the operator has not set them.",
        response: {
          200: success(
            Type.Object(
              { addresses: Type.Array(Type.String({ description: "IP address or CIDR range" })) },
              { title: "SourceAddresses" },
            ),
          ),
        },
      },
    },
    async () => ({
      message: "get source addresses successful",
      payload: { addresses: [...sources] },
    }),
  );

  api.get(
    `${path}/:id`,
    {
      config: { failure: "get webhook endpoint failed", scope, refusals: ["ENDP101"] },
      schema: {
        operationId: "getWebhookEndpoint",
        tags,
        summary: "Get webhook endpoint by id, with the attempts of the last day",
        params: ById,
        response: { 200: success(WebhookEndpoint) },
      },
    },
    async ({ caller, params }) => {
      const traced = tracedFor(db, caller);
      const found = await requireEndpoint(traced, caller.subaccountId, params.id);
      const payload = await showEndpoint(traced, found, clock());
      return { message: "get webhook endpoint successful", payload };
    },
  );

  api.post(
    path,
    {
      config: {
        failure: "create webhook endpoint failed",
        scope,
        badBody,
        refusals: [...codesOf(NewEndpoint), "ENDP207", badBody, "ENDP301"],
      },
      schema: {
        operationId: "createWebhookEndpoint",
        tags,
        summary: "Create a webhook endpoint",
        description:
          `At most ${limits.endpointsMax} of a subaccount, with that of postback_url. The response has the secret that ` +
          "verifies its events, this once. It gets the events that happen from now on.",
        body: NewEndpoint,
        response: { 200: success(ChangedEndpoint) },
      },
    },
    async (request, reply) => {
      const message = "webhook endpoint created successfully";
      return sendWritten(reply, await write(request, createWebhookEndpoint, request.body, message));
    },
  );

  api.patch(
    `${path}/:id`,
    {
      config: {
        failure: "update webhook endpoint failed",
        scope,
        badBody,
        refusals: [...codesOf(EndpointChange), "ENDP207", badBody, "ENDP101", "ENDP210", "ENDP302"],
      },
      schema: {
        operationId: "updateWebhookEndpoint",
        tags,
        summary: "Change a webhook endpoint",
        description:
          "Only the fields that you send change. The url of that of postback_url is postback_url.",
        params: ById,
        body: EndpointChange,
        response: { 200: success(WebhookEndpoint) },
      },
    },
    async (request, reply) => {
      if (Object.keys(request.body).length === 0) throw new Refusal("ENDP210");
      const fields = { ...request.body, id: request.params.id };
      const message = "webhook endpoint updated successfully";
      return sendWritten(reply, await write(request, changeWebhookEndpoint, fields, message));
    },
  );

  api.delete(
    `${path}/:id`,
    {
      config: { failure: "delete webhook endpoint failed", scope, refusals: ["ENDP101"] },
      schema: {
        operationId: "deleteWebhookEndpoint",
        tags,
        summary: "Delete a webhook endpoint",
        description:
          "Events that wait for it are not sent. That of postback_url goes as with an empty postback_url.",
        params: ById,
        response: { 200: success(Type.Object({}, { title: "DeletedWebhookEndpoint" })) },
      },
    },
    async (request, reply) => {
      const fields = { id: request.params.id };
      const message = "webhook endpoint deleted successfully";
      return sendWritten(reply, await write(request, deleteWebhookEndpoint, fields, message));
    },
  );

  api.post(
    `${path}/:id/rotate`,
    {
      config: {
        failure: "rotate webhook secret failed",
        scope,
        badBody,
        emptyBody: true,
        refusals: [...codesOf(EndpointRotation), "ENDP207", badBody, "ENDP101"],
      },
      schema: {
        operationId: "rotateWebhookEndpoint",
        tags,
        summary: "Rotate the secret of a webhook endpoint",
        description:
          "The new secret is shown once. During the overlap, its events are also signed with the previous " +
          `secrets. At most ${limits.endpointSecretsMax} secrets are live: one more ends the oldest at once.`,
        params: ById,
        body: EndpointRotation,
        response: { 200: success(ChangedEndpoint) },
      },
    },
    async (request, reply) => {
      const fields = { ...request.body, id: request.params.id };
      const message = "webhook secret rotated successfully";
      return sendWritten(reply, await write(request, rotateEndpointSecretAct, fields, message));
    },
  );

  for (const { word, done, act, operationId, summary, refusals } of [
    {
      ...{ word: "pause", done: "paused", act: pauseWebhookEndpoint },
      operationId: "pauseWebhookEndpoint",
      summary: "Pause a webhook endpoint: its events wait",
      refusals: ["ENDP101", "ENDP303"] as const,
    },
    {
      ...{ word: "enable", done: "enabled", act: enableWebhookEndpoint },
      operationId: "enableWebhookEndpoint",
      summary: "Enable a webhook endpoint that is paused or disabled, and send its waiting events",
      refusals: ["ENDP101", "ENDP201"] as const,
    },
  ]) {
    api.post(
      `${path}/:id/${word}`,
      {
        config: {
          failure: `${word} webhook endpoint failed`,
          scope,
          badBody,
          emptyBody: true,
          refusals: [...refusals, "ENDP207", badBody],
        },
        schema: {
          operationId,
          tags,
          summary,
          params: ById,
          body: NoEndpointFields,
          response: { 200: success(WebhookEndpoint) },
        },
      },
      async (request, reply) => {
        const fields = { id: request.params.id };
        const message = `webhook endpoint ${done} successfully`;
        return sendWritten(reply, await write(request, act, fields, message));
      },
    );
  }

  api.post(
    `${path}/:id/fill`,
    {
      config: {
        failure: "fill webhook endpoint failed",
        scope,
        badBody,
        emptyBody: true,
        refusals: [...codesOf(EndpointFill), "ENDP207", badBody, "ENDP101"],
      },
      schema: {
        operationId: "fillWebhookEndpoint",
        tags,
        summary: "Send a webhook endpoint the events from before it",
        description:
          "Of its types and at most the last 30 days, in order, about 1,000 a second, in the background.",
        params: ById,
        body: EndpointFill,
        response: { 200: success(StartedRecovery) },
      },
    },
    async (request, reply) => {
      const fields = { ...request.body, id: request.params.id };
      const message = "fill started successfully";
      return sendWritten(reply, await write(request, fillWebhookEndpoint, fields, message));
    },
  );
}
