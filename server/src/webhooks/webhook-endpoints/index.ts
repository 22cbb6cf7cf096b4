// What other nouns use of webhook-endpoints. The rest of this folder is private to it.

export { changeSubaccount, changeSubaccountByKey } from "./change.ts";
export { plainUrl, toPostback } from "./endpoint.ts";
export { pauseWebhook } from "./pause.ts";
export {
  type EndpointRow,
  findEndpoint,
  listLiveSecrets,
  lockEndpoint,
  type SecretTimes,
} from "./queries.ts";
export {
  ChangedSubaccount,
  EventTypes,
  overlapSDefault,
  Postback,
  RotatedSecret,
  SecretRotation,
  SubaccountChange,
  telephoneRules,
} from "./schema.ts";
export {
  endpointSecretIdentity,
  ensureSecret,
  formerSecretIdentity,
  newWebhookSecret,
  rotateSecret,
} from "./secret.ts";
export { setEventTypes } from "./set-event-types.ts";
export { type SettingPostback, setPostback } from "./set-postback.ts";
