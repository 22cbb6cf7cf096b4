// Which calls are retried, and which are not.

import { afterAll, describe, expect, test } from "vitest";
import { Disburse, RateLimitError } from "../src/index.ts";
import { newReceiver, newReceiverAccount, subaccount } from "./samples.ts";
import {
  apiKey,
  apiSecret,
  cut,
  fail,
  hang,
  reset,
  type Step,
  say,
  startServer,
  stopServers,
  succeed,
} from "./scripted-server.ts";

afterAll(stopServers);

const done = { receiver_id: "receiver-1", status: "active" };
const html = "<html>Bad gateway</html>";

async function clientOf(steps: Step[]) {
  const { baseUrl, requests } = await startServer(steps);
  // Only a server that hangs is given up: on a busy machine each response may take seconds.
  const timeoutMs = steps.includes(hang) ? 3_000 : 60_000;
  return { disburse: new Disburse({ apiKey, apiSecret, baseUrl, timeoutMs }), requests };
}

const passing: [string, Step][] = [
  ["a connection that breaks", reset],
  ["a body that breaks off", cut],
  ["a server that hangs", hang],
  ["408", say(408, html)],
  ["502", say(502, html)],
  ["503", fail(503, "SYST503")],
  ["504", say(504, html)],
  ["429", fail(429, "RATE101")],
];

describe.concurrent("a read", () => {
  const alsoForReads: [string, Step][] = [...passing, ["500", fail(500, "SYST500")]];
  test.each(alsoForReads)("is retried after %s, with a new signature", async (_, failure) => {
    const { disburse, requests } = await clientOf([failure, succeed(subaccount)]);
    expect(await disburse.subaccount.get()).toEqual(subaccount);
    expect(requests).toHaveLength(2);
    expect(requests[0]?.headers.signature).not.toBe(requests[1]?.headers.signature);
  });

  test("fails after two retries, with the last failure", async () => {
    const steps = [fail(502, "A"), fail(503, "B"), fail(504, "C"), succeed(subaccount)];
    const { disburse, requests } = await clientOf(steps);
    await expect(disburse.subaccount.get()).rejects.toMatchObject({ code: "C", status: 504 });
    expect(requests).toHaveLength(3);
  });

  test("is not retried when the call sets maxRetries to 0", async () => {
    const { disburse, requests } = await clientOf([fail(503, "A"), succeed(subaccount)]);
    await expect(disburse.subaccount.get({ maxRetries: 0 })).rejects.toMatchObject({ code: "A" });
    expect(requests).toHaveLength(1);
  });

  test.each([400, 401, 403, 404, 409, 422])("is not retried after %i", async (status) => {
    const { disburse, requests } = await clientOf([fail(status, "X1"), succeed(subaccount)]);
    await expect(disburse.subaccount.get()).rejects.toMatchObject({ status, code: "X1" });
    expect(requests).toHaveLength(1);
  });
});

const writes: [string, (disburse: Disburse) => Promise<unknown>][] = [
  ["POST", ({ receivers }) => receivers.create(newReceiver)],
  ["PATCH", ({ receiverAccounts }) => receiverAccounts.update("account-1", { bsb: "062000" })],
  ["DELETE", ({ receivers }) => receivers.delete("receiver-1")],
];

describe.concurrent.each(writes)("a %s", (method, write) => {
  test.each(passing)(
    "is retried after %s, unchanged but with a new signature",
    async (_, failure) => {
      const { disburse, requests } = await clientOf([failure, succeed(done)]);
      expect(await write(disburse)).toEqual(done);
      const [first, second] = requests;
      expect(requests).toHaveLength(2);
      expect(second).toMatchObject({ method, path: first?.path, body: first?.body });
      expect(second?.headers.signature).not.toBe(first?.headers.signature);
    },
  );

  test("is not retried after 500: the same request would fail the same way", async () => {
    const { disburse, requests } = await clientOf([fail(500, "SYST500"), succeed(done)]);
    await expect(write(disburse)).rejects.toMatchObject({ status: 500 });
    expect(requests).toHaveLength(1);
  });

  test.each([400, 401, 403, 404, 409, 422])("is not retried after %i", async (status) => {
    const { disburse, requests } = await clientOf([fail(status, "X1"), succeed(done)]);
    await expect(write(disburse)).rejects.toMatchObject({ status, code: "X1" });
    expect(requests).toHaveLength(1);
  });
});

test("a write is not retried when the call sets maxRetries to 0", async () => {
  const { disburse, requests } = await clientOf([reset, succeed(done)]);
  const once = { maxRetries: 0 };
  await expect(disburse.receivers.delete("receiver-1", once)).rejects.toThrow("no answer");
  await disburse.receiverAccounts.create(newReceiverAccount, once);
  expect(requests.map(({ method }) => method)).toEqual(["DELETE", "POST"]);
});

describe.concurrent("Retry-After", () => {
  test("in seconds is waited for", async () => {
    const refusal = fail(429, "RATE101", { "retry-after": "1" });
    const { disburse, requests } = await clientOf([refusal, succeed(subaccount)]);
    await disburse.subaccount.get();
    expect((requests[1]?.atMs ?? 0) - (requests[0]?.atMs ?? 0)).toBeGreaterThanOrEqual(990);
  });

  test("as a date is waited for, by the server's clock", async () => {
    const aheadMs = 100_000;
    const refusal: Step = (response, _request) => {
      const date = new Date(Date.now() + aheadMs);
      const until = new Date(date.getTime() + 1_000);
      const headers = { date: date.toUTCString(), "retry-after": until.toUTCString() };
      fail(503, "SYST503", headers)(response);
    };
    const { disburse, requests } = await clientOf([refusal, succeed(subaccount)]);
    await disburse.subaccount.get();
    const waitedMs = (requests[1]?.atMs ?? 0) - (requests[0]?.atMs ?? 0);
    expect(waitedMs).toBeGreaterThanOrEqual(990);
    expect(waitedMs).toBeLessThan(5_000);
  });

  test("of more than a minute is not waited for: the error has the delay", async () => {
    const refusal = fail(429, "RATE101", { "retry-after": "3600" });
    const { disburse, requests } = await clientOf([refusal, succeed(subaccount)]);
    const failure = await disburse.subaccount.get().catch((error) => error);
    expect(failure).toBeInstanceOf(RateLimitError);
    expect(failure).toMatchObject({ retryAfterMs: 3_600_000, code: "RATE101" });
    expect(requests).toHaveLength(1);
  });

  test("that is neither seconds nor a date is ignored", async () => {
    const refusal = fail(429, "RATE101", { "retry-after": "soon" });
    const { disburse } = await clientOf([refusal, succeed(subaccount)]);
    expect(await disburse.subaccount.get()).toEqual(subaccount);
  });
});
