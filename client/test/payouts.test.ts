// Payouts and balances: the request that each operation sends.

import { afterAll, expect, test } from "vitest";
import { Disburse, type Time } from "../src/index.ts";
import { balance, balanceEntry, newPayout, payout, payoutBatch, payoutHistory } from "./samples.ts";
import {
  apiKey,
  apiSecret,
  type Step,
  say,
  startServer,
  stopServers,
  succeed,
} from "./scripted-server.ts";

afterAll(stopServers);

async function clientOf(...steps: Step[]) {
  const { baseUrl, requests } = await startServer(steps);
  return { disburse: new Disburse({ apiKey, apiSecret, baseUrl }), requests };
}

const next = (cursor: string) => ({ link: `</api/x?cursor=${cursor}>; rel="next"` });

test("payouts.create posts the payout unchanged and returns its id", async () => {
  const created = { payout_id: "payout-1", status: "pending" };
  const { disburse, requests } = await clientOf(succeed(created));

  expect(await disburse.payouts.create(newPayout)).toEqual(created);

  expect(requests[0]).toMatchObject({ method: "POST", path: "/api/payout/single" });
  expect(requests[0]?.body).toBe(
    `{"receiver_id":"receiver-1","account_id":"account-1","amount":12500,"currency":"AUD",` +
      `"reference":"invoice 7"}`,
  );
});

test("an amount given as a string stays a string, and optional fields are sent", async () => {
  const { disburse, requests } = await clientOf(succeed({}));
  const sent = { ...newPayout, amount: "9007199254740991", note: "Zoë", allow_duplicate: true };
  await disburse.payouts.create(sent);
  expect(JSON.parse(requests[0]?.body ?? "")).toEqual(sent);
});

test("payouts.validate posts the payout without a key, and returns the reasons instead of throwing them", async () => {
  const validated = {
    accepted: false,
    problems: [{ code: "PAYO227", message: "Funds are not sufficient", field: "amount" }],
    fee: 50,
    sent_amount: 12_500,
    needs_approval: false,
    approval_rules: [],
    process_date: "",
    expected_arrival: "",
  };
  const { disburse, requests } = await clientOf(succeed(validated));

  expect(await disburse.payouts.validate(newPayout)).toEqual(validated);

  expect(requests[0]).toMatchObject({ method: "POST", path: "/api/payout/validate" });
  expect(requests[0]?.headers).not.toHaveProperty("idempotency-key");
  expect(JSON.parse(requests[0]?.body ?? "")).toEqual(newPayout);
});

test("payouts.createBatch posts all payouts in one body, in their order", async () => {
  const payouts = ["1", "2"].map((payout_id) => ({ payout_id, status: "pending" }));
  const created = { batch_id: "batch-1", payouts };
  const { disburse, requests } = await clientOf(succeed(created));
  const newPayouts = [newPayout, { ...newPayout, amount: "700" }];

  expect(await disburse.payouts.createBatch(newPayouts)).toEqual(created);

  expect(requests[0]).toMatchObject({ method: "POST", path: "/api/payout/batch" });
  expect(JSON.parse(requests[0]?.body ?? "")).toEqual({ payouts: newPayouts });
});

test("payouts.createBatch: the error names every refused row", async () => {
  const error = [
    { code: "PAYO207", message: "Amount is not valid", field: "payouts[0].amount" },
    { code: "PAYO205", message: "Receiver ID is not valid", field: "payouts[3].receiver_id" },
  ];
  const { disburse } = await clientOf(say(400, JSON.stringify({ message: "failed", error })));
  const creation = disburse.payouts.createBatch([newPayout]);
  await expect(creation).rejects.toMatchObject({ name: "ValidationError", errors: error });
});

test("payouts.get reads one payout", async () => {
  const { disburse, requests } = await clientOf(succeed(payout("payout-1")));
  expect(await disburse.payouts.get("payout-1")).toEqual(payout("payout-1"));
  expect(requests[0]).toMatchObject({ method: "GET", path: "/api/payout/payout-1", body: "" });
});

test("payouts.batch reads the state of a batch", async () => {
  const { disburse, requests } = await clientOf(succeed(payoutBatch));
  expect(await disburse.payouts.batch("batch-1")).toEqual(payoutBatch);
  expect(requests[0]).toMatchObject({ method: "GET", path: "/api/payout/batch/batch-1", body: "" });
});

test("payouts.cancel posts an empty object and returns the payout", async () => {
  const cancelled = { ...payout("payout-1"), status: "failed", stage: "cancelled" };
  const { disburse, requests } = await clientOf(succeed(cancelled));

  expect(await disburse.payouts.cancel("payout-1")).toEqual(cancelled);

  const path = "/api/payout/payout-1/cancel";
  expect(requests[0]).toMatchObject({ method: "POST", path, body: "{}" });
});

test("payouts.history reads all changes at once", async () => {
  const { disburse, requests } = await clientOf(succeed(payoutHistory));
  expect(await disburse.payouts.history("payout-1")).toEqual(payoutHistory);
  const path = "/api/payout/payout-1/history";
  expect(requests[0]).toMatchObject({ method: "GET", path, body: "" });
});

test("payouts.list goes through every page, and each request keeps the filter", async () => {
  const { disburse, requests } = await clientOf(
    succeed([payout("3"), payout("2")], next("a%2Bb%3D")),
    succeed([payout("1")]),
  );
  const filter = { status: "failed", reference: "a&b = 0%", from: new Date(5), limit: 2 } as const;

  const payouts = await disburse.payouts.list(filter).toArray();

  expect(payouts.map(({ id }) => id)).toEqual(["3", "2", "1"]);
  const kept = "/api/payout?limit=2&status=failed&reference=a%26b+%3D+0%25&from=5";
  expect(requests.map(({ path }) => path)).toEqual([kept, `${kept}&cursor=a%2Bb%3D`]);
});

test("payouts.list sends every filter under its own name", async () => {
  const { disburse, requests } = await clientOf(succeed([]));
  const ids = { receiver_id: "1", receiver_account_id: "2", batch_id: "3" };
  const filter = { ...ids, status: "pending", reference: "4", cursor: "5" } as const;

  await disburse.payouts.list({ ...filter, from: 6, to: 7, limit: 8 }).page();

  const [path, query] = requests[0]?.path.split("?") ?? [];
  expect(path).toBe("/api/payout");
  expect(Object.fromEntries(new URLSearchParams(query))).toEqual({
    ...filter,
    from: "6",
    to: "7",
    limit: "8",
  });
});

test("payouts.list without a filter sends no query", async () => {
  const { disburse, requests } = await clientOf(succeed([]));
  expect(await disburse.payouts.list().toArray()).toEqual([]);
  expect(requests[0]?.path).toBe("/api/payout");
});

test("balance.get reads a row for each currency", async () => {
  const { disburse, requests } = await clientOf(succeed([balance]));
  expect(await disburse.balance.get()).toEqual([balance]);
  expect(requests[0]).toMatchObject({ method: "GET", path: "/api/balance", body: "" });
});

test("balance.funding reads bank accounts and deposit references", async () => {
  const bank_accounts = [
    {
      ...{ bank: "operating account", holder_name: "Example Pty Ltd", account_number: "12345678" },
      ...{ bsb: "062000", bank_code: "", bic: "" },
    },
  ];
  const currencies = [{ currency: "AUD", deposit_reference: "K7Q2M9XW4F", bank_accounts }];
  const funding = { instructions: "Transfer the money.", currencies };
  const { disburse, requests } = await clientOf(succeed(funding));
  expect(await disburse.balance.funding()).toEqual(funding);
  expect(requests[0]).toMatchObject({ method: "GET", path: "/api/balance/funding", body: "" });
});

test("balance.entries goes through every page of one currency's statement", async () => {
  const { disburse, requests } = await clientOf(
    succeed([balanceEntry(3), balanceEntry(2)], next("2")),
    succeed([balanceEntry(1)]),
  );
  const entries = disburse.balance.entries({ currency: "AUD", from: 0, to: "9", limit: 2 });
  expect(requests).toHaveLength(0);

  expect(await entries.toArray()).toEqual([balanceEntry(3), balanceEntry(2), balanceEntry(1)]);

  expect(requests.map(({ path }) => path)).toEqual([
    "/api/balance/entries?currency=AUD&from=0&to=9&limit=2",
    "/api/balance/entries?currency=AUD&from=0&to=9&limit=2&cursor=2",
  ]);
});

test("a statement can continue from a stored cursor", async () => {
  const { disburse, requests } = await clientOf(succeed([]));
  const page = await disburse.balance.entries({ currency: "AUD", cursor: "7" }).page();
  expect(page).toMatchObject({ items: [], nextCursor: null });
  expect(requests[0]?.path).toBe("/api/balance/entries?currency=AUD&cursor=7");
});

const validTimes: [string, Time, string][] = [
  ["a Date", new Date("2024-11-15T00:00:00.000Z"), "1731628800000"],
  ["milliseconds", 1_731_628_800_000, "1731628800000"],
  ["the beginning of time", 0, "0"],
  ["digits, as in created_at", "1731628800000", "1731628800000"],
  ["a date, in UTC", "2024-11-15", "1731628800000"],
  ["a time with its zone", "2024-11-15T11:00:00+11:00", "1731628800000"],
  ["a time in UTC", "2024-11-15T00:00Z", "1731628800000"],
];
const invalidTimes: [string, Time, string][] = [
  ["a time without a zone", "2024-11-15T00:00:00", "2024-11-15T00:00:00"],
  ["a date that needs a guess", "11/12/2024", "11/12/2024"],
  ["a date that there is not", "2024-13-15", "NaN"],
  ["an invalid Date", new Date("tomorrow"), "NaN"],
  ["an empty string", "", ""],
];

test.each([
  ...validTimes.map(([name, ...rest]) => [`${name} is sent as milliseconds`, ...rest] as const),
  ...invalidTimes.map(
    ([name, ...rest]) => [`${name} is left for the server to refuse`, ...rest] as const,
  ),
])("as a time, %s", async (_, time, sent) => {
  const { disburse, requests } = await clientOf(succeed([]));
  await disburse.payouts.list({ from: time }).page();
  await disburse.balance.entries({ currency: "AUD", to: time }).page();
  const queries = requests.map(({ path }) => new URL(path, "http://unused").searchParams);
  expect(queries[0]?.get("from")).toBe(sent);
  expect(queries[1]?.get("to")).toBe(sent);
});
