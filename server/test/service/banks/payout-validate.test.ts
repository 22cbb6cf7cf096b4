// The dry run of a payout decides as its creation does, says everything at once, and writes nothing.

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newId } from "../../../src/platform/base/ids.ts";
import { type BankTest, type Payer, startBankTest } from "../../support/inbound-setup.ts";
import { newPayout } from "../../support/post-requests.ts";
import { ada, sign } from "../../support/service.ts";

let bank: BankTest;
beforeAll(async () => {
  bank = await startBankTest();
});
afterAll(() => bank.close());

const start = 1_000_000_000;
type Body = Record<string, unknown>;

async function newPayer(fee: object = { fee_fixed: 100, fee_percent: "0.5" }): Promise<Payer> {
  const payer = await bank.newPayer();
  await bank.connect(payer.subaccountId, fee);
  return payer;
}

const validate = (payer: Payer, body: Body) => payer.call("POST", "/api/payout/validate", { body });
const create = (payer: Payer, body: Body) => payer.call("POST", "/api/payout/single", { body });
const bodyOf = ({ to }: Payer, changes: Body = {}): Body => ({
  ...to,
  amount: 10_000,
  currency: "AUD",
  reference: "invoice 7",
  ...changes,
});

const query = (text: string, payer: Payer, ...values: unknown[]) =>
  bank.db.pool.query(text, [payer.subaccountId, ...values]);
const setLimits = (payer: Payer, most: number | null, day: number | null, above: number | null) =>
  query("insert into payout_limit values ($1, 'AUD', $2, $3, $4)", payer, most, day, above);
const setReceiver = (payer: Payer, status: string, kyc: string) =>
  query(
    "update receiver set status = $2, kyc_status = $3 where subaccount_id = $1",
    payer,
    status,
    kyc,
  );

type Case = {
  name: string;
  changes?: Body;
  fee?: object;
  prepare?: (payer: Payer) => Promise<unknown>;
  /** The codes of all problems. None: it is accepted. */
  codes: string[];
};

const long = "x".repeat(201);
const cases: Case[] = [
  { name: "accepted", codes: [] },
  { name: "an amount as digits", changes: { amount: "10000" }, codes: [] },
  { name: "account_id under its other name", changes: { account_id: undefined }, codes: [] },
  {
    name: "no field",
    changes: {
      receiver_id: undefined,
      account_id: undefined,
      receiver_account_id: undefined,
      amount: undefined,
      currency: undefined,
    },
    codes: ["PAYO201", "PAYO202", "PAYO203", "PAYO204"],
  },
  {
    name: "fields of a wrong form",
    changes: { amount: 1.5, currency: "aud", reference: long, send_on: "soon", color: "red" },
    codes: ["PAYO207", "PAYO208", "PAYO209", "PAYO229", "PAYO212"],
  },
  {
    name: "digits above the largest amount",
    changes: { amount: "9999999999999999" },
    codes: ["PAYO207"],
  },
  { name: "an unknown receiver", changes: { receiver_id: newId() }, codes: ["PAYO205"] },
  { name: "an unknown account", changes: { account_id: newId() }, codes: ["PAYO206"] },
  {
    name: "neither known",
    changes: { receiver_id: newId(), account_id: newId() },
    codes: ["PAYO205", "PAYO206"],
  },
  {
    name: "a receiver without an identity check",
    prepare: (payer) => setReceiver(payer, "active", "pending"),
    codes: ["PAYO221"],
  },
  {
    name: "an account that the bank does not accept",
    prepare: (payer) =>
      query(
        "update receiver_account set receiver_accepted = false where subaccount_id = $1",
        payer,
      ),
    codes: ["PAYO222"],
  },
  {
    name: "a currency without a bank",
    changes: { currency: "NZD" },
    codes: ["PAYO228", "PAYO227"],
  },
  { name: "more than a file carries", fee: { file_total_max: 9_999 }, codes: ["PAYO233"] },
  {
    name: "not above the fee",
    fee: { fee_fixed: 10_000, fee_bearer: "receiver" },
    codes: ["PAYO234"],
  },
  { name: "a day that has passed", changes: { send_on: "2020-01-01" }, codes: ["PAYO231"] },
  {
    name: "over the limit of a payout",
    prepare: (payer) => setLimits(payer, 9_999, null, null),
    codes: ["PAYO224"],
  },
  {
    name: "over the limit of the day",
    prepare: (payer) => setLimits(payer, null, 9_999, null),
    codes: ["PAYO225"],
  },
  {
    name: "at both limits",
    prepare: (payer) => setLimits(payer, 10_000, 10_000, null),
    codes: [],
  },
  {
    name: "a duplicate",
    prepare: (payer) => create(payer, bodyOf(payer)),
    codes: ["PAYO226"],
  },
  {
    name: "a duplicate that is meant",
    prepare: (payer) => create(payer, bodyOf(payer)),
    changes: { allow_duplicate: true },
    codes: [],
  },
  {
    name: "funds without the fee",
    prepare: (payer) => setLimits(payer, null, null, null),
    fee: { fee_fixed: 1 },
    changes: { amount: start },
    codes: ["PAYO227"],
  },
  {
    name: "funds with the fee",
    prepare: (payer) => setLimits(payer, null, null, null),
    fee: { fee_fixed: 1 },
    changes: { amount: start - 1 },
    codes: [],
  },
  {
    name: "everything at once",
    prepare: async (payer) => {
      await create(payer, bodyOf(payer, { amount: 2_000 }));
      await setReceiver(payer, "inactive", "completed");
      await query(
        "update receiver_account set status = 'inactive' where subaccount_id = $1",
        payer,
      );
      await setLimits(payer, 1_000, 1_500, null);
      await query(
        `update ledger_balance set available = 0, bank = held + clearing + returns + fees where subaccount_id = $1`,
        payer,
      );
    },
    fee: { fee_fixed: 10, file_total_max: 2_000 },
    changes: { amount: 2_000, send_on: "2020-01-01" },
    codes: ["PAYO221", "PAYO222", "PAYO231", "PAYO224", "PAYO225", "PAYO226", "PAYO227"],
  },
];

test.each(cases)("$name: the creation agrees", async ({ changes, fee, prepare, codes }) => {
  const payer = await newPayer(fee);
  await prepare?.(payer);
  const body = bodyOf(payer, { receiver_account_id: payer.to.account_id, ...changes });
  const dry = await validate(payer, body);
  expect(dry.status).toBe(200);
  const { accepted, problems, ...facts } = dry.json.payload;
  expect(problems.map(({ code }: { code: string }) => code)).toEqual(codes);
  expect(accepted).toBe(codes.length === 0);
  const made = await create(payer, body);
  if (accepted) {
    expect(made.status).toBe(200);
    const payout = await payer.disburse.payouts.get(made.json.payload.payout_id);
    expect(facts).toMatchObject({
      fee: payout.fee ?? 0,
      sent_amount: payout.sent_amount ?? payout.amount,
      needs_approval: payout.stage === "awaiting_approval",
      process_date: payout.process_date,
      expected_arrival: payout.expected_arrival,
    });
    expect(payout.process_date).not.toBe("");
    return;
  }
  expect(facts).toMatchObject({ needs_approval: false, process_date: "", expected_arrival: "" });
  // Of the form the creation says all as well, and of the rest the first.
  const isOfForm = codes.every(
    (code) => code < "PAYO205" || /PAYO2(07|08|09|1\d|29|30|32)/.test(code),
  );
  expect(made.json.error).toEqual(isOfForm ? problems : problems.slice(0, 1));
});

test("fee and sent amount are shown also for a payout that is refused, and not without a bank", async () => {
  const payer = await newPayer({ fee_percent: "1.5", fee_bearer: "receiver" });
  await setLimits(payer, 1, null, null);
  expect((await validate(payer, bodyOf(payer))).json.payload).toMatchObject({
    accepted: false,
    fee: 150,
    sent_amount: 9_850,
  });
  const tooSmall = await newPayer({ fee_fixed: 10_000, fee_bearer: "receiver" });
  expect((await validate(tooSmall, bodyOf(tooSmall))).json.payload).toMatchObject({
    accepted: false,
    fee: 10_000,
    sent_amount: null,
  });
  const elsewhere = await validate(payer, bodyOf(payer, { currency: "NZD" }));
  expect(elsewhere.json.payload).toMatchObject({ fee: null, sent_amount: null });
});

test("the rules by which it would need approval are named", async () => {
  const payer = await newPayer();
  await query("insert into payout_limit values ($1, 'AUD', null, null, 5000, 5000, 5000)", payer);
  const { payload } = (await validate(payer, bodyOf(payer))).json;
  expect(payload).toMatchObject({
    accepted: true,
    needs_approval: true,
    // A single payout has no batch.
    approval_rules: ["payout", "receiver_day", "account_day"],
  });
});

describe("it writes nothing", () => {
  /** The number of the subaccount's rows, by table, and its balances. */
  async function contents(payer: Payer): Promise<unknown> {
    const { rows: tables } = await bank.db.pool.query(
      `select table_name as name from information_schema.columns
       where column_name = 'subaccount_id' and table_schema = current_schema()`,
    );
    const counts: Record<string, number> = {};
    for (const { name } of tables) {
      const text = `select count(*)::int as rows from ${name} where subaccount_id = $1`;
      counts[name] = (await query(text, payer)).rows[0].rows;
    }
    const { rows } = await query("select * from ledger_balance where subaccount_id = $1", payer);
    return { counts, rows };
  }

  test("no row of the subaccount changes, whatever it answers", async () => {
    const payer = await newPayer();
    const before = await contents(payer);
    // Version 2 has a nonce, which a write would store.
    const ask = (body: unknown) => payer.call("POST", "/api/payout/validate", { body, version: 2 });
    await ask(bodyOf(payer));
    await ask(bodyOf(payer, { amount: 0 }));
    await ask(bodyOf(payer, { currency: "USD" }));
    const bad = await ask([]);
    expect([bad.status, bad.json.error[0].code]).toEqual([400, "PAYO213"]);
    expect(await contents(payer)).toEqual(before);
  });

  test("an Idempotency-Key has no effect: neither a stored response nor a conflict with the creation", async () => {
    const payer = await newPayer();
    const headers = { "idempotency-key": "invoice-7" };
    const call = (path: string, body: Body) => payer.call("POST", path, { body, headers });
    const ask = async (amount: number) =>
      (await call("/api/payout/validate", bodyOf(payer, { amount }))).json.payload.fee;
    expect([await ask(10_000), await ask(20_000)]).toEqual([150, 200]);
    expect((await call("/api/payout/single", bodyOf(payer))).status).toBe(200);
    expect(await ask(30_000)).toBe(250);
  });

  test("the same signed request can be sent again", async () => {
    const payer = await newPayer();
    const path = "/api/payout/validate";
    const body = JSON.stringify(bodyOf(payer));
    const { key, secret } = payer;
    const signature = sign({ key, secret, method: "POST", path, body, version: 2 });
    const send = async () => {
      const headers = { "x-api-key": key, signature, "content-type": "application/json" };
      return (await fetch(`${bank.baseUrl}${path}`, { method: "POST", headers, body })).status;
    };
    expect([await send(), await send()]).toEqual([200, 200]);
  });
});

test("a key that may only read can validate a payout, and not create one", async () => {
  const payer = await newPayer();
  const reader = await bank.service.newCaller({ scopes: ["read"], mode: "live" });
  const body = bodyOf(payer);
  const { status, json } = await reader.call("POST", "/api/payout/validate", { body });
  // It is another subaccount's receiver.
  expect([status, json.payload.problems[0].code]).toEqual([200, "PAYO205"]);
  const made = await reader.call("POST", "/api/payout/single", { body });
  expect([made.status, made.json.error[0].code]).toEqual([403, "AUTH110"]);
});

test("a test payout through the sandbox costs nothing and has no dates", async () => {
  const caller = await bank.service.newCaller();
  const body = await newPayout(caller);
  expect(await caller.disburse.payouts.validate(body)).toEqual({
    accepted: true,
    problems: [],
    fee: 0,
    sent_amount: 10,
    needs_approval: false,
    approval_rules: [],
    needs_review: false,
    process_date: "",
    expected_arrival: "",
  });
  expect(await caller.disburse.payouts.list().toArray()).toEqual([]);
});

test("receivers of the dry run are those of the caller's subaccount", async () => {
  const [one, other] = [await newPayer(), await newPayer()];
  const { receiver_id } = await other.disburse.receivers.create(ada());
  const answers = await Promise.all(
    [receiver_id, newId()].map(
      async (id) => (await validate(one, bodyOf(one, { receiver_id: id }))).text,
    ),
  );
  expect(answers[0]).toBe(answers[1]);
});
