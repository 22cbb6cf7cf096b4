// The webhook endpoints of a subaccount, as the console lists them.

import Type from "typebox";
import {
  type ChangedEndpoint,
  WebhookEndpoint,
} from "../../../webhooks/webhook-endpoints/index.ts";

export const EndpointList = Type.Array(WebhookEndpoint);
export type EndpointLine = WebhookEndpoint;
/** A new one, or one with a new secret. */
export type IssuedEndpoint = ChangedEndpoint;
