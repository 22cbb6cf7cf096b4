// Stops the deliveries to a webhook endpoint until its URL is set again. Running attempts are finished.

import { NoFields } from "../../platform/fields/index.ts";
import { Refusal } from "../../platform/refusals/index.ts";
import { act } from "../../tenants/acts/index.ts";
import { updateEndpointPaused } from "./queries.ts";

export const pauseWebhook = act({
  name: "subaccount.pause_postback",
  summary: "stop sending events; those that wait are sent when it is resumed",
  object: "subaccount",
  may: "webhooks.write",
  in: "subaccount",
  doors: ["console"],
  input: NoFields,
  async run({ tx, subaccount: { id }, who, atMs }) {
    if (!(await updateEndpointPaused(tx, id, { who, nowMs: atMs }))) throw new Refusal("CONS702");
    return { result: undefined, id };
  },
});
