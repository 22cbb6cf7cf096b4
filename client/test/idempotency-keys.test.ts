// Idempotency keys: all attempts of a call share one, so that no POST is done twice.

import { afterAll, expect, test } from "vitest";
import { Disburse } from "../src/index.ts";
import { newPayout, newReceiver, newReceiverAccount, receiver } from "./samples.ts";
import {
  apiKey,
  apiSecret,
  cut,
  fail,
  reset,
  type SeenRequest,
  type Step,
  startServer,
  stopServers,
  succeed,
} from "./scripted-server.ts";

afterAll(stopServers);

const created = { receiver_id: "receiver-1", kyc_status: "0" };

async function clientOf(steps: Step[], { clockAheadMs = 0 } = {}) {
  const { baseUrl, requests } = await startServer(steps, { clockAheadMs });
  return { disburse: new Disburse({ apiKey, apiSecret, baseUrl }), requests };
}

const keysOf = (requests: SeenRequest[]) =>
  requests.map(({ headers }) => headers["idempotency-key"]);

test("every POST has its own key, also two equal calls", async () => {
  const { disburse, requests } = await clientOf([succeed(created)]);

  await disburse.receivers.create(newReceiver);
  await disburse.receivers.create(newReceiver);
  await disburse.receivers.restartKyc("receiver-1");
  await disburse.receiverAccounts.create(newReceiverAccount);
  await disburse.receiverAccounts.validate(newReceiverAccount);
  await disburse.payouts.create(newPayout);
  await disburse.payouts.create(newPayout);
  await disburse.payouts.createBatch([newPayout]);
  await disburse.payouts.cancel("payout-1");
  await disburse.testHelpers.setStatus({ id: "receiver-1", type: "kyc", status: "success" });
  await disburse.testHelpers.fund({ amount: 1, currency: "AUD" });

  const keys = keysOf(requests);
  for (const key of keys) expect(key).toMatch(/^[0-9a-f]{32}$/);
  expect(new Set(keys).size).toBe(11);
});

test("the caller's key replaces the generated one, on every POST", async () => {
  const { disburse, requests } = await clientOf([succeed(created)]);
  const options = { idempotencyKey: "order-7" };

  await disburse.receivers.create(newReceiver, options);
  await disburse.receivers.restartKyc("receiver-1", options);
  await disburse.receiverAccounts.create(newReceiverAccount, options);
  await disburse.receiverAccounts.validate(newReceiverAccount, options);
  await disburse.payouts.create(newPayout, options);
  await disburse.payouts.createBatch([newPayout], options);
  await disburse.payouts.cancel("payout-1", options);
  await disburse.testHelpers.setStatus({ id: "1", type: "kyc", status: "success" }, options);
  await disburse.testHelpers.fund({ amount: 1, currency: "AUD" }, options);

  expect(keysOf(requests)).toEqual(Array(9).fill("order-7"));
});

test("an invalid Idempotency-Key is refused before anything is sent", async () => {
  const { disburse, requests } = await clientOf([succeed(created)]);
  for (const idempotencyKey of ["", "two words", "line\nbreak", "x".repeat(256)]) {
    const creation = disburse.receivers.create(newReceiver, { idempotencyKey });
    await expect(creation).rejects.toThrow(TypeError);
  }
  expect(requests).toEqual([]);
});

test("GET, PATCH and DELETE have no key", async () => {
  const { disburse, requests } = await clientOf([succeed(receiver("receiver-1"))]);
  await disburse.receivers.get("receiver-1");
  await disburse.receivers.update("receiver-1", { city: "Hobart" });
  await disburse.receivers.delete("receiver-1");
  await disburse.receiverAccounts.update("account-1", { aka: "Zo" });
  await disburse.receiverAccounts.delete("account-1");
  expect(keysOf(requests)).toEqual(Array(5).fill(undefined));
});

test("all attempts of a call have the same key and body, each with its own signature", async () => {
  const { disburse, requests } = await clientOf([reset, fail(503, "SYST503"), succeed(created)]);
  await disburse.receivers.create(newReceiver);
  const distinct = (values: unknown[]) => new Set(values).size;
  expect(requests).toHaveLength(3);
  expect(distinct(keysOf(requests))).toBe(1);
  expect(distinct(requests.map(({ body }) => body))).toBe(1);
  expect(distinct(requests.map(({ headers }) => headers.signature))).toBe(3);
});

test("AUTH106: the attempt with the corrected clock keeps the key", async () => {
  const { disburse, requests } = await clientOf([succeed(created)], { clockAheadMs: 86_400_000 });
  await disburse.receivers.create(newReceiver);
  const [first, second] = keysOf(requests);
  expect(requests).toHaveLength(2);
  expect(second).toBe(first);
});

test("a create whose response was cut off is done once, and the retry gets its response", async () => {
  const answers = new Map<unknown, object>();
  const create: Step = (response, request) => {
    const key = request.headers["idempotency-key"];
    const kept = answers.get(key);
    if (kept) return succeed(kept)(response);
    answers.set(key, { receiver_id: `receiver-${answers.size + 1}`, kyc_status: "0" });
    cut(response, request);
  };
  const { disburse, requests } = await clientOf([create]);

  expect(await disburse.receivers.create(newReceiver)).toEqual(created);

  expect(requests).toHaveLength(2);
  expect(answers.size).toBe(1);
});

test("IDEM103: a request that is still running is retried after the requested delay", async () => {
  const running = fail(409, "IDEM103", { "retry-after": "1" });
  const { disburse, requests } = await clientOf([running, succeed(created)]);

  expect(await disburse.receivers.create(newReceiver)).toEqual(created);

  const [first, second] = requests;
  expect(second?.headers["idempotency-key"]).toBe(first?.headers["idempotency-key"]);
  expect((second?.atMs ?? 0) - (first?.atMs ?? 0)).toBeGreaterThanOrEqual(990);
});

test("IDEM103: a call fails when the request is still running after two retries", async () => {
  const { disburse, requests } = await clientOf([fail(409, "IDEM103")]);
  const creation = disburse.receivers.create(newReceiver);
  await expect(creation).rejects.toMatchObject({ name: "ConflictError", code: "IDEM103" });
  expect(requests).toHaveLength(3);
});

test("IDEM102: a call with a key of another request is not retried", async () => {
  const { disburse, requests } = await clientOf([fail(422, "IDEM102"), succeed(created)]);
  const creation = disburse.receivers.create(newReceiver, { idempotencyKey: "order-7" });
  await expect(creation).rejects.toMatchObject({ name: "ConflictError", code: "IDEM102" });
  expect(requests).toHaveLength(1);
});
