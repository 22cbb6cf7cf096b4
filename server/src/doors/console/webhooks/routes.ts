// /console/api/s/<id>/webhook: the webhook endpoint, its deliveries, and its settings

import type { AddressPolicy } from "../../../platform/addresses/index.ts";
import type { Api } from "../../../platform/http/index.ts";
import { triggerEvent } from "../../../webhooks/events/index.ts";
import {
  pauseWebhook,
  resumeWebhook,
  rotateWebhookSecret,
  setWebhookTypes,
  setWebhookUrl,
} from "../../../webhooks/webhook-endpoints/index.ts";
import { actRoute } from "../act-route.ts";
import type { Rollups } from "../rollups/catch-up.ts";
import { inSubaccount, type SubaccountAccess } from "../route.ts";
import type { WriteParts } from "../write-parts.ts";
import { readDeliveries } from "./deliveries.ts";
import {
  Deliveries,
  DeliveriesQuery,
  NewWebhookSecret,
  SetWebhook,
  TestedWebhook,
  Webhook,
} from "./schema.ts";
import { showWebhook, toSecrets } from "./webhook.ts";

type WebhookParts = WriteParts & { addresses: AddressPolicy; rollups: Rollups };

const path = "/console/api/s/:subaccountId/webhook";

export function webhookRoutes(api: Api, parts: WebhookParts): void {
  const { db, clock, rollups } = parts;

  async function show(subaccountId: string): Promise<Webhook> {
    await rollups.catchUp(subaccountId);
    return showWebhook(db, subaccountId, clock());
  }

  api.get(
    path,
    { config: { may: "read" }, schema: { response: { 200: Webhook } } },
    async (request) => show(inSubaccount(request).subaccount.id),
  );

  api.get(
    `${path}/deliveries`,
    {
      config: { may: "read" },
      schema: { querystring: DeliveriesQuery, response: { 200: Deliveries } },
    },
    async (request) => readDeliveries(parts, inSubaccount(request).subaccount.id, request.query),
  );

  const showNow = {
    response: Webhook,
    answer: (_: unknown, { subaccount }: SubaccountAccess) => show(subaccount.id),
  };
  actRoute(api, parts, `PUT ${path}`, setWebhookUrl, {
    response: SetWebhook,
    answer: async (secret, { subaccount }) => ({
      webhook: await show(subaccount.id),
      secret: secret ?? null,
    }),
  });
  actRoute(api, parts, `PUT ${path}/event-types`, setWebhookTypes, showNow);
  actRoute(api, parts, `POST ${path}/rotate`, rotateWebhookSecret, {
    response: NewWebhookSecret,
    answer: ({ secret, secrets }) => ({ secret, secrets: toSecrets(secrets) }),
  });
  actRoute(api, parts, `POST ${path}/test`, triggerEvent, { response: TestedWebhook });
  actRoute(api, parts, `POST ${path}/pause`, pauseWebhook, showNow);
  actRoute(api, parts, `POST ${path}/resume`, resumeWebhook, showNow);
}
