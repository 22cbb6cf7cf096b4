// /console/api/s/<id>/webhook-endpoints: the webhook endpoints as objects, with that of postback_url

import type { AddressPolicy } from "../../../platform/addresses/index.ts";
import type { Api } from "../../../platform/http/index.ts";
import { fillWebhookEndpoint } from "../../../webhooks/events/index.ts";
import {
  changeWebhookEndpoint,
  createWebhookEndpoint,
  deleteWebhookEndpoint,
  enableWebhookEndpoint,
  listEndpoints,
  pauseWebhookEndpoint,
  rotateEndpointSecretAct,
} from "../../../webhooks/webhook-endpoints/index.ts";
import { actRoute } from "../act-route.ts";
import { inSubaccount } from "../route.ts";
import type { WriteParts } from "../write-parts.ts";
import { EndpointList } from "./schema.ts";

const path = "/console/api/s/:subaccountId/webhook-endpoints";

export function endpointListRoutes(
  api: Api,
  parts: WriteParts & { addresses: AddressPolicy },
): void {
  api.get(
    path,
    { config: { may: "read" }, schema: { response: { 200: EndpointList } } },
    async (request) => listEndpoints(parts.db, inSubaccount(request).subaccount.id, parts.clock()),
  );
  actRoute(api, parts, `POST ${path}`, createWebhookEndpoint);
  actRoute(api, parts, `PATCH ${path}/:id`, changeWebhookEndpoint);
  actRoute(api, parts, `DELETE ${path}/:id`, deleteWebhookEndpoint);
  actRoute(api, parts, `POST ${path}/:id/rotate`, rotateEndpointSecretAct);
  actRoute(api, parts, `POST ${path}/:id/pause`, pauseWebhookEndpoint);
  actRoute(api, parts, `POST ${path}/:id/enable`, enableWebhookEndpoint);
  actRoute(api, parts, `POST ${path}/:id/fill`, fillWebhookEndpoint);
}
