// What other nouns use of event-catalogue. The rest of this folder is private to it.

export { type EventStatus, eventName, eventStatuses, readEventId } from "./event.ts";
export {
  BalanceFunded,
  descriptionOf,
  EventBody,
  type EventType,
  eventCatalogue,
  eventSchemas,
  eventTypes,
  onRequestTypes,
  PayoutCreated,
  PayoutFailure,
  PayoutOnHold,
  PayoutReleased,
  PayoutUpdate,
  publishedTypes,
  ReceiverAccountUpdate,
  ReceiverKycUpdate,
  sentTypes,
  WebhookEndpointDisabled,
  WebhookEndpointUpdate,
} from "./event-catalogue.ts";
export type {
  BalanceLow,
  MonthClosed,
  PayoutCancelled,
  PayoutReturned,
  ReceiverAccountCreated,
  ReceiverDeactivated,
  ReceiverUpdate,
} from "./requested-events.ts";
