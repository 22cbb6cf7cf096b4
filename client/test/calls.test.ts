// The request that each operation sends. The server refuses any wrong signature.

import { afterAll, expect, test } from "vitest";
import { Disburse } from "../src/index.ts";
import { VERSION } from "../src/version.ts";
import {
  balance,
  newReceiver,
  newReceiverAccount,
  receiver,
  receiverAccount,
  subaccount,
} from "./samples.ts";
import { apiKey, apiSecret, startServer, stopServers, succeed } from "./scripted-server.ts";

afterAll(stopServers);

async function clientOf(payload: unknown, prefix = "") {
  const server = await startServer([succeed(payload)]);
  const baseUrl = server.baseUrl + prefix;
  return { disburse: new Disburse({ apiKey, apiSecret, baseUrl }), requests: server.requests };
}

test("receivers.create posts the receiver unchanged and returns its id", async () => {
  const created = { receiver_id: "receiver-1", kyc_status: "0" };
  const { disburse, requests } = await clientOf(created);

  expect(await disburse.receivers.create(newReceiver)).toEqual(created);

  expect(requests[0]).toMatchObject({ method: "POST", path: "/api/receiver" });
  expect(requests[0]?.headers["content-type"]).toBe("application/json");
  expect(JSON.parse(requests[0]?.body ?? "")).toEqual(newReceiver);
});

test("receivers.get reads one receiver", async () => {
  const { disburse, requests } = await clientOf(receiver("receiver-1"));
  expect(await disburse.receivers.get("receiver-1")).toEqual(receiver("receiver-1"));
  expect(requests[0]).toMatchObject({ method: "GET", path: "/api/receiver/receiver-1", body: "" });
});

test("receivers.update sends only the changes and returns the receiver", async () => {
  const { disburse, requests } = await clientOf(receiver("receiver-1"));
  const change = { postcode: "0800", address2: "", status: "inactive" } as const;

  expect(await disburse.receivers.update("receiver-1", change)).toEqual(receiver("receiver-1"));

  expect(requests[0]).toMatchObject({ method: "PATCH", path: "/api/receiver/receiver-1" });
  expect(requests[0]?.headers["content-type"]).toBe("application/json");
  expect(requests[0]?.body).toBe(`{"postcode":"0800","address2":"","status":"inactive"}`);
});

test("receivers.delete sends no body and no content type", async () => {
  const deleted = { receiver_id: "receiver-1", status: "inactive" };
  const { disburse, requests } = await clientOf(deleted);

  expect(await disburse.receivers.delete("receiver-1")).toEqual(deleted);

  const path = "/api/receiver/receiver-1";
  expect(requests[0]).toMatchObject({ method: "DELETE", path, body: "" });
  expect(requests[0]?.headers).not.toHaveProperty("content-type");
});

test("receivers.restartKyc posts an empty object", async () => {
  const restarted = { receiver_id: "receiver-1", kyc_status: "0" };
  const { disburse, requests } = await clientOf(restarted);

  expect(await disburse.receivers.restartKyc("receiver-1")).toEqual(restarted);

  const path = "/api/receiver/receiver-1/kyc";
  expect(requests[0]).toMatchObject({ method: "POST", path, body: "{}" });
});

test("receivers.kycLink posts without an idempotency key, because no link is stored", async () => {
  const link = { receiver_id: "receiver-1", url: "https://check.example/1", expires_at: "1" };
  const { disburse, requests } = await clientOf(link);

  expect(await disburse.receivers.kycLink("receiver-1")).toEqual(link);

  const path = "/api/receiver/receiver-1/kyc-link";
  expect(requests[0]).toMatchObject({ method: "POST", path, body: "{}" });
  expect(requests[0]?.headers).not.toHaveProperty("idempotency-key");
});

test("receiverAccounts.create posts the account with all leading zeros", async () => {
  const ids = { account_id: "1", receiver_account_id: "1", receiver_id: "receiver-1" };
  const warnings = [{ field: "bsb", message: "is of a bank that was renamed" }];
  const created = { ...ids, status: "active", warnings };
  const { disburse, requests } = await clientOf(created);

  expect(await disburse.receiverAccounts.create(newReceiverAccount)).toEqual(created);

  expect(requests[0]).toMatchObject({ method: "POST", path: "/api/receiveraccount" });
  expect(requests[0]?.body).toBe(
    `{"receiver_id":"receiver-1","account_type":"I","account_number":"000123456","bsb":"012003",` +
      `"postcode":"0800","homedialcode":"61","homephone":"0890000000"}`,
  );
});

test("receiverAccounts.get reads one account", async () => {
  const { disburse, requests } = await clientOf(receiverAccount);
  expect(await disburse.receiverAccounts.get("account-1")).toEqual(receiverAccount);
  expect(requests[0]?.path).toBe("/api/receiveraccount/account-1");
});

test("receiverAccounts.list reads all accounts of a receiver", async () => {
  const { disburse, requests } = await clientOf([receiverAccount]);
  expect(await disburse.receiverAccounts.list("receiver-1")).toEqual([receiverAccount]);
  expect(requests[0]?.path).toBe("/api/receiveraccount/receiver/receiver-1");
});

test("receiverAccounts.update sends only the changes and returns the account", async () => {
  const { disburse, requests } = await clientOf(receiverAccount);
  const change = { account_number: "012345678", bsb: "062000", postcode: "0800" };

  const account = await disburse.receiverAccounts.update("account-1", change);

  expect(account.bank_account_data).toMatchObject({ account_number: "012345678", bsb: "062000" });
  expect(requests[0]).toMatchObject({ method: "PATCH", path: "/api/receiveraccount/account-1" });
  expect(JSON.parse(requests[0]?.body ?? "")).toEqual(change);
});

test("receiverAccounts.delete deletes one account", async () => {
  const ids = { account_id: "1", receiver_account_id: "1", receiver_id: "receiver-1" };
  const { disburse, requests } = await clientOf({ ...ids, status: "inactive" });

  expect(await disburse.receiverAccounts.delete("1")).toEqual({ ...ids, status: "inactive" });

  expect(requests[0]).toMatchObject({ method: "DELETE", path: "/api/receiveraccount/1", body: "" });
});

test("receiverAccounts.validate needs no receiver", async () => {
  const { bank_account_data, account_data } = receiverAccount;
  const validated = { bank_name: "A bank", bank_account_data, account_data, warnings: [] };
  const { disburse, requests } = await clientOf(validated);
  const account = { account_type: "I", account_number: "012345678", bsb: "062000", country: "AUS" };

  expect(await disburse.receiverAccounts.validate(account)).toEqual(validated);

  expect(requests[0]).toMatchObject({ method: "POST", path: "/api/receiveraccount/validate" });
  expect(JSON.parse(requests[0]?.body ?? "")).toEqual(account);
});

test("receiverAccounts.schema reads the schema of a country", async () => {
  const schema = { type: "object", required: ["bsb"] };
  const { disburse, requests } = await clientOf(schema);
  expect(await disburse.receiverAccounts.schema("AUS")).toEqual(schema);
  const path = "/api/receiveraccount/schema?country=AUS";
  expect(requests[0]).toMatchObject({ method: "GET", path, body: "" });
});

test("testHelpers.setStatus posts the new status of a receiver", async () => {
  const status = { id: "receiver-1", type: "kyc", status: "fail" } as const;
  const { disburse, requests } = await clientOf(status);

  expect(await disburse.testHelpers.setStatus(status)).toEqual(status);

  expect(requests[0]).toMatchObject({ method: "POST", path: "/api/test-helpers/status" });
  expect(JSON.parse(requests[0]?.body ?? "")).toEqual(status);
});

test("testHelpers.setStatus posts the new status of a payout", async () => {
  const status = { id: "payout-1", type: "payout", status: "return", cause_code: "R03" } as const;
  const { disburse, requests } = await clientOf({ ...status, status: "failed" });

  expect(await disburse.testHelpers.setStatus(status)).toMatchObject({ status: "failed" });

  expect(requests[0]).toMatchObject({ method: "POST", path: "/api/test-helpers/status" });
  expect(JSON.parse(requests[0]?.body ?? "")).toEqual(status);
});

test("testHelpers.fund posts the deposit and returns the balance", async () => {
  const { disburse, requests } = await clientOf(balance);
  const funding = { amount: 100_000, currency: "AUD", reference: "a first deposit" };

  expect(await disburse.testHelpers.fund(funding)).toEqual(balance);

  expect(requests[0]).toMatchObject({ method: "POST", path: "/api/test-helpers/fund" });
  expect(JSON.parse(requests[0]?.body ?? "")).toEqual(funding);
});

test("subaccount.get reads the caller's own subaccount", async () => {
  const { disburse, requests } = await clientOf(subaccount);
  expect(await disburse.subaccount.get()).toEqual(subaccount);
  expect(requests[0]?.path).toBe("/api/subaccount");
});

test("a path in the base URL is sent and signed as part of the path", async () => {
  const { disburse, requests } = await clientOf(subaccount, "/behind/proxy/");
  await disburse.subaccount.get();
  expect(requests[0]?.path).toBe("/behind/proxy/api/subaccount");
});

const callsById: [string, string, (disburse: Disburse, id: string) => Promise<unknown>][] = [
  ["receivers.get", "receiver/ID", ({ receivers }, id) => receivers.get(id)],
  ["receivers.update", "receiver/ID", ({ receivers }, id) => receivers.update(id, {})],
  ["receivers.delete", "receiver/ID", ({ receivers }, id) => receivers.delete(id)],
  ["receivers.erase", "receiver/ID/erase", ({ receivers }, id) => receivers.erase(id)],
  ["receivers.restartKyc", "receiver/ID/kyc", ({ receivers }, id) => receivers.restartKyc(id)],
  ["receivers.kycLink", "receiver/ID/kyc-link", ({ receivers }, id) => receivers.kycLink(id)],
  // Asynchronous, because creating a list throws errors with which other calls reject.
  [
    "receivers.history",
    "receiver/ID/history",
    async ({ receivers }, id) => receivers.history(id).page(),
  ],
  ["receiverAccounts.get", "receiveraccount/ID", (client, id) => client.receiverAccounts.get(id)],
  [
    "receiverAccounts.update",
    "receiveraccount/ID",
    (client, id) => client.receiverAccounts.update(id, {}),
  ],
  [
    "receiverAccounts.delete",
    "receiveraccount/ID",
    (client, id) => client.receiverAccounts.delete(id),
  ],
  [
    "receiverAccounts.list",
    "receiveraccount/receiver/ID",
    (client, id) => client.receiverAccounts.list(id),
  ],
  ["events.get", "event/ID", ({ events }, id) => events.get(id)],
  ["events.resend", "event/ID/resend", ({ events }, id) => events.resend(id)],
  ["payouts.get", "payout/ID", ({ payouts }, id) => payouts.get(id)],
  ["payouts.batch", "payout/batch/ID", ({ payouts }, id) => payouts.batch(id)],
  ["payouts.cancel", "payout/ID/cancel", ({ payouts }, id) => payouts.cancel(id)],
  ["payouts.history", "payout/ID/history", ({ payouts }, id) => payouts.history(id)],
];

test.each(callsById)(
  "%s: an id is encoded, so that it cannot change the path %s",
  async (_, path, call) => {
    const { disburse, requests } = await clientOf([]);
    await call(disburse, "a/../b?c=d&é #%2e");
    const encoded = "a%2F..%2Fb%3Fc%3Dd%26%C3%A9%20%23%252e";
    expect(requests[0]?.path).toBe(`/api/${path.replace("ID", encoded)}`);
  },
);

test("an empty id and an id of dots are refused before anything is sent", async () => {
  const { disburse, requests } = await clientOf([]);
  for (const id of ["", ".", ".."]) {
    for (const [, , call] of callsById) await expect(call(disburse, id)).rejects.toThrow(TypeError);
  }
  expect(requests).toEqual([]);
});

const writes: [string, (disburse: Disburse) => Promise<unknown>][] = [
  ["POST", ({ receivers }) => receivers.create(newReceiver)],
  ["PATCH", ({ receivers }) => receivers.update("receiver-1", {})],
  ["DELETE", ({ receivers }) => receivers.delete("receiver-1")],
];

test.each(writes)("%s: a body that was changed in transit is refused", async (_, call) => {
  const { baseUrl } = await startServer([succeed({})]);
  const disburse = new Disburse({
    apiKey,
    apiSecret,
    baseUrl,
    fetch: (url, init) => fetch(url, { ...init, body: `${init.body ?? ""} ` }),
  });
  await expect(call(disburse)).rejects.toMatchObject({ status: 401, code: "AUTH105" });
});

test("the user agent names this client, or is the one that the caller sets", async () => {
  const { baseUrl, requests } = await startServer([succeed(subaccount)]);
  await new Disburse({ apiKey, apiSecret, baseUrl }).subaccount.get();
  await new Disburse({ apiKey, apiSecret, baseUrl, userAgent: "shop/3" }).subaccount.get();
  const agents = requests.map(({ headers }) => headers["user-agent"]);
  expect(agents).toEqual([`disburse-client/${VERSION}`, "shop/3"]);
});

test("calls use the fetch function that the caller passes", async () => {
  const { baseUrl, requests } = await startServer([succeed(subaccount)]);
  const urls: string[] = [];
  const disburse = new Disburse({
    apiKey,
    apiSecret,
    baseUrl,
    fetch: (url, init) => {
      urls.push(url);
      return fetch(url, init);
    },
  });
  await disburse.subaccount.get();
  expect(urls).toEqual([`${baseUrl}/api/subaccount`]);
  expect(requests).toHaveLength(1);
});
