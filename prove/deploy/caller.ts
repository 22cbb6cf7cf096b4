// Uses a service that an example has started, as a caller does.

import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { Disburse } from "../../client/src/index.ts";
import { newPayee } from "../../server/test/support/payers.ts";

const readyWithinMs = 180_000;
const paidWithinMs = 60_000;

type Fetch = typeof fetch;

/** Waits until the URL answers with 200. Returns the last problem if it never does. */
export async function waitUntilReady(
  url: string,
  fetchUrl: Fetch = fetch,
): Promise<string | undefined> {
  const endMs = Date.now() + readyWithinMs;
  let last = "";
  while (Date.now() < endMs) {
    try {
      const response = await fetchUrl(url, { signal: AbortSignal.timeout(20_000) });
      if (response.ok) return undefined;
      last = `${response.status} ${await response.text()}`;
    } catch (error) {
      last = String((error as Error).cause ?? error);
    }
    await sleep(250);
  }
  return `${url} was not ready in time: ${last}`;
}

/** Creates a payout with the key that the command printed, and waits until the worker has paid it. */
export async function makePayout(
  baseUrl: string,
  printed: string,
  fetchUrl: Fetch = fetch,
): Promise<string | undefined> {
  const { api_key: apiKey, api_secret: apiSecret } = JSON.parse(printed);
  const disburse = new Disburse({ apiKey, apiSecret, baseUrl, fetch: fetchUrl });
  await disburse.testHelpers.fund({ amount: 1_000, currency: "AUD", reference: randomUUID() });
  const payee = await newPayee(disburse);
  const { payout_id } = await disburse.payouts.create({ ...payee, amount: 100, currency: "AUD" });
  const endMs = Date.now() + paidWithinMs;
  let status = "";
  while (status !== "successful" && Date.now() < endMs) {
    await sleep(200);
    ({ status } = await disburse.payouts.get(payout_id));
  }
  return status === "successful" ? undefined : `${baseUrl}: the payout is ${status}`;
}

export const newSubaccount = ["subaccount", "create", "--name", "Shop", "--mode", "test", "--json"];
