// The six operations, and what each puts on the wire. The server refuses any wrong signature.

import { afterAll, expect, test } from "vitest";
import { Disburse } from "../src/index.ts";
import { VERSION } from "../src/version.ts";
import { newReceiver, receiver, receiverAccount, subaccount } from "./samples.ts";
import { apiKey, apiSecret, startServer, stopServers, succeed } from "./scripted-server.ts";

afterAll(stopServers);

async function clientOf(payload: unknown, prefix = "") {
  const server = await startServer([succeed(payload)]);
  const baseUrl = server.baseUrl + prefix;
  return { disburse: new Disburse({ apiKey, apiSecret, baseUrl }), requests: server.requests };
}

test("receivers.create posts the receiver as it is and gives its id", async () => {
  const created = { receiver_id: "receiver-1", kyc_status: "0" };
  const { disburse, requests } = await clientOf(created);

  expect(await disburse.receivers.create(newReceiver)).toEqual(created);

  expect(requests[0]).toMatchObject({ method: "POST", path: "/api/receiver" });
  expect(requests[0]?.headers["content-type"]).toBe("application/json");
  expect(JSON.parse(requests[0]?.body ?? "")).toEqual(newReceiver);
});

test("an Idempotency-Key is sent when the caller gives one, and only then", async () => {
  const { disburse, requests } = await clientOf({ receiver_id: "receiver-1", kyc_status: "0" });

  await disburse.receivers.create(newReceiver);
  await disburse.receivers.create(newReceiver, { idempotencyKey: "order-7" });

  expect(requests.map(({ headers }) => headers["idempotency-key"])).toEqual([undefined, "order-7"]);
});

test("an Idempotency-Key that no header can carry is refused before anything is sent", async () => {
  const { disburse, requests } = await clientOf({});
  for (const idempotencyKey of ["", "two words", "line\nbreak", "x".repeat(256)]) {
    const creation = disburse.receivers.create(newReceiver, { idempotencyKey });
    await expect(creation).rejects.toThrow(TypeError);
  }
  expect(requests).toEqual([]);
});

test("receivers.get reads one receiver", async () => {
  const { disburse, requests } = await clientOf(receiver("receiver-1"));
  expect(await disburse.receivers.get("receiver-1")).toEqual(receiver("receiver-1"));
  expect(requests[0]).toMatchObject({ method: "GET", path: "/api/receiver/receiver-1", body: "" });
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

test("subaccount.get reads the caller's own subaccount", async () => {
  const { disburse, requests } = await clientOf(subaccount);
  expect(await disburse.subaccount.get()).toEqual(subaccount);
  expect(requests[0]?.path).toBe("/api/subaccount");
});

test("a path in the base address is sent and signed as part of the path", async () => {
  const { disburse, requests } = await clientOf(subaccount, "/behind/proxy/");
  await disburse.subaccount.get();
  expect(requests[0]?.path).toBe("/behind/proxy/api/subaccount");
});

test("an id cannot leave its place in the path", async () => {
  const { disburse, requests } = await clientOf(receiver("receiver-1"));
  await disburse.receivers.get("a/../b?c=d&é #%2e");
  expect(requests[0]?.path).toBe("/api/receiver/a%2F..%2Fb%3Fc%3Dd%26%C3%A9%20%23%252e");
});

test("an empty id and a path of dots are refused before anything is sent", async () => {
  const { disburse, requests } = await clientOf([]);
  for (const id of ["", ".", ".."]) {
    await expect(disburse.receivers.get(id)).rejects.toThrow(TypeError);
    await expect(disburse.receiverAccounts.list(id)).rejects.toThrow(TypeError);
  }
  expect(requests).toEqual([]);
});

test("the user agent names this client, or what the caller asks for", async () => {
  const { baseUrl, requests } = await startServer([succeed(subaccount)]);
  await new Disburse({ apiKey, apiSecret, baseUrl }).subaccount.get();
  await new Disburse({ apiKey, apiSecret, baseUrl, userAgent: "shop/3" }).subaccount.get();
  const agents = requests.map(({ headers }) => headers["user-agent"]);
  expect(agents).toEqual([`disburse-client/${VERSION}`, "shop/3"]);
});

test("a fetch of the caller's own carries the calls", async () => {
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
