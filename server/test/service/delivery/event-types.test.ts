// Event types on request: each is sent for its change alone, after the published event of the same change, and only to
// subaccounts that asked for it.

import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { reverseFunding } from "../../../src/money/ledger/reverse.ts";
import { onRequestTypes } from "../../../src/platform/event-catalogue/event-catalogue.ts";
import { newPayee } from "../../support/payers.ts";
import { ada, type Service, startService, type TestCaller } from "../../support/service.ts";

let service: Service;
beforeAll(async () => {
  service = await startService({ bankDelayMs: 20 });
});
afterAll(() => service.close());

type Body = Record<string, unknown> & { event: string };

async function eventsOf({ subaccountId }: TestCaller): Promise<Body[]> {
  const { rows } = await service.db.pool.query(
    "select body from event where subaccount_id = $1 order by number",
    [subaccountId],
  );
  return rows.map(({ body }) => JSON.parse(body));
}

/** The events of `act`, by a subaccount with money and a payee that asked for these types before. */
async function eventsAfter(
  types: readonly string[],
  act: (caller: TestCaller, to: { receiver_id: string; account_id: string }) => Promise<unknown>,
  number = "12345999",
) {
  const caller = await service.newCaller();
  const to = await newPayee(caller.disburse, number);
  await caller.disburse.testHelpers.fund({ amount: 10_000, currency: "AUD" });
  await caller.disburse.subaccount.update({ event_types: [...types] as never });
  const before = (await eventsOf(caller)).length;
  await act(caller, to);
  return { caller, to, events: (await eventsOf(caller)).slice(before) };
}

const payout = (to: object, more: object = {}) => ({
  ...to,
  ...{ amount: 100, currency: "AUD", reference: randomUUID(), ...more },
});

const returned = async ({ disburse }: TestCaller, to: object) => {
  const { payout_id } = await disburse.payouts.create(payout(to) as never);
  await expect.poll(async () => (await disburse.payouts.get(payout_id)).stage).toBe("returned");
};
const cancelled = async ({ disburse }: TestCaller, to: object) => {
  const later = new Date(Date.now() + 5 * 86_400_000).toISOString().slice(0, 10);
  const created = await disburse.payouts.create(payout(to, { send_on: later }) as never);
  await disburse.payouts.cancel(created.payout_id);
};

const cases: {
  type: string;
  act: (caller: TestCaller, to: { receiver_id: string; account_id: string }) => Promise<unknown>;
  published: string[];
  number?: string;
  body: object;
}[] = [
  {
    type: "receiverCreated",
    act: ({ disburse }) => disburse.receivers.create(ada() as never),
    published: [],
    body: { status: "pending" },
  },
  {
    type: "receiverUpdate",
    act: ({ disburse }, { receiver_id }) =>
      disburse.receivers.update(receiver_id, { city: "Sydney", first_name: "Zora" }),
    published: ["receiverKycUpdate"],
    body: { fields: ["first_name", "city"], status: "active" },
  },
  {
    type: "receiverDeactivated",
    act: ({ disburse }, { receiver_id }) => disburse.receivers.delete(receiver_id),
    published: [],
    body: { status: "inactive" },
  },
  {
    type: "receiverAccountCreated",
    act: ({ disburse }, { receiver_id }) =>
      disburse.receiverAccounts.create({
        ...{ receiver_id, account_type: "I", bsb: "062000", account_number: "12345666" },
      }),
    published: [],
    body: { status: "active", account_number_masked: "****5666" },
  },
  {
    type: "payoutReturned",
    act: returned,
    published: ["payoutCreated", "payoutUpdate", "payoutFailure"],
    number: "12345444",
    body: { status: "failed", cause: "account closed", amount: 100 },
  },
  {
    type: "payoutCancelled",
    act: cancelled,
    published: ["payoutCreated", "payoutFailure"],
    body: { status: "failed", amount: 100 },
  },
];

describe.each(cases)("$type", ({ type, act, published, number, body }) => {
  test("is sent after the published events of its change", async () => {
    const { events, caller } = await eventsAfter([type], act, number);
    expect(events.map(({ event }) => event)).toEqual([...published, type]);
    expect(events.at(-1)).toMatchObject({ ...body, subccount_id: caller.subaccountId });
    expect(typeof events.at(-1)?.timestamp).toBe("number");
  });

  test("is not sent to a subaccount that asked for all other types", async () => {
    const others = onRequestTypes.filter((one) => one !== type);
    const { events } = await eventsAfter(others, act, number);
    expect(events.map(({ event }) => event)).toEqual(published);
  });
});

test("a receiver that a change deactivates has both events, once", async () => {
  const types = ["receiverUpdate", "receiverDeactivated"];
  const { events } = await eventsAfter(types, async ({ disburse }, { receiver_id }) => {
    const change = { city: "Perth", status: "inactive" as const };
    await disburse.receivers.update(receiver_id, change);
    await disburse.receivers.update(receiver_id, change);
    await disburse.receivers.delete(receiver_id);
  });
  expect(events.map(({ event }) => event)).toEqual(types);
});

test("the events of a creation carry its metadata on request", async () => {
  const metadata = { order: "77" };
  const { events } = await eventsAfter(
    ["receiverCreated", "receiverAccountCreated"],
    async ({ disburse }, { receiver_id }) => {
      await disburse.subaccount.update({ event_metadata: true });
      await disburse.receivers.create({ ...ada(), metadata } as never);
      const bank = { account_type: "I", bsb: "062000", account_number: "12345666" };
      await disburse.receiverAccounts.create({ receiver_id, ...bank, metadata });
    },
  );
  expect(events).toMatchObject([
    { event: "receiverCreated", metadata },
    { event: "receiverAccountCreated", metadata },
  ]);
});

describe("payoutBatchFinished", () => {
  test("is sent once, with its figures, when the last payout has ended", async () => {
    const { caller, events } = await eventsAfter(["payoutBatchFinished"], async (own, to) => {
      const refused = await newPayee(own.disburse, "12345111");
      const back = await newPayee(own.disburse, "12345444");
      const payouts = [to, to, refused, back].map((one) => payout(one) as never);
      const { batch_id } = await own.disburse.payouts.createBatch(payouts);
      await own.disburse.payouts.createBatch([payout(to) as never]);
      await expect
        .poll(async () => (await own.disburse.payouts.batch(batch_id)).statuses)
        .toEqual([
          { status: "failed", count: 2 },
          { status: "successful", count: 2 },
        ]);
      await expect
        .poll(async () => {
          const all = await own.disburse.payouts.list().toArray();
          return all.filter(({ status }) => status === "pending");
        })
        .toEqual([]);
    });
    const finished = (await eventsOf(caller)).filter(
      ({ event }) => event === "payoutBatchFinished",
    );
    expect(events.length).toBeGreaterThan(0);
    expect(finished).toHaveLength(2);
    const four = finished.find(({ count }) => count === 4) as Body;
    // The one that came back was paid first: what it was when the batch finished.
    expect([
      [2, 2],
      [3, 1],
    ]).toContainEqual([four.successful, four.failed]);
    expect(finished.find(({ count }) => count === 1)).toMatchObject({ successful: 1, failed: 0 });
  });

  test("is sent once where its payouts are cancelled at the same time", async () => {
    const { events } = await eventsAfter(["payoutBatchFinished"], async ({ disburse }, to) => {
      const later = new Date(Date.now() + 5 * 86_400_000).toISOString().slice(0, 10);
      const payouts = Array.from({ length: 16 }, () => payout(to, { send_on: later }) as never);
      const made = await disburse.payouts.createBatch(payouts);
      await Promise.all(made.payouts.map(({ payout_id }) => disburse.payouts.cancel(payout_id)));
    });
    expect(events.filter(({ event }) => event === "payoutBatchFinished")).toMatchObject([
      { count: 16, successful: 0, failed: 16, status: "finished" },
    ]);
    expect(events.at(-1)?.event).toBe("payoutBatchFinished");
  });
});

describe("balanceLow", () => {
  const lows = (events: Body[]) => events.filter(({ event }) => event === "balanceLow");

  test("is sent once for each fall below the level, also by 64 payouts at once", async () => {
    const { events, caller } = await eventsAfter(["balanceLow"], async ({ disburse }, to) => {
      await disburse.subaccount.update({ balance_levels: { AUD: 5_000, NZD: 1 } });
      const payAtOnce = (count: number) =>
        Promise.all(
          Array.from({ length: count }, () => disburse.payouts.create(payout(to) as never)),
        );
      await payAtOnce(64);
      await disburse.testHelpers.fund({ amount: 5_000, currency: "AUD" });
      await payAtOnce(64);
    });
    const [first, second, ...others] = lows(events);
    expect(others).toEqual([]);
    expect([first, second]).toMatchObject([
      { currency: "AUD", available: 4_900, level: 5_000, status: "low" },
      { currency: "AUD", available: 4_900, level: 5_000, status: "low" },
    ]);
    const { rows } = await service.db.pool.query(
      "select available_after::int, debit from ledger_transfer where subaccount_id = $1 and id = $2",
      [caller.subaccountId, first?.transfer_id],
    );
    expect(rows).toEqual([{ available_after: 4_900, debit: "available" }]);
  });

  test("counts the payouts of a batch, and a funding that is taken back", async () => {
    const { events } = await eventsAfter(["balanceLow"], async (own, to) => {
      const { disburse, subaccountId } = own;
      await disburse.subaccount.update({ balance_levels: { AUD: 9_950 } });
      await disburse.payouts.createBatch([payout(to), payout(to)] as never);
      await disburse.testHelpers.fund({ amount: 300, currency: "AUD" });
      const { rows } = await service.db.pool.query(
        "select id from ledger_transfer where subaccount_id = $1 and kind = 'fund' order by number desc limit 1",
        [subaccountId],
      );
      const reversal = { transferId: rows[0].id, reason: "a mistake", who: "operator:a" };
      await reverseFunding(service.db, { subaccountId, ...reversal, atMs: Date.now() });
    });
    expect(lows(events).map(({ available }) => available)).toEqual([9_900, 9_800]);
  });

  test.each([
    ["no level is set", {}, ["balanceLow"]],
    ["it is not asked for", { AUD: 10_000 }, ["balanceFunded"]],
    ["the balance was below already", { AUD: 10_001 }, ["balanceLow"]],
  ])("is not sent where %s", async (_, balance_levels, types) => {
    const { events } = await eventsAfter(types, async ({ disburse }, to) => {
      await disburse.subaccount.update({ balance_levels });
      await disburse.payouts.create(payout(to) as never);
    });
    expect(lows(events)).toEqual([]);
  });

  test("SUBA217: other levels are refused, and the postback shows those that are set", async () => {
    const caller = await service.newCaller();
    for (const balance_levels of [{ aud: 1 }, { AUD: 0 }, { AUD: "5" }, { AUD: 1.5 }, [], "AUD"]) {
      const { json } = await caller.call("PATCH", "/api/subaccount", { body: { balance_levels } });
      expect(json.error).toMatchObject([{ code: "SUBA217", field: "balance_levels" }]);
    }
    expect(await caller.disburse.subaccount.getPostback()).not.toHaveProperty("balance_levels");
    await caller.disburse.subaccount.update({ balance_levels: { AUD: 5 } });
    expect((await caller.disburse.subaccount.getPostback()).balance_levels).toEqual({ AUD: 5 });
  });
});
