// What other nouns use of events. The rest of this folder is private to it.

export {
  cancelRecovery,
  fillWebhookEndpoint,
  recoverEvents,
  sendEventAgain,
  triggerEvent,
} from "./acts.ts";
export { insertTestEvent } from "./create-test.ts";
export { eventFeeds, type Feeds } from "./feed.ts";
export { toEventPage, toOldestEventPage } from "./filter.ts";
export { advanceFurtherRecoveries } from "./further-recovery-queries.ts";
export {
  type EventKey,
  type EventRow,
  type EventWithAttempts,
  findEvent,
  type LatestEventRow,
  listEventPage,
  listEvents,
  listFurtherDeliveries,
  listLatestEvents,
  toRecord,
} from "./list-queries.ts";
export {
  type BalanceFacts,
  balanceFunded,
  balanceLow,
  batchFinishedSql,
  monthClosed,
  type OutboxEvent,
  type PayoutFacts,
  payoutCancelled,
  payoutCreated,
  payoutFailure,
  payoutOnHold,
  payoutReleased,
  payoutReturned,
  payoutUpdate,
  receiverAccountCreated,
  receiverAccountUpdate,
  receiverCreatedSql,
  receiverDeactivated,
  receiverKycUpdate,
  receiverUpdate,
  webhookEndpointDisabled,
  webhookEndpointUpdate,
} from "./outbox.ts";
export {
  deleteNotesOfOldEvents,
  insertEvents,
  insertEventsSql,
  insertRequestedEvent,
  insertRequestedEvents,
  isRequestedSql,
  keepEventPartitions,
  laterEvents,
  laterEventsSql,
  laterMost,
} from "./queries.ts";
export {
  advanceRecoveries,
  previewRecovery,
  startRecovery,
} from "./recover.ts";
export { listRecoveries, type RecoveryState } from "./recovery-queries.ts";
export { resendEvent } from "./resend.ts";
export {
  AnnouncedTestEvent,
  EndpointFill,
  EventDetail,
  EventFilter,
  EventRecord,
  EventRecovery,
  EventResend,
  FeedFilter,
  RecoveryPreview,
  StartedRecovery,
  TestEvent,
} from "./schema.ts";
export { setTracesOfEvents } from "./trace-queries.ts";
