// What users and commands do about events.

import Type from "typebox";
import { readEventId } from "../../platform/event-catalogue/index.ts";
import { idField, input, optional, required } from "../../platform/fields/index.ts";
import { Refusal } from "../../platform/refusals/index.ts";
import { act } from "../../tenants/acts/index.ts";
import { isProven } from "../../tenants/roles/index.ts";
import { insertTestEvent } from "./create-test.ts";
import { fillEndpoint, previewRecovery, startRecovery } from "./recover.ts";
import { updateRecoveryCancelled } from "./recovery-queries.ts";
import { resendEvent } from "./resend.ts";
import { StartedRecovery, TestEvent } from "./schema.ts";

const endpoint_id = optional(
  Type.String({ description: "only to this webhook endpoint; to all when absent" }),
);

const ofEvents = { may: "webhooks.write", in: "open subaccount" } as const;

/** The result is its row, as it is afterwards. */
export const sendEventAgain = act({
  ...ofEvents,
  name: "event.resend",
  summary: "send an event again, to webhook endpoints and to listeners",
  object: "event",
  doors: ["console", "cli"],
  input: input({ id: Type.String(), endpoint_id }),
  async run({ tx, subaccount, who, atMs }, { id: name, endpoint_id: endpointId }) {
    const id = readEventId(name);
    if (!id) throw new Refusal("CONS110");
    const key = { subaccountId: subaccount.id, id };
    const result = await resendEvent(tx, key, { who, nowMs: atMs, endpointId });
    return { result, id, after: { ...(endpointId && { endpoint_id: endpointId }) } };
  },
});

const ms = Type.Integer({ minimum: 0, maximum: 1e15 });

/** A user has to prove again who they are where it sends many. */
export const recoverEvents = act({
  ...ofEvents,
  name: "event.recover",
  summary: "resend, in the background, all undelivered events of a time range",
  object: "recovery",
  doors: ["console", "cli"],
  input: input({
    since: required(ms),
    until: optional(ms),
    with_delivered: optional(Type.Boolean({ description: "also resend delivered events" })),
    with_unsent: optional(Type.Boolean()),
    endpoint_id,
  }),
  async run({ tx, session, subaccount, who, atMs }, range) {
    const { since, until, with_delivered = false, with_unsent = false, endpoint_id } = range;
    const only = endpoint_id && { endpoint_id };
    const included = { withDelivered: with_delivered, withUnsent: with_unsent };
    const asked = { subaccountId: subaccount.id, since, until, ...included };
    const { count, is_capped, needs_step_up } = await previewRecovery(tx, asked, atMs);
    if (session && needs_step_up && !isProven(session, atMs)) throw new Refusal("CONS103");
    const times = { since, ...(until !== undefined && { until }) };
    const result = await startRecovery(
      tx,
      subaccount.id,
      { ...times, ...only, include_delivered: with_delivered },
      { who, nowMs: atMs, withUnsent: with_unsent },
    );
    return {
      result,
      id: result.id,
      after: { ...times, ...only, with_delivered, with_unsent, count, is_capped },
    };
  },
});

export const cancelRecovery = act({
  name: "event.recover.cancel",
  summary: "end a recovery; what it has resent stays",
  object: "recovery",
  may: "webhooks.write",
  in: "subaccount",
  doors: ["console"],
  input: input({ id: idField("CONS110") }),
  async run({ tx, subaccount, who, atMs }, { id }) {
    const key = { subaccountId: subaccount.id, id };
    if (!(await updateRecoveryCancelled(tx, key, { who, nowMs: atMs }))) {
      throw new Refusal("CONS704");
    }
    return { result: undefined, id };
  },
});

export const fillWebhookEndpoint = act({
  name: "webhook_endpoint.fill",
  stepUp: true,
  summary: "send a webhook endpoint the events of its types from before it, of at most 30 days",
  object: "webhook_endpoint",
  may: "webhooks.write",
  in: "open subaccount",
  doors: ["api", "console", "cli"],
  input: input({ id: idField("ENDP101"), since: optional(ms) }),
  output: StartedRecovery,
  async run({ tx, subaccount, who, atMs }, { id, since }) {
    const key = { subaccountId: subaccount.id, id };
    const result = await fillEndpoint(tx, key, since, { who, nowMs: atMs });
    return { result, id, after: { since: result.since, until: result.until } };
  },
});

const { type, set } = TestEvent.properties;

export const triggerEvent = act({
  ...ofEvents,
  name: "event.trigger",
  summary: "send a sample event with made-up ids",
  object: "subaccount",
  doors: ["console", "cli"],
  input: input({ type, set }),
  async run({ tx, subaccount: { id }, atMs }, test) {
    const result = await insertTestEvent(tx, id, test, atMs);
    return { result, id, after: { type: result.type } };
  },
});
