// What users and commands do to a webhook endpoint.

import Type from "typebox";
import type { AddressPolicy } from "../../platform/addresses/index.ts";
import type { Mode } from "../../platform/base/index.ts";
import { sentTypes } from "../../platform/event-catalogue/index.ts";
import {
  type FieldCodes,
  input,
  NoFields,
  optional,
  required,
} from "../../platform/fields/index.ts";
import { limits } from "../../platform/limits/index.ts";
import { Refusal } from "../../platform/refusals/index.ts";
import { act, type Doing } from "../../tenants/acts/index.ts";
import { askForActivation, usualScopes } from "../../tenants/api-keys/index.ts";
import {
  addSubaccount,
  updateBalanceLevels,
  updateEventMetadata,
} from "../../tenants/subaccounts/index.ts";
import { changeSubaccount } from "./change.ts";
import { plainUrl } from "./endpoint.ts";
import { findEndpoint, lockEndpoint, updateEndpointPaused } from "./queries.ts";
import {
  BalanceLevels,
  EventTypes,
  MadeSubaccount,
  NewSubaccount,
  ProfileChange,
} from "./schema.ts";
import { rotateSecret } from "./secret.ts";
import { setEventTypes } from "./set-event-types.ts";
import { setPostback } from "./set-postback.ts";

type DoingWithUrl = Doing & { addresses: AddressPolicy };

const ofEndpoint = { object: "subaccount", may: "webhooks.write" } as const;

/** The result is the secret, if this is the first URL. */
export const setWebhookUrl = act({
  ...ofEndpoint,
  name: "subaccount.set_postback",
  summary: "set the webhook URL for its events; '' removes it; the first secret is shown only once",
  stepUp: true,
  in: "open subaccount",
  doors: ["console", "cli"],
  input: input({ url: required(Type.String({ maxLength: 2048 })) }),
  async run({ tx, seal, subaccount: { id }, atMs, addresses }: DoingWithUrl, { url }) {
    await lockEndpoint(tx, id);
    const before = (await findEndpoint(tx, id, 0))?.url ?? "";
    return {
      result: await setPostback({ tx, seal }, id, url, { addresses, nowMs: atMs }),
      id,
      before: { postback_url: plainUrl(before) },
      after: { postback_url: plainUrl(url) },
    };
  },
});

/** Stops the deliveries until the URL is set again. Running attempts are finished. */
export const pauseWebhook = act({
  ...ofEndpoint,
  name: "subaccount.pause_postback",
  summary: "stop sending events; those that wait are sent when it is resumed",
  in: "subaccount",
  doors: ["console"],
  input: NoFields,
  async run({ tx, subaccount: { id }, who, atMs }) {
    if (!(await updateEndpointPaused(tx, id, { who, nowMs: atMs }))) throw new Refusal("CONS702");
    return { result: undefined, id };
  },
});

export const resumeWebhook = act({
  ...ofEndpoint,
  name: "subaccount.resume_postback",
  summary: "send events again, first those that wait",
  stepUp: true,
  in: "open subaccount",
  doors: ["console"],
  input: NoFields,
  async run({ tx, seal, subaccount: { id }, atMs, addresses }: DoingWithUrl) {
    await lockEndpoint(tx, id);
    const url = (await findEndpoint(tx, id, 0))?.url;
    if (!url) throw new Refusal("CONS703");
    await setPostback({ tx, seal }, id, url, { addresses, nowMs: atMs });
    return { result: undefined, id };
  },
});

const eventTypesCodes: FieldCodes = { missing: "CONS107", invalid: "SUBA215" };

/** The result is all types that are sent from now on. */
export const setWebhookTypes = act({
  ...ofEndpoint,
  name: "subaccount.set_event_types",
  summary: "choose which extra event types it receives; none to receive only the standard ones",
  stepUp: true,
  in: "open subaccount",
  doors: ["console", "cli"],
  input: input({
    event_types: { ...EventTypes, codes: eventTypesCodes },
    event_metadata: optional(Type.Boolean()),
    balance_levels: Type.Optional(BalanceLevels),
  }),
  async run({ tx, subaccount: { id } }, { event_types, event_metadata, balance_levels }) {
    await lockEndpoint(tx, id);
    const found = await findEndpoint(tx, id, 0);
    const before = sentTypes(found?.event_types ?? []);
    const after = await setEventTypes(tx, id, event_types);
    const isOther = event_metadata !== undefined && event_metadata !== found?.event_metadata;
    if (isOther) await updateEventMetadata(tx, id, event_metadata);
    if (balance_levels) await updateBalanceLevels(tx, id, balance_levels);
    return {
      result: after,
      id,
      before: {
        event_types: before.join(" "),
        ...(isOther && { event_metadata: !event_metadata }),
        ...(balance_levels && { balance_levels: found?.balance_levels }),
      },
      after: {
        event_types: after.join(" "),
        ...(isOther && { event_metadata }),
        ...(balance_levels && { balance_levels }),
      },
    };
  },
});

export const rotateWebhookSecret = act({
  ...ofEndpoint,
  name: "subaccount.rotate_postback_secret",
  summary:
    "create a new webhook secret, shown only once; the previous ones stay valid for --overlap",
  stepUp: true,
  in: "open subaccount",
  doors: ["console", "cli"],
  input: input({
    overlap_s: required(Type.Integer({ minimum: 0, maximum: limits.rotationGraceMaxMs / 1000 })),
  }),
  async run({ tx, seal, subaccount: { id }, atMs }, { overlap_s }) {
    const rotation = { overlapMs: overlap_s * 1000, nowMs: atMs };
    const result = await rotateSecret({ tx, seal }, id, rotation);
    return { result, id, after: { overlap_seconds: overlap_s } };
  },
});

export const changeSettings = act({
  name: "subaccount.change",
  summary: "change the contact and the event types",
  object: "subaccount",
  may: "settings.write",
  in: "open subaccount",
  doors: ["console"],
  input: ProfileChange,
  async run({ tx, seal, subaccount: { id }, atMs, addresses }: DoingWithUrl, change) {
    const fields = Object.keys(change).sort();
    if (fields.length === 0) throw new Refusal("SUBA213");
    await changeSubaccount({ tx, seal }, id, change, { addresses, nowMs: atMs });
    return { result: undefined, id, after: { fields } };
  },
});

/** With its first key. That of a live subaccount waits for a second user, unless a command makes it. */
export const registerSubaccount = act({
  name: "subaccount.create",
  summary: "create a subaccount and its first key; the secret is shown only once",
  object: "subaccount",
  may: "subaccounts.create",
  stepUp: true,
  doors: ["console", "cli"],
  input: NewSubaccount,
  output: MadeSubaccount,
  async run({ tx, seal, session, who, atMs, addresses }: DoingWithUrl, request) {
    const { name, mode: given, postback_url = "", ...details } = request;
    const mode = given as Mode;
    // As every key with the scope payout that a user creates.
    const awaitsApproval = mode === "live" && session !== undefined;
    const made = await addSubaccount(tx, seal, {
      name,
      mode,
      details,
      seenBy: who,
      awaitsApproval,
    });
    const { subaccountId: id, key, secret } = made;
    const fields = { name: "first", scopes: usualScopes };
    if (awaitsApproval) {
      await askForActivation(tx, "key", { subaccountId: id, key, fields, madeBy: who });
    }
    const postback =
      postback_url &&
      (await setPostback({ tx, seal }, id, postback_url, { addresses, nowMs: atMs }));
    const url = postback_url && { postback_url: plainUrl(postback_url) };
    return {
      result: {
        ...{ id, name, mode, key, secret, awaits_approval: awaitsApproval },
        ...(postback && { webhook_secret: postback }),
      },
      entries: [
        {
          action: "subaccount.create",
          object: { kind: "subaccount", id },
          subaccountId: id,
          after: { name, mode, ...url },
        },
        {
          action: "key.create",
          object: { kind: "api_key", id: key },
          subaccountId: id,
          after: fields,
        },
      ],
    };
  },
});
