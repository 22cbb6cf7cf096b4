// One lane by itself, with answers that come when the test says: what order they come in is chance otherwise.

import { setImmediate as turn } from "node:timers/promises";
import { expect, test } from "vitest";
import { runLane } from "../../src/delivery/lane.ts";
import type { DueDelivery } from "../../src/delivery/queries.ts";
import { newId } from "../../src/ids.ts";

const claimed = {
  ...{ subaccount_id: newId(), epoch: "1", url: "http://127.0.0.1/" },
  ...{ backoff_level: 0, failure_score: 0, secrets: null },
};

const due = (number: number, orderKey: string): DueDelivery => ({
  ...{ subaccount_id: claimed.subaccount_id, number: String(number), event_id: newId() },
  ...{ order_key: orderKey, attempts: 0, age_ms: "0", body: "{}" },
  since_ms: "0",
});

const posted = (status: number) => ({
  ...{ status, failure: undefined, detail: "", retryAfter: undefined, answer: "", tookMs: 1 },
});

test("what was read before a failure was written does not pass the event that failed", async () => {
  const payout = newId();
  const sent: string[] = [];
  const fetches: ((found: DueDelivery[]) => void)[] = [];
  const sends: ((status: number) => void)[] = [];
  const writes: (() => void)[] = [];
  const lane = runLane(claimed, {
    fetch: () => new Promise((resolve) => fetches.push(resolve)),
    send: ({ number }) =>
      new Promise((resolve) => {
        sent.push(number);
        sends.push((status) => resolve({ attemptId: newId(), posted: posted(status) }));
      }),
    acknowledge: () => new Promise((resolve) => writes.push(resolve)),
    release: async () => {},
    onFault: (error) => expect.fail(String(error)),
  });
  fetches.shift()?.([due(1, payout)]);
  await turn();
  expect(sent).toEqual(["1"]);
  // More may wait, so it is read; meanwhile the first fails, and that is written before the reading is done.
  lane.more();
  sends.shift()?.(500);
  await turn();
  writes.shift()?.();
  await turn();
  fetches.shift()?.([due(2, payout), due(3, newId())]);
  await turn();
  expect(sent).toEqual(["1", "3"]);
  sends.shift()?.(204);
  await turn();
  writes.shift()?.();
  for (const found of fetches) found([]);
  await lane.ended;
});
