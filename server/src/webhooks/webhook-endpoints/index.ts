// What other nouns use of webhook-endpoints. The rest of this folder is private to it.

export {
  changeSettings,
  pauseWebhook,
  registerSubaccount,
  resumeWebhook,
  rotateWebhookSecret,
  setWebhookTypes,
  setWebhookUrl,
} from "./acts.ts";
export { changeSubaccountByKey } from "./change.ts";
export { toPostback } from "./endpoint.ts";
export {
  changeWebhookEndpoint,
  createWebhookEndpoint,
  deleteWebhookEndpoint,
  enableWebhookEndpoint,
  pauseWebhookEndpoint,
  rotateEndpointSecretAct,
} from "./endpoint-acts.ts";
export {
  ChangedEndpoint,
  EndpointChange,
  EndpointRotation,
  NewEndpoint,
  NoEndpointFields,
  WebhookEndpoint,
} from "./endpoint-schema.ts";
export {
  type EndpointTables,
  endpointKey,
  endpointOfLane,
  furtherTables,
  keyOf,
  laneOf,
  postbackTables,
  sameEndpoint,
} from "./endpoint-tables.ts";
export { listEndpoints, requireEndpoint, showEndpoint } from "./endpoints.ts";
export { listFurtherIds } from "./further-queries.ts";
export { headersIdentity, readOwnHeaders } from "./own-headers.ts";
export { type EndpointRow, findEndpoint, listLiveSecrets, type SecretTimes } from "./queries.ts";
export {
  ChangedSubaccount,
  NewSubaccount,
  overlapSDefault,
  Postback,
  RotatedSecret,
  SecretRotation,
  SubaccountChange,
} from "./schema.ts";
export {
  endpointSecretIdentity,
  ensureSecret,
  newWebhookSecret,
  rotateSecret,
} from "./secret.ts";
