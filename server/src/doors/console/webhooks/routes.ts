// /console/api/s/<id>/webhook: the webhook endpoint, its deliveries, and its settings

import { NoFields } from "../../../platform/fields/index.ts";
import type { Api } from "../../../platform/http/index.ts";
import { pauseWebhook } from "../../../webhooks/webhook-endpoints/index.ts";
import { actRoute } from "../act-route.ts";
import { requireOpenSubaccount } from "../open-subaccount.ts";
import type { Rollups } from "../rollups/catch-up.ts";
import { inSubaccount } from "../route.ts";
import { readDeliveries } from "./deliveries.ts";
import { rotateWebhookSecret } from "./rotate.ts";
import {
  Deliveries,
  DeliveriesQuery,
  NewWebhookSecret,
  SecretOverlap,
  SetWebhook,
  TestedWebhook,
  Webhook,
  WebhookAddress,
  WebhookTest,
  WebhookTypes,
} from "./schema.ts";
import { sendTestEvent } from "./send-test.ts";
import { setWebhookTypes } from "./set-types.ts";
import { resumeWebhook, setWebhookUrl } from "./set-url.ts";
import { showWebhook, type WebhookWriteParts } from "./webhook.ts";

type WebhookParts = WebhookWriteParts & { rollups: Rollups };

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

  api.put(
    path,
    {
      config: { may: "webhooks.write", stepUp: true },
      schema: { body: WebhookAddress, response: { 200: SetWebhook } },
    },
    async (request) => {
      const access = requireOpenSubaccount(inSubaccount(request));
      const secret = await setWebhookUrl(parts, access, request.body.url);
      return { webhook: await show(access.subaccount.id), secret };
    },
  );

  api.put(
    `${path}/event-types`,
    {
      config: { may: "webhooks.write" },
      schema: { body: WebhookTypes, response: { 200: Webhook } },
    },
    async (request) => {
      const access = requireOpenSubaccount(inSubaccount(request));
      await setWebhookTypes(parts, access, request.body.event_types);
      return show(access.subaccount.id);
    },
  );

  api.post(
    `${path}/rotate`,
    {
      config: { may: "webhooks.write", stepUp: true },
      schema: { body: SecretOverlap, response: { 200: NewWebhookSecret } },
    },
    async (request) => {
      const access = requireOpenSubaccount(inSubaccount(request));
      return rotateWebhookSecret(parts, access, request.body.overlap_s);
    },
  );

  api.post(
    `${path}/test`,
    {
      config: { may: "webhooks.write" },
      schema: { body: WebhookTest, response: { 200: TestedWebhook } },
    },
    async (request) =>
      sendTestEvent(parts, requireOpenSubaccount(inSubaccount(request)), request.body),
  );

  actRoute(api, parts, `POST ${path}/pause`, pauseWebhook, {
    response: Webhook,
    answer: (_, { subaccount }) => show(subaccount.id),
  });

  api.post(
    `${path}/resume`,
    {
      config: { may: "webhooks.write" },
      schema: { body: NoFields, response: { 200: Webhook } },
    },
    async (request) => {
      const access = requireOpenSubaccount(inSubaccount(request));
      await resumeWebhook(parts, access);
      return show(access.subaccount.id);
    },
  );
}
