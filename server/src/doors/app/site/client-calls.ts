// How the clients call each operation: the resource and the method, as the TypeScript client has them. The other clients, which are
// generated, and the code of the documentation have the same, in the spelling of their language.

/** A new operation needs its row. */
export const clientFaces: Readonly<Record<string, `${string}.${string}`>> = {
  createReceiver: "receivers.create",
  getReceiver: "receivers.get",
  listReceivers: "receivers.list",
  updateReceiver: "receivers.update",
  deleteReceiver: "receivers.delete",
  eraseReceiver: "receivers.erase",
  restartKyc: "receivers.restartKyc",
  createKycLink: "receivers.kycLink",
  listReceiverHistory: "receivers.history",
  createReceiverAccount: "receiverAccounts.create",
  getReceiverAccount: "receiverAccounts.get",
  listReceiverAccounts: "receiverAccounts.list",
  updateReceiverAccount: "receiverAccounts.update",
  deleteReceiverAccount: "receiverAccounts.delete",
  validateReceiverAccount: "receiverAccounts.validate",
  getReceiverAccountSchema: "receiverAccounts.schema",
  createPayout: "payouts.create",
  validatePayout: "payouts.validate",
  createPayoutBatch: "payouts.createBatch",
  getPayout: "payouts.get",
  listPayouts: "payouts.list",
  getPayoutBatch: "payouts.batch",
  cancelPayout: "payouts.cancel",
  listPayoutHistory: "payouts.history",
  getBalance: "balance.get",
  getFunding: "balance.funding",
  listBalanceEntries: "balance.entries",
  getBalanceStatement: "balance.statement",
  listEvents: "events.list",
  getEvent: "events.get",
  resendEvent: "events.resend",
  recoverEvents: "events.recover",
  announceTestEvent: "events.test",
  listenToEvents: "events.listen",
  getSubaccount: "subaccount.get",
  updateSubaccount: "subaccount.update",
  getPostback: "subaccount.getPostback",
  rotatePostbackSecret: "subaccount.rotatePostbackSecret",
  listWebhookEndpoints: "webhookEndpoints.list",
  getWebhookEndpoint: "webhookEndpoints.get",
  createWebhookEndpoint: "webhookEndpoints.create",
  updateWebhookEndpoint: "webhookEndpoints.update",
  deleteWebhookEndpoint: "webhookEndpoints.delete",
  rotateWebhookEndpoint: "webhookEndpoints.rotate",
  pauseWebhookEndpoint: "webhookEndpoints.pause",
  enableWebhookEndpoint: "webhookEndpoints.enable",
  fillWebhookEndpoint: "webhookEndpoints.fill",
  listSourceAddresses: "webhookEndpoints.sourceAddresses",
  setTestStatus: "testHelpers.setStatus",
  fundTestBalance: "testHelpers.fund",
};

/** Lists of all pages, as an iterator. */
const iterated = [
  "listReceivers",
  "listReceiverHistory",
  "listPayouts",
  "listBalanceEntries",
  "listEvents",
  "listenToEvents",
];

/** Where one parameter of the query, or one field of the body, is the argument. */
const onlyArguments: Readonly<Record<string, string>> = {
  getReceiverAccountSchema: "country",
  createPayoutBatch: "payouts",
};

/** Undefined: the clients don't have it. */
export function clientCall(operationId: string) {
  const [resource = "", method = ""] = clientFaces[operationId]?.split(".") ?? [];
  if (method === "") return undefined;
  return {
    resource,
    method,
    isList: iterated.includes(operationId),
    only: onlyArguments[operationId],
  };
}
