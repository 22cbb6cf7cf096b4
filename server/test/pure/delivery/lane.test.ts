// A single lane, with responses in the order that the test sets, because it is random otherwise.

import { setImmediate as turn } from "node:timers/promises";
import { expect, test } from "vitest";
import { newId } from "../../../src/platform/base/ids.ts";
import { type LaneMode, laneTransitions, runLane } from "../../../src/webhooks/delivery/lane.ts";
import type { DueDelivery } from "../../../src/webhooks/delivery/queries.ts";

const claimed = {
  subaccount_id: newId(),
  epoch: "1",
  url: "http://127.0.0.1/",
  backoff_level: 0,
  failure_score: 0,
  secrets: null,
};

const due = (number: number, orderKey: string): DueDelivery => ({
  subaccount_id: claimed.subaccount_id,
  number: String(number),
  event_id: newId(),
  order_key: orderKey,
  attempts: 0,
  age_ms: "0",
  body: "{}",
  since_ms: "0",
});

const posted = (status: number) => ({
  status,
  failure: undefined,
  detail: "",
  retryAfter: undefined,
  answer: "",
  tookMs: 1,
});

/** A lane with due deliveries. Each of `sends` answers one of them. */
function startLane(count: number) {
  const sends: ((status: number) => void)[] = [];
  const released: unknown[] = [];
  const found = Array.from({ length: count }, (_, number) => due(number, newId()));
  const lane = runLane(claimed, {
    fetch: async () => found.splice(0),
    send: () =>
      new Promise((resolve) =>
        sends.push((status) => resolve({ attemptId: newId(), posted: posted(status) })),
      ),
    record: async () => {},
    release: async (state) => void released.push(state),
    onError: (error) => expect.fail(String(error)),
  });
  return { lane, sends, released };
}

test("a lane can be stopped and released from every mode, and then ends", () => {
  for (const mode of Object.keys(laneTransitions) as LaneMode[]) {
    const stopped = laneTransitions[mode].stop ?? mode;
    expect(laneTransitions[stopped].release ?? stopped).toBe("ending");
  }
  expect(laneTransitions.ending).toEqual({});
});

test("a lane whose breaker opens sends nothing more, and asks for a pause", async () => {
  const { lane, sends, released } = startLane(20);
  await turn();
  expect(sends).toHaveLength(8);
  for (const answer of sends) answer(503);
  expect(await lane.ended).toEqual({ hasMore: false, sends: 8 });
  expect(released).toMatchObject([{ hasSucceeded: false, hasFailed: true, backoffLevel: 1 }]);
});

test("an open breaker closes again when a pending response is a success", async () => {
  const { lane, sends, released } = startLane(9);
  await turn();
  const first = sends.splice(0);
  first[0]?.(503);
  await turn();
  expect(sends).toHaveLength(0);
  for (const answer of first.slice(1)) answer(204);
  await turn();
  expect(sends).toHaveLength(1);
  sends[0]?.(204);
  expect(await lane.ended).toEqual({ hasMore: false, sends: 9 });
  expect(released).toMatchObject([{ hasSucceeded: true, hasFailed: false, backoffLevel: 0 }]);
});

test("an event that was fetched before an earlier one failed does not overtake it", async () => {
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
    record: () => new Promise((resolve) => writes.push(resolve)),
    release: async () => {},
    onError: (error) => expect.fail(String(error)),
  });
  fetches.shift()?.([due(1, payout)]);
  await turn();
  expect(sent).toEqual(["1"]);
  // The lane fetches again. Meanwhile the first event fails, and that is recorded before the fetch returns.
  lane.wake();
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
