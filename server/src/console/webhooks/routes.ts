// /console/api/s/<id>/webhook: where events go, how that stands, and what a person may do about it

import type { AddressPolicy } from "../../addresses/address-guard.ts";
import { recordAct } from "../../audit/record.ts";
import type { Clock } from "../../clock.ts";
import type { Db } from "../../db/connect.ts";
import { sentTypes } from "../../event-catalogue.ts";
import { insertTestEvent } from "../../events/create-test.ts";
import type { Api } from "../../http/route.ts";
import { Refusal } from "../../refusals/refusals.ts";
import type { Seal } from "../../seal.ts";
import { pauseEndpoint } from "../../webhook-endpoints/pause.ts";
import { findEndpoint, lockEndpoint } from "../../webhook-endpoints/queries.ts";
import { rotateSecret } from "../../webhook-endpoints/secret.ts";
import { setEventTypes } from "../../webhook-endpoints/set-event-types.ts";
import { setPostback } from "../../webhook-endpoints/set-postback.ts";
import { actOf } from "../act.ts";
import { NoFields } from "../fields.ts";
import { requireOpenSubaccount } from "../open-subaccount.ts";
import type { Rollups } from "../rollups/catch-up.ts";
import { inSubaccount } from "../route.ts";
import {
  NewWebhookSecret,
  SecretOverlap,
  SetWebhook,
  TestedWebhook,
  Webhook,
  WebhookAddress,
  WebhookTest,
  WebhookTypes,
} from "./schema.ts";
import { plainUrl, showWebhook, toSecrets } from "./webhook.ts";

export type WebhookParts = {
  db: Db;
  seal: Seal;
  clock: Clock;
  addresses: AddressPolicy;
  tallies: Rollups;
};

const path = "/console/api/s/:subaccountId/webhook";

export function webhookRoutes(api: Api, parts: WebhookParts): void {
  const { db, seal, clock, addresses, tallies } = parts;

  async function show(subaccountId: string): Promise<Webhook> {
    await tallies.catchUp(subaccountId);
    return showWebhook(db, subaccountId, clock());
  }

  api.get(
    path,
    { config: { may: "read" }, schema: { response: { 200: Webhook } } },
    async (request) => show(inSubaccount(request).subaccount.id),
  );

  api.put(
    path,
    {
      config: { may: "webhooks.write", stepUp: true },
      schema: { body: WebhookAddress, response: { 200: SetWebhook } },
    },
    async (request) => {
      const asker = requireOpenSubaccount(inSubaccount(request));
      const { url } = request.body;
      const { id } = asker.subaccount;
      const secret = await db.transaction(async (tx) => {
        await lockEndpoint(tx, id);
        const before = await findEndpoint(tx, id, 0);
        const setting = { addresses, nowMs: clock() };
        const made = await setPostback({ tx, seal }, id, url, setting);
        const doing = {
          ...{ action: "subaccount.set_postback", object: { kind: "subaccount", id } },
          before: { postback_url: plainUrl(before?.url ?? "") },
          after: { postback_url: plainUrl(url) },
        };
        await recordAct({ tx, seal }, actOf(asker, doing));
        return made ?? null;
      });
      return { webhook: await show(id), secret };
    },
  );

  api.put(
    `${path}/event-types`,
    {
      config: { may: "webhooks.write" },
      schema: { body: WebhookTypes, response: { 200: Webhook } },
    },
    async (request) => {
      const asker = requireOpenSubaccount(inSubaccount(request));
      const { id } = asker.subaccount;
      await db.transaction(async (tx) => {
        await lockEndpoint(tx, id);
        const before = sentTypes((await findEndpoint(tx, id, 0))?.event_types ?? []);
        const after = await setEventTypes(tx, id, request.body.event_types);
        const doing = {
          ...{ action: "subaccount.set_event_types", object: { kind: "subaccount", id } },
          before: { event_types: before.join(" ") },
          after: { event_types: after.join(" ") },
        };
        await recordAct({ tx, seal }, actOf(asker, doing));
      });
      return show(id);
    },
  );

  api.post(
    `${path}/rotate`,
    {
      config: { may: "webhooks.write", stepUp: true },
      schema: { body: SecretOverlap, response: { 200: NewWebhookSecret } },
    },
    async (request) => {
      const asker = requireOpenSubaccount(inSubaccount(request));
      const { overlap_s } = request.body;
      const { id } = asker.subaccount;
      return db.transaction(async (tx) => {
        const rotation = { overlapMs: overlap_s * 1000, nowMs: clock() };
        const { secret, secrets } = await rotateSecret({ tx, seal }, id, rotation);
        const object = { kind: "subaccount", id };
        const after = { overlap_seconds: overlap_s };
        const doing = { action: "subaccount.rotate_postback_secret", object, after };
        await recordAct({ tx, seal }, actOf(asker, doing));
        return { secret, secrets: toSecrets(secrets) };
      });
    },
  );

  api.post(
    `${path}/test`,
    {
      config: { may: "webhooks.write" },
      schema: { body: WebhookTest, response: { 200: TestedWebhook } },
    },
    async (request) => {
      const asker = requireOpenSubaccount(inSubaccount(request));
      return db.transaction(async (tx) => {
        const told = await insertTestEvent(tx, asker.subaccount.id, request.body, clock());
        const object = { kind: "subaccount", id: asker.subaccount.id };
        const doing = { action: "event.trigger", object, after: { type: told.type } };
        await recordAct({ tx, seal }, actOf(asker, doing));
        return told;
      });
    },
  );

  api.post(
    `${path}/pause`,
    {
      config: { may: "webhooks.write" },
      schema: { body: NoFields, response: { 200: Webhook } },
    },
    async (request) => {
      const asker = inSubaccount(request);
      const { id } = asker.subaccount;
      await db.transaction(async (tx) => {
        await pauseEndpoint(tx, id, { who: asker.who, nowMs: clock() });
        const doing = { action: "subaccount.pause_postback", object: { kind: "subaccount", id } };
        await recordAct({ tx, seal }, actOf(asker, doing));
      });
      return show(id);
    },
  );

  api.post(
    `${path}/resume`,
    {
      config: { may: "webhooks.write" },
      schema: { body: NoFields, response: { 200: Webhook } },
    },
    async (request) => {
      const asker = requireOpenSubaccount(inSubaccount(request));
      const { id } = asker.subaccount;
      await db.transaction(async (tx) => {
        await lockEndpoint(tx, id);
        const url = (await findEndpoint(tx, id, 0))?.url;
        if (!url) throw new Refusal("CONS703");
        await setPostback({ tx, seal }, id, url, { addresses, nowMs: clock() });
        const doing = { action: "subaccount.resume_postback", object: { kind: "subaccount", id } };
        await recordAct({ tx, seal }, actOf(asker, doing));
      });
      return show(id);
    },
  );
}
