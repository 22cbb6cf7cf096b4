// Timeouts, and calls that the caller aborts.

import { afterAll, describe, expect, test } from "vitest";
import { Disburse, TimeoutError } from "../src/index.ts";
import { subaccount } from "./samples.ts";
import {
  apiKey,
  apiSecret,
  fail,
  hang,
  stall,
  startServer,
  stopServers,
  succeed,
} from "./scripted-server.ts";

afterAll(stopServers);

const once = { timeoutMs: 100, maxRetries: 0 };

describe.concurrent("timeoutMs", () => {
  test.each([
    ["an answer that never begins", hang],
    ["a body that never ends", stall],
  ])("ends %s", async (_, step) => {
    const { baseUrl } = await startServer([step]);
    const disburse = new Disburse({ apiKey, apiSecret, baseUrl, ...once });
    const failure = await disburse.subaccount.get().catch((error) => error);
    expect(failure).toBeInstanceOf(TimeoutError);
    expect(failure).toMatchObject({ code: "TIMED_OUT", status: null });
  });

  test("ends even a fetch that ignores its signal", async () => {
    const fetch = () => new Promise<Response>(() => {});
    const disburse = new Disburse({ apiKey, apiSecret, baseUrl: "http://localhost", fetch });
    await expect(disburse.subaccount.get(once)).rejects.toThrow(TimeoutError);
  });

  test("applies to each attempt, not to the whole call", async () => {
    const { baseUrl } = await startServer([hang, hang, succeed(subaccount)]);
    const disburse = new Disburse({ apiKey, apiSecret, baseUrl, timeoutMs: 2_000 });
    expect(await disburse.subaccount.get()).toEqual(subaccount);
  });

  test.each([0, -1, Number.NaN, 2 ** 31])("of %d is refused", async (timeoutMs) => {
    expect(() => new Disburse({ apiKey, apiSecret, baseUrl: "http://a", timeoutMs })).toThrow(
      "timeoutMs",
    );
  });
});

describe.concurrent("a caller's signal", () => {
  const reason = new Error("the caller has gone");
  const arrived = (requests: readonly unknown[]) =>
    expect.poll(() => requests.length, { timeout: 60_000 }).toBe(1);

  test("ends a running call, with the caller's reason", async () => {
    const { baseUrl, requests } = await startServer([hang]);
    const caller = new AbortController();
    const call = new Disburse({ apiKey, apiSecret, baseUrl }).subaccount.get(caller);
    await arrived(requests);
    caller.abort(reason);
    await expect(call).rejects.toBe(reason);
    expect(requests).toHaveLength(1);
  });

  test("ends the wait before a retry", async () => {
    const refusal = fail(429, "RATE101", { "retry-after": "30" });
    const { baseUrl, requests } = await startServer([refusal]);
    const caller = new AbortController();
    const call = new Disburse({ apiKey, apiSecret, baseUrl }).subaccount.get(caller);
    await arrived(requests);
    caller.abort(reason);
    await expect(call).rejects.toBe(reason);
    expect(requests).toHaveLength(1);
  });

  test("that is already aborted prevents the request", async () => {
    const { baseUrl, requests } = await startServer([succeed(subaccount)]);
    const signal = AbortSignal.abort(reason);
    const call = new Disburse({ apiKey, apiSecret, baseUrl }).subaccount.get({ signal });
    await expect(call).rejects.toBe(reason);
    expect(requests).toHaveLength(0);
  });
});
