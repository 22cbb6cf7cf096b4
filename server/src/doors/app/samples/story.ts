// The calls that the samples are made of: a receiver is created, gets a bank account and is paid; then what can be
// asked and changed about it. Every operation is called at least once, with an answer of 200.

import type { NewPayout } from "../../../money/payouts/index.ts";
import type { NewReceiver } from "../../../people/receivers/index.ts";
import type { Sample } from "./sample.ts";

type Ask = Pick<Sample, "headers" | "body"> & {
  summary?: string;
  status?: number;
  /** Needed by the story, but not worth showing. */
  isAside?: boolean;
  /** Asks until the answer says so; only the last answer is kept. */
  until?: (payload: Payload) => boolean;
};
// biome-ignore lint/suspicious/noExplicitAny: whatever the operation answers
type Payload = any;

export type Call = (operationId: string, line: string, ask?: Ask) => Promise<Payload>;

type Scene = {
  call: Call;
  /** An endpoint that answers 204. */
  endpoint: string;
  startedMs: number;
};

const ada: NewReceiver = {
  first_name: "Ada",
  last_name: "Lovelace",
  email: "ada@example.com",
  dob: "1990-12-10",
  dialcode: "61",
  phone: "412345678",
  address: "1 St. Kilda Road",
  address2: "",
  gender: "F",
  city: "Melbourne",
  state: "VIC",
  postcode: "3004",
  country: "AUS",
  reference: "staff-0042",
};
const bank = { account_type: "I", bsb: "062000", account_number: "12345999" };

export async function tellStory({ call, endpoint, startedMs }: Scene): Promise<void> {
  const receiverId = await receivers(call);
  const accountId = await accounts(call, receiverId);
  const payoutId = await payouts(call, { receiver_id: receiverId, account_id: accountId });
  await balance(call, startedMs);
  await events(call, { endpoint, startedMs, payoutId });
  await call("deleteReceiverAccount", `DELETE /api/receiveraccount/${accountId}`, {
    summary: "Payouts are under way",
    status: 409,
  });
  for (const { id } of await call("listPayouts", "GET /api/payout?status=pending", {
    isAside: true,
  })) {
    await call("cancelPayout", `POST /api/payout/${id}/cancel`, { isAside: true });
  }
  await call("deleteReceiverAccount", `DELETE /api/receiveraccount/${accountId}`);
  await call("deleteReceiver", `DELETE /api/receiver/${receiverId}`);
  await call("eraseReceiver", `POST /api/receiver/${receiverId}/erase`, {
    summary: "Payouts must be kept by law",
    status: 409,
  });
  const [grace] = await call("listReceivers", "GET /api/receiver?limit=1", { isAside: true });
  await call("eraseReceiver", `POST /api/receiver/${grace.id}/erase`);
  await call("healthz", "GET /healthz");
  await call("readyz", "GET /readyz");
}

async function receivers(call: Call): Promise<string> {
  const { receiver_id: id } = await call("createReceiver", "POST /api/receiver", {
    headers: { "idempotency-key": "staff-0042" },
    body: ada,
  });
  await call("createReceiver", "POST /api/receiver", {
    summary: "The email is taken",
    body: ada,
    status: 400,
  });
  await call("createReceiver", "POST /api/receiver", {
    summary: "Every problem at once",
    body: { ...ada, email: "grace", dob: "12.10.1990", state: "Victoria" },
    status: 400,
  });
  await call("getReceiver", `GET /api/receiver/${id}`);
  await call("getReceiver", "GET /api/receiver/0190f3a2-7b3c-7d1e-8f00-ffffffffffff", {
    summary: "There is no such receiver",
    status: 400,
  });
  const grace = { ...ada, first_name: "Grace", last_name: "Hopper", email: "grace@example.com" };
  await call("createReceiver", "POST /api/receiver", {
    isAside: true,
    body: { ...grace, reference: "staff-0043" },
  });
  await call("listReceivers", "GET /api/receiver?limit=1", { summary: "The first page" });
  const kyc = { id, type: "kyc" };
  await call("setTestStatus", "POST /api/test-helpers/status", {
    summary: "The identity check fails",
    body: { ...kyc, status: "fail" },
  });
  await call("restartKyc", `POST /api/receiver/${id}/kyc`);
  await call("createKycLink", `POST /api/receiver/${id}/kyc-link`);
  await call("setTestStatus", "POST /api/test-helpers/status", {
    summary: "The identity check succeeds",
    body: { ...kyc, status: "success" },
  });
  await call("updateReceiver", `PATCH /api/receiver/${id}`, { body: { phone: "412345679" } });
  await call("listReceiverHistory", `GET /api/receiver/${id}/history`);
  return id;
}

async function accounts(call: Call, receiver_id: string): Promise<string> {
  await call("getReceiverAccountSchema", "GET /api/receiveraccount/schema?country=AUS");
  await call("validateReceiverAccount", "POST /api/receiveraccount/validate", {
    body: { ...bank, country: "AUS" },
  });
  await call("validateReceiverAccount", "POST /api/receiveraccount/validate", {
    summary: "No such bank",
    body: { ...bank, bsb: "999999", country: "AUS" },
    status: 400,
  });
  const { account_id: id } = await call("createReceiverAccount", "POST /api/receiveraccount", {
    headers: { "idempotency-key": "staff-0042-account" },
    body: { receiver_id, ...bank },
  });
  await call("getReceiverAccount", `GET /api/receiveraccount/${id}`);
  await call("listReceiverAccounts", `GET /api/receiveraccount/receiver/${receiver_id}`);
  await call("updateReceiverAccount", `PATCH /api/receiveraccount/${id}`, {
    body: { occupation: "Analyst" },
  });
  return id;
}

async function payouts(
  call: Call,
  to: Pick<NewPayout, "receiver_id" | "account_id">,
): Promise<string> {
  await call("fundTestBalance", "POST /api/test-helpers/fund", {
    body: { amount: 100_000, currency: "AUD", reference: "deposit 1" },
  });
  const payout = { ...to, amount: 12_500, currency: "AUD", reference: "invoice 7" };
  await call("validatePayout", "POST /api/payout/validate", { body: payout });
  await call("validatePayout", "POST /api/payout/validate", {
    summary: "Every reason at once",
    body: { ...payout, amount: 200_000, currency: "USD" },
  });
  const headers = { "idempotency-key": "invoice-7" };
  const { payout_id: id } = await call("createPayout", "POST /api/payout/single", {
    headers,
    body: payout,
  });
  await call("createPayout", "POST /api/payout/single", {
    summary: "An identical payout was made in the last 24 hours",
    headers: { "idempotency-key": "invoice-7-again" },
    body: payout,
    status: 409,
  });
  await call("getPayout", `GET /api/payout/${id}`);
  await call("setTestStatus", "POST /api/test-helpers/status", {
    summary: "The payout is paid",
    body: { id, type: "payout", status: "success" },
  });
  await call("listPayoutHistory", `GET /api/payout/${id}/history`);
  const rows = [8, 9].map((number) => ({
    ...to,
    amount: number * 1000,
    currency: "AUD",
    reference: `invoice ${number}`,
  }));
  const made = await call("createPayoutBatch", "POST /api/payout/batch", {
    headers: { "idempotency-key": "invoices-8-and-9" },
    body: { payouts: rows },
  });
  await call("getPayoutBatch", `GET /api/payout/batch/${made.batch_id}`);
  const [first] = made.payouts;
  await call("cancelPayout", `POST /api/payout/${first.payout_id}/cancel`);
  await call("listPayouts", "GET /api/payout?status=successful");
  await call("listPayouts", "GET /api/payout?status=successful", {
    summary: "As CSV",
    headers: { accept: "text/csv" },
  });
  return id;
}

async function balance(call: Call, startedMs: number): Promise<void> {
  await call("getBalance", "GET /api/balance");
  await call("getFunding", "GET /api/balance/funding");
  const entries = "GET /api/balance/entries?currency=AUD&limit=2";
  await call("listBalanceEntries", entries);
  await call("listBalanceEntries", entries, {
    summary: "As CSV",
    headers: { accept: "text/csv" },
  });
  const day = (offset: number) =>
    new Date(startedMs + offset * 86_400_000).toISOString().slice(0, 10);
  const statement = `GET /api/balance/statement?currency=AUD&from=${day(-7)}&to=${day(7)}`;
  await call("getBalanceStatement", statement);
  await call("getBalanceStatement", statement, {
    summary: "As CSV",
    headers: { accept: "text/csv" },
  });
}

async function events(
  call: Call,
  { endpoint, startedMs, payoutId }: { endpoint: string; startedMs: number; payoutId: string },
): Promise<void> {
  await call("getSubaccount", "GET /api/subaccount");
  const [event] = await call("listEvents", `GET /api/event?payout_id=${payoutId}&limit=1`);
  await call("listenToEvents", `GET /api/event/feed?last_event_id=${event.id}`, {
    headers: { accept: "text/event-stream" },
  });
  await call("updateSubaccount", "PATCH /api/subaccount", { body: { postback_url: endpoint } });
  await call("rotatePostbackSecret", "POST /api/subaccount/postback-secret", {
    body: { overlap_s: 3600 },
  });
  await call("resendEvent", `POST /api/event/${event.id}/resend`);
  await call("getEvent", `GET /api/event/${event.id}`, {
    until: ({ status }) => status === "delivered",
  });
  await call("getPostback", "GET /api/subaccount/postback", {
    until: ({ waiting }) => waiting === 0,
  });
  await call("announceTestEvent", "POST /api/event/test", { body: { type: "payoutFailure" } });
  await call("recoverEvents", "POST /api/event/recover", {
    body: { since: startedMs - 3_600_000 },
  });

  const path = "/api/webhook-endpoint";
  const { id } = await call("createWebhookEndpoint", `POST ${path}`, {
    body: { url: endpoint, event_types: ["payoutOnHold", "payoutReleased"], format: "thin" },
  });
  await call("listWebhookEndpoints", `GET ${path}`, {
    // The event that was sent again, the test event, and seven that were recovered.
    until: ([{ waiting, last_day }]) => waiting === 0 && last_day.attempts === 9,
  });
  await call("updateWebhookEndpoint", `PATCH ${path}/${id}`, { body: { description: "holds" } });
  await call("getWebhookEndpoint", `GET ${path}/${id}`);
  await call("rotateWebhookEndpoint", `POST ${path}/${id}/rotate`, { body: { overlap_s: 3600 } });
  await call("pauseWebhookEndpoint", `POST ${path}/${id}/pause`);
  await call("enableWebhookEndpoint", `POST ${path}/${id}/enable`);
  await call("fillWebhookEndpoint", `POST ${path}/${id}/fill`, {
    body: { since: startedMs - 3_600_000 },
  });
  await call("deleteWebhookEndpoint", `DELETE ${path}/${id}`);
  await call("listSourceAddresses", `GET ${path}/source-addresses`);
}
