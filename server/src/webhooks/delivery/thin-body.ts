// The body of an event for endpoints of the format `thin`: enough to ask for the rest, and no personal data, amount or
// reference. Pure, so every attempt has the same bytes.

import { eventName } from "../../platform/event-catalogue/index.ts";
import type { DueDelivery } from "./queries.ts";

/** The order of events is kept for each object, so the key of the order is the id of the object. */
export function thinBody({
  event_id,
  order_key,
  body,
}: Pick<DueDelivery, "event_id" | "order_key" | "body">): string {
  const { event, timestamp } = JSON.parse(body) as { event: string; timestamp: number | string };
  const thin = {
    id: eventName(event_id),
    type: event,
    object_id: order_key,
    time: Number(timestamp),
  };
  return JSON.stringify(thin);
}
