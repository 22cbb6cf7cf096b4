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
