// What users, commands and API keys do to webhook endpoints as objects.

import Type from "typebox";
import type { AddressPolicy } from "../../platform/addresses/index.ts";
import { idField, input, inputLike, optional } from "../../platform/fields/index.ts";
import { limits } from "../../platform/limits/index.ts";
import { Refusal } from "../../platform/refusals/index.ts";
import { act, type Doing } from "../../tenants/acts/index.ts";
import { plainUrl } from "./endpoint.ts";
import {
  ChangedEndpoint,
  EndpointChange,
  NewEndpoint,
  WebhookEndpoint,
} from "./endpoint-schema.ts";
import {
  changeEndpoint,
  createEndpoint,
  deleteEndpoint,
  enableEndpoint,
  pauseEndpoint,
  requireEndpoint,
  rotateEndpointSecret,
} from "./endpoints.ts";

type DoingWithUrl = Doing & { addresses: AddressPolicy };

const ofEndpoint = {
  object: "webhook_endpoint",
  may: "webhooks.write",
  in: "open subaccount",
  doors: ["api", "console", "cli"],
} as const;

const id = idField("ENDP101");
const ById = input({ id });

/** For the audit log: the URL without credentials, and of the headers their names. */
function noted(fields: EndpointChange) {
  const { url, event_types, headers, ...others } = fields;
  return {
    ...others,
    ...(url !== undefined && { url: plainUrl(url) }),
    ...(event_types && { event_types: event_types.join(" ") }),
    ...(headers && { headers: Object.keys(headers).sort().join(" ") }),
  };
}

export const createWebhookEndpoint = act({
  ...ofEndpoint,
  name: "webhook_endpoint.create",
  stepUp: true,
  summary: "create a webhook endpoint for events of chosen types; its secret is shown only once",
  input: NewEndpoint,
  output: ChangedEndpoint,
  async run(doing: DoingWithUrl, fields) {
    const { subaccount, atMs: nowMs, addresses } = doing;
    const result = await createEndpoint(doing, subaccount.id, fields, { addresses, nowMs });
    return { result, id: result.id, after: noted(fields) };
  },
});

export const changeWebhookEndpoint = act({
  ...ofEndpoint,
  name: "webhook_endpoint.change",
  stepUp: true,
  summary: "change a webhook endpoint; its URL, even unchanged, enables it",
  input: inputLike(EndpointChange, { id }),
  output: WebhookEndpoint,
  async run(doing: DoingWithUrl, { id: asked, ...fields }) {
    if (Object.keys(fields).length === 0) throw new Refusal("ENDP210");
    const { tx, subaccount, atMs: nowMs, addresses } = doing;
    const found = await requireEndpoint(tx, subaccount.id, asked);
    const { row } = found;
    const result = await changeEndpoint(doing, found, fields, { addresses, nowMs });
    const before = { url: plainUrl(row.url), event_types: row.event_types.join(" ") };
    return { result, id: result.id, before, after: noted(fields) };
  },
});

export const deleteWebhookEndpoint = act({
  ...ofEndpoint,
  name: "webhook_endpoint.delete",
  stepUp: true,
  summary: "delete a webhook endpoint; events that wait for it are not sent",
  input: ById,
  async run(doing: Doing, { id: asked }) {
    const found = await requireEndpoint(doing.tx, doing.subaccount.id, asked);
    await deleteEndpoint(doing, found);
    return { result: undefined, id: asked.toLowerCase(), before: { url: plainUrl(found.row.url) } };
  },
});

export const rotateEndpointSecretAct = act({
  ...ofEndpoint,
  name: "webhook_endpoint.rotate",
  stepUp: true,
  summary: "create a new secret for a webhook endpoint, shown only once",
  input: input({
    id,
    overlap_s: optional(
      Type.Integer({
        minimum: 0,
        maximum: limits.rotationGraceMaxMs / 1000,
        description: "seconds for which the previous secrets stay valid; default a day",
      }),
    ),
  }),
  output: ChangedEndpoint,
  async run(doing: Doing, { id: asked, overlap_s = limits.rotationGraceDefaultMs / 1000 }) {
    const found = await requireEndpoint(doing.tx, doing.subaccount.id, asked);
    const rotation = { overlapMs: overlap_s * 1000, nowMs: doing.atMs };
    const result = await rotateEndpointSecret(doing, found, rotation);
    return { result, id: result.id, after: { overlap_seconds: overlap_s } };
  },
});

export const pauseWebhookEndpoint = act({
  ...ofEndpoint,
  name: "webhook_endpoint.pause",
  summary: "stop sending events to a webhook endpoint; those that wait are sent when it is enabled",
  input: ById,
  output: WebhookEndpoint,
  async run(doing: Doing, { id: asked }) {
    const found = await requireEndpoint(doing.tx, doing.subaccount.id, asked);
    const result = await pauseEndpoint(doing, found, { who: doing.who, nowMs: doing.atMs });
    return { result, id: result.id };
  },
});

export const enableWebhookEndpoint = act({
  ...ofEndpoint,
  name: "webhook_endpoint.enable",
  stepUp: true,
  summary: "enable a webhook endpoint that is paused or disabled, and send its waiting events",
  input: ById,
  output: WebhookEndpoint,
  async run(doing: DoingWithUrl, { id: asked }) {
    const { tx, subaccount, atMs: nowMs, addresses } = doing;
    const found = await requireEndpoint(tx, subaccount.id, asked);
    const result = await enableEndpoint(doing, found, { addresses, nowMs });
    return { result, id: result.id };
  },
});
