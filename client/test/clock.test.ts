// A wrong clock of the caller: after AUTH106 the client corrects it once, by the server's clock.

import { afterAll, expect, test } from "vitest";
import { AuthenticationError, Disburse } from "../src/index.ts";
import { newReceiver, subaccount } from "./samples.ts";
import {
  apiKey,
  apiSecret,
  fail,
  type Step,
  startServer,
  stopServers,
  succeed,
} from "./scripted-server.ts";

afterAll(stopServers);

const created = { receiver_id: "receiver-1", kyc_status: "0" };

test.each([-86_400_000, 86_400_000])(
  "AUTH106: a clock off by %i ms is corrected, also for writes, and stays corrected",
  async (aheadMs) => {
    const steps = [succeed(created)];
    const { baseUrl, requests } = await startServer(steps, { clockAheadMs: aheadMs });
    const disburse = new Disburse({ apiKey, apiSecret, baseUrl, maxRetries: 0 });

    expect(await disburse.receivers.create(newReceiver)).toEqual(created);
    expect(requests).toHaveLength(2);

    await disburse.receivers.create(newReceiver);
    expect(requests).toHaveLength(3);
  },
);

test("AUTH106: a server that also refuses the corrected time is not called again", async () => {
  const { baseUrl, requests } = await startServer([fail(401, "AUTH106")]);
  const disburse = new Disburse({ apiKey, apiSecret, baseUrl });
  const failure = await disburse.subaccount.get().catch((error) => error);
  expect(failure).toBeInstanceOf(AuthenticationError);
  expect(failure).toMatchObject({ code: "AUTH106", status: 401 });
  expect(requests).toHaveLength(2);
});

test("AUTH106: a refusal without a date header is not retried", async () => {
  const undated: Step = (response, _request) => {
    response.sendDate = false;
    response.removeHeader("date");
    fail(401, "AUTH106")(response);
  };
  const { baseUrl, requests } = await startServer([undated, succeed(subaccount)]);
  const disburse = new Disburse({ apiKey, apiSecret, baseUrl });
  await expect(disburse.subaccount.get()).rejects.toMatchObject({ code: "AUTH106" });
  expect(requests).toHaveLength(1);
});
