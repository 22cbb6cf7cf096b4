// A request for every POST of the API. Each succeeds, and leaves a trace if it is done twice.

import { newPayee } from "./payers.ts";
import { ada, type TestCaller } from "./service.ts";

/** `takesNoKey`: an idempotency key has no effect. */
type Prepared = { path: string; body?: object; takesNoKey?: true };

const newReceiver = async ({ disburse }: TestCaller) =>
  (await disburse.receivers.create(ada())).receiver_id;

export const australian = {
  account_type: "I",
  account_number: "12345999",
  bsb: "062000",
  country: "AUS",
};

/** A payout that can be created, and that the bank never settles. */
export async function newPayout(caller: TestCaller) {
  const payee = await newPayee(caller.disburse, "12345888");
  await caller.disburse.testHelpers.fund({ amount: 1_000, currency: "AUD" });
  return { ...payee, amount: 10, currency: "AUD" };
}

const newEndpoint = {
  url: "https://books.example.com/events",
  event_types: ["payoutUpdate" as const],
};
const newEndpointId = async ({ disburse }: TestCaller) =>
  (await disburse.webhookEndpoints.create(newEndpoint)).id;

export const postRequests: Record<string, (caller: TestCaller) => Promise<Prepared>> = {
  "/api/receiver": async () => ({ path: "/api/receiver", body: ada() }),
  "/api/receiver/{id}/kyc": async (caller) => {
    const id = await newReceiver(caller);
    await caller.disburse.testHelpers.setStatus({ id, type: "kyc", status: "fail" });
    return { path: `/api/receiver/${id}/kyc` };
  },
  "/api/receiver/{id}/erase": async (caller) => ({
    path: `/api/receiver/${await newReceiver(caller)}/erase`,
  }),
  "/api/receiver/{id}/kyc-link": async (caller) => ({
    path: `/api/receiver/${await newReceiver(caller)}/kyc-link`,
    takesNoKey: true,
  }),
  "/api/receiveraccount": async (caller) => {
    const receiver_id = await newReceiver(caller);
    return { path: "/api/receiveraccount", body: { ...australian, receiver_id } };
  },
  "/api/receiveraccount/validate": async () => ({
    path: "/api/receiveraccount/validate",
    body: australian,
  }),
  "/api/payout/single": async (caller) => ({
    path: "/api/payout/single",
    body: await newPayout(caller),
  }),
  "/api/payout/validate": async (caller) => ({
    path: "/api/payout/validate",
    body: await newPayout(caller),
    takesNoKey: true,
  }),
  "/api/payout/batch": async (caller) => ({
    path: "/api/payout/batch",
    body: { payouts: [await newPayout(caller)] },
  }),
  "/api/payout/{id}/cancel": async (caller) => {
    const { payout_id } = await caller.disburse.payouts.create(await newPayout(caller));
    return { path: `/api/payout/${payout_id}/cancel` };
  },
  "/api/event/{id}/resend": async ({ disburse }) => ({
    path: `/api/event/${(await disburse.events.test()).id}/resend`,
  }),
  "/api/event/recover": async ({ disburse }) => {
    await disburse.subaccount.update({ postback_url: "https://example.com/events" });
    return { path: "/api/event/recover", body: { since: 0, until: 1_731_628_800_000 } };
  },
  "/api/event/test": async () => ({ path: "/api/event/test", body: { type: "payoutUpdate" } }),
  "/api/subaccount/postback-secret": async () => ({
    path: "/api/subaccount/postback-secret",
    body: { overlap_s: 60 },
  }),
  "/api/webhook-endpoint": async () => ({ path: "/api/webhook-endpoint", body: newEndpoint }),
  "/api/webhook-endpoint/{id}/rotate": async (caller) => ({
    path: `/api/webhook-endpoint/${await newEndpointId(caller)}/rotate`,
    body: { overlap_s: 60 },
  }),
  "/api/webhook-endpoint/{id}/pause": async (caller) => ({
    path: `/api/webhook-endpoint/${await newEndpointId(caller)}/pause`,
  }),
  "/api/webhook-endpoint/{id}/enable": async (caller) => ({
    path: `/api/webhook-endpoint/${await newEndpointId(caller)}/enable`,
  }),
  "/api/webhook-endpoint/{id}/fill": async (caller) => ({
    path: `/api/webhook-endpoint/${await newEndpointId(caller)}/fill`,
  }),
  "/api/test-helpers/status": async (caller) => {
    const id = await newReceiver(caller);
    return { path: "/api/test-helpers/status", body: { id, type: "kyc", status: "success" } };
  },
  "/api/test-helpers/fund": async () => ({
    path: "/api/test-helpers/fund",
    body: { amount: 100, currency: "AUD" },
  }),
};
