// Payouts: accepted only if every check passes, held at once, reported by events, and ended by the bank's report.

import { describe, expect, test } from "vitest";
import { verifyLedger } from "../../../src/money/ledger/verify.ts";
import { closeAfterTests, expectBalancedLedger } from "../../support/close-after-tests.ts";
import { newPayee } from "../../support/payers.ts";
import { ada, startService } from "../../support/service.ts";

const service = await closeAfterTests(startService({ bankDelayMs: 20 }), expectBalancedLedger);
const caller = await service.newCaller();

const payee = (accountNumber?: string, payer = caller) => newPayee(payer.disburse, accountNumber);
const fund = (amount: number, payer = caller) =>
  payer.call("POST", "/api/test-helpers/fund", { body: { amount, currency: "AUD" } });
const pay = (body: object, payer = caller) =>
  payer.call("POST", "/api/payout/single", { body: { currency: "AUD", ...body } });
const balance = async (payer = caller) =>
  (await payer.call("GET", "/api/balance")).json.payload.find(
    ({ currency }: { currency: string }) => currency === "AUD",
  );
const noMoney = { currency: "AUD", available: 0, held: 0, in_transit: 0 };
const payout = async (id: string, payer = caller) =>
  (await payer.call("GET", `/api/payout/${id}`)).json.payload;
const eventsOf = async (id: string) => {
  const { rows } = await service.db.pool.query(
    "select body from event where order_key = $1 order by number",
    [id],
  );
  return rows.map(({ body }) => JSON.parse(body));
};

test("PAYO232: a purpose code is stored, and other texts are refused", async () => {
  const payer = await service.newCaller();
  await fund(10_000, payer);
  const to = await payee(undefined, payer);
  const { json } = await pay({ ...to, amount: 100, purpose: "SALA" }, payer);
  expect(await payout(json.payload.payout_id, payer)).toMatchObject({ purpose: "SALA" });
  const other = await pay({ ...to, amount: 200 }, payer);
  expect(await payout(other.json.payload.payout_id, payer)).toMatchObject({ purpose: "" });
  for (const purpose of ["", "sala", "SAL", "SALAR", "S-LA", 1234]) {
    const refused = await pay({ ...to, amount: 300, purpose }, payer);
    expect(refused.json.error).toMatchObject([{ code: "PAYO232", field: "purpose" }]);
  }
});

describe("the outcome of a payout", () => {
  test.each([
    ["12345999", "successful", "settled", ["payoutCreated", "payoutUpdate"], ""],
    ["12345111", "failed", "rejected", ["payoutCreated", "payoutFailure"], "account closed"],
    ["12345222", "failed", "rejected", ["payoutCreated", "payoutFailure"], "no such account"],
    ["12345333", "failed", "rejected", ["payoutCreated", "payoutFailure"], "invalid BSB"],
    [
      "12345444",
      "failed",
      "returned",
      ["payoutCreated", "payoutUpdate", "payoutFailure"],
      "account closed",
    ],
  ])("to %s is %s", async (number, status, stage, expected, cause) => {
    const payer = await service.newCaller();
    await fund(10_000, payer);
    const to = await payee(number, payer);
    const { json } = await pay({ ...to, amount: 2_500, reference: "inv-1" }, payer);
    expect(json).toEqual({
      message: "payout created successfully",
      payload: { payout_id: json.payload.payout_id, status: "pending" },
    });
    const id = json.payload.payout_id;
    await expect.poll(async () => (await payout(id, payer)).stage).toBe(stage);
    expect(await payout(id, payer)).toMatchObject({
      status,
      cause,
      amount: 2_500,
      reference: "inv-1",
    });
    const events = await eventsOf(id);
    expect(events.map(({ event }) => event)).toEqual(expected);
    expect(Object.keys(events[0])).toEqual([
      ...["event", "amount", "currency", "payout_id", "receiver_account_id", "receiver_id"],
      ...["reference", "status", "subccount_id", "timestamp"],
    ]);
    const failure = events.find(({ event }) => event === "payoutFailure");
    if (failure)
      expect(failure).toMatchObject({ cause, timestamp: expect.stringMatching(/^\d+$/) });
    const left = status === "successful" ? 7_500 : 10_000;
    expect(await balance(payer)).toEqual({ ...noMoney, available: left });
    const history = (await payer.call("GET", `/api/payout/${id}/history`)).json.payload;
    expect(history.at(-1)).toMatchObject({ reason: "created", from: null });
    expect(history[0].to).toEqual({ status, stage });
  });

  test("to 12345888 stays pending, because the bank reports no outcome", async () => {
    const payer = await service.newCaller();
    await fund(150, payer);
    const to = await payee("12345888", payer);
    const { json } = await pay({ ...to, amount: 100 }, payer);
    await expect
      .poll(async () => (await payout(json.payload.payout_id, payer)).provider_reference)
      .not.toBe("");
    expect(await balance(payer)).toEqual({ ...noMoney, available: 50, in_transit: 100 });
    // A payout that was made later has been settled.
    const later = await pay({ ...(await payee("12345999", payer)), amount: 50 }, payer);
    await expect
      .poll(async () => (await payout(later.json.payload.payout_id, payer)).stage)
      .toBe("settled");
    expect(await payout(json.payload.payout_id, payer)).toMatchObject({
      status: "pending",
      stage: "submitted",
    });
  });
});

describe("refusals come in the order of the checks", () => {
  test("receiver, account, currency, duplicate, funds", async () => {
    const payer = await service.newCaller();
    const to = await payee("12345999", payer);
    const { receiver_id } = await payer.disburse.receivers.create(ada());
    const other = await payee("12345999", await service.newCaller());
    const code = async (body: object) => {
      const { status, json } = await pay(body, payer);
      const [problem] = json.error ?? [];
      return problem ? [status, problem.code, problem.field] : [status];
    };
    expect(await code({ ...other, amount: 1 })).toEqual([400, "PAYO205", "receiver_id"]);
    expect(await code({ ...to, receiver_id, amount: 1 })).toEqual([409, "PAYO221", "receiver_id"]);
    expect(await code({ ...to, account_id: other.account_id, amount: 1 })).toEqual([
      400,
      "PAYO206",
      "account_id",
    ]);
    expect(await code({ ...to, currency: "NZD", amount: 1 })).toEqual([400, "PAYO223", "currency"]);
    expect(await code({ ...to, amount: 1 })).toEqual([409, "PAYO227", "amount"]);
    await fund(10, payer);
    expect(await code({ ...to, amount: 11 })).toEqual([409, "PAYO227", "amount"]);
    expect(await code({ ...to, amount: "3", reference: "x" })).toEqual([200]);
    expect(await code({ ...to, amount: 3, reference: "x" })).toEqual([409, "PAYO226", "reference"]);
    expect(await code({ ...to, amount: 3, reference: "x", allow_duplicate: true })).toEqual([200]);
    expect(await code({ ...to, amount: 3, reference: "y" })).toEqual([200]);
    expect(await code({ ...to, amount: 3, reference: "z" })).toEqual([409, "PAYO227", "amount"]);
    const close = () => payer.call("DELETE", `/api/receiveraccount/${to.account_id}`);
    await expect.poll(async () => (await close()).status).toBe(200);
    expect(await code({ ...to, amount: 1 })).toEqual([409, "PAYO222", "account_id"]);
  });

  test("limits of a payout and of a day", async () => {
    const payer = await service.newCaller();
    const to = await payee("12345999", payer);
    await fund(1_000, payer);
    await service.db.pool.query("insert into payout_limit values ($1, 'AUD', 50, 80)", [
      payer.subaccountId,
    ]);
    const amounts = [51, 50, 31, 30, 1];
    const codes = [];
    for (const amount of amounts) {
      const { status, json } = await pay({ ...to, amount }, payer);
      codes.push(status === 200 ? 200 : json.error[0].code);
    }
    expect(codes).toEqual(["PAYO224", 200, "PAYO225", 200, "PAYO225"]);
  });

  test("all malformed fields are reported at once", async () => {
    const { json } = await pay({
      amount: 10.5,
      currency: "aud",
      note: "\u0000",
      pay: 1,
      account_id: "x",
    });
    expect(
      json.error.map(({ code, field }: { code: string; field: string }) => [code, field]),
    ).toEqual([
      ["PAYO201", "receiver_id"],
      ["PAYO206", "account_id"],
      ["PAYO207", "amount"],
      ["PAYO208", "currency"],
      ["PAYO210", "note"],
      ["PAYO212", "pay"],
    ]);
  });
});

describe("races", () => {
  test("of 200 payouts at once with funds for 100, exactly 100 are held", async () => {
    const payer = await service.newCaller();
    const to = await payee("12345888", payer);
    await fund(100_00, payer);
    const calls = Array.from({ length: 200 }, (_, index) =>
      pay({ ...to, amount: 100, reference: `r${index}` }, payer),
    );
    const statuses = (await Promise.all(calls)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(100);
    expect((await balance(payer)).available).toBe(0);
  });

  test("one idempotency key makes one payout under concurrent requests", async () => {
    const payer = await service.newCaller();
    const to = await payee("12345888", payer);
    await fund(1_000, payer);
    const headers = { "idempotency-key": "pay-ada" };
    const body = { ...to, amount: 100, currency: "AUD" };
    const answers = await Promise.all(
      Array.from({ length: 30 }, () =>
        payer.call("POST", "/api/payout/single", { body, headers, version: 2 }),
      ),
    );
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect((await balance(payer)).available).toBe(900);
  });
});

describe("cancel", () => {
  test("releases the money once, and is refused for a payout that was sent", async () => {
    const quiet = await startService();
    try {
      const payer = await quiet.newCaller();
      await fund(500, payer);
      const to = await payee("12345999", payer);
      const { json } = await pay({ ...to, amount: 200 }, payer);
      const id = json.payload.payout_id;
      const cancels = await Promise.all(
        Array.from({ length: 10 }, () => payer.call("POST", `/api/payout/${id}/cancel`)),
      );
      expect(cancels.map(({ status }) => status)).toEqual(Array(10).fill(200));
      expect((await balance(payer)).available).toBe(500);
      const events = await quiet.db.pool.query("select type from event where order_key = $1", [id]);
      expect(events.rows).toHaveLength(2);

      const sent = (await pay({ ...to, amount: 100, reference: "2" }, payer)).json.payload
        .payout_id;
      await quiet.db.pool.query("update payout set due_at_ms = 1 where id = $1", [sent]);
      await expect.poll(async () => (await payout(sent, payer)).stage).toBe("submitted");
      const late = await payer.call("POST", `/api/payout/${sent}/cancel`);
      expect([late.status, late.json.error[0].code]).toEqual([409, "PAYO301"]);
      expect((await verifyLedger(quiet.db)).differences).toEqual([]);
    } finally {
      await quiet.close();
    }
  });
});

test("the list applies every filter, newest first, in pages", async () => {
  const payer = await service.newCaller();
  await fund(10_000, payer);
  const [one, two] = [await payee("12345888", payer), await payee("12345999", payer)];
  const ids: string[] = [];
  for (const [index, to] of [one, two, one, two, one].entries()) {
    const { json } = await pay({ ...to, amount: 10, reference: `r${index}` }, payer);
    ids.unshift(json.payload.payout_id);
  }
  const list = async (query: string) => {
    const seen: string[] = [];
    let path: string | undefined = `/api/payout?${query}`;
    while (path) {
      const { json, headers } = await payer.call("GET", path);
      seen.push(...json.payload.map(({ id }: { id: string }) => id));
      path = /<(.*)>; rel="next"/.exec(headers.get("link") ?? "")?.[1];
    }
    return seen;
  };
  expect(await list("")).toEqual(ids);
  expect(await list("limit=2")).toEqual(ids);
  expect(await list(`receiver_id=${two.receiver_id}&limit=1`)).toEqual([ids[1], ids[3]]);
  expect(await list(`receiver_account_id=${one.account_id}`)).toEqual([ids[0], ids[2], ids[4]]);
  expect(await list("reference=r3")).toEqual([ids[1]]);
  expect(await list(`from=${Date.now() + 60_000}`)).toEqual([]);
  expect(await list(`to=${Date.now() + 60_000}`)).toEqual(ids);
  await expect.poll(() => list("status=successful")).toEqual([ids[1], ids[3]]);
});

describe("a batch", () => {
  test("is created completely, under one id, and reports its state", async () => {
    const payer = await service.newCaller();
    await fund(1_000, payer);
    const to = await payee("12345888", payer);
    const payouts = Array.from({ length: 10 }, (_, index) => ({
      ...to,
      amount: 50,
      currency: "AUD",
      reference: `b${index}`,
    }));
    const { status, json } = await payer.call("POST", "/api/payout/batch", { body: { payouts } });
    expect([status, json.payload.payouts.length]).toEqual([200, 10]);
    const id = json.payload.batch_id;
    const batch = (await payer.call("GET", `/api/payout/batch/${id}`)).json.payload;
    expect(batch).toMatchObject({
      id,
      count: 10,
      totals: [{ currency: "AUD", count: 10, amount: 500 }],
      statuses: [{ status: "pending", count: 10 }],
    });
    const listed = (await payer.call("GET", `/api/payout?batch_id=${id}`)).json.payload;
    expect(listed).toHaveLength(10);
    const foreign = await caller.call("GET", `/api/payout/batch/${id}`);
    expect(foreign.json.error[0].code).toBe("PAYO102");
  });

  test("with one bad row is not created, and every bad row is named", async () => {
    const payer = await service.newCaller();
    await fund(1_000, payer);
    const to = await payee("12345888", payer);
    const good = { ...to, amount: 50, currency: "AUD" };
    const rows = (payouts: unknown) =>
      payer.call("POST", "/api/payout/batch", { body: { payouts } });
    const form = await rows([good, { ...good, amount: "1.5" }, 7, { ...good, currency: "X" }]);
    expect(
      form.json.error.map(({ code, field }: { code: string; field: string }) => [code, field]),
    ).toEqual([
      ["PAYO207", "payouts[1].amount"],
      ["PAYO201", "payouts[2].receiver_id"],
      ["PAYO202", "payouts[2].account_id"],
      ["PAYO203", "payouts[2].amount"],
      ["PAYO204", "payouts[2].currency"],
      ["PAYO208", "payouts[3].currency"],
    ]);
    const funds = await rows([
      { ...good, amount: 600 },
      { ...good, amount: 500 },
      { ...good, amount: 400 },
    ]);
    expect([funds.status, funds.json.error]).toMatchObject([
      409,
      [{ code: "PAYO227", field: "payouts[1].amount" }],
    ]);
    for (const odd of [[], "x", undefined, {}])
      expect((await rows(odd)).json.error[0].code).toBe("PAYO214");
    expect(await balance(payer)).toEqual({ ...noMoney, available: 1_000 });
    const { rows: made } = await service.db.pool.query(
      "select id from payout where subaccount_id = $1",
      [payer.subaccountId],
    );
    expect(made).toEqual([]);
  });
});

describe("receivers and accounts of pending payouts can't be disabled", () => {
  test("REVR301 and REAC301 are refused until a test helper ends the payout", async () => {
    const payer = await service.newCaller();
    await fund(1_000, payer);
    const to = await payee("12345888", payer);
    const { json } = await pay({ ...to, amount: 100 }, payer);
    const id = json.payload.payout_id;
    const receiver = payer.disburse.receivers.delete(to.receiver_id);
    await expect(receiver).rejects.toMatchObject({ status: 409, code: "REVR301" });
    const account = payer.disburse.receiverAccounts.delete(to.account_id);
    await expect(account).rejects.toMatchObject({ status: 409, code: "REAC301" });

    const set = (status: string) =>
      payer.call("POST", "/api/test-helpers/status", { body: { id, type: "payout", status } });
    expect((await set("return")).json.error[0].code).toBe("PAYO302");
    expect((await set("success")).json.payload).toEqual({
      id,
      type: "payout",
      status: "successful",
    });
    expect((await set("fail")).json.error[0].code).toBe("PAYO302");
    expect(await balance(payer)).toEqual({ ...noMoney, available: 900 });
    expect((await set("return")).json.payload.status).toBe("failed");
    expect(await balance(payer)).toEqual({ ...noMoney, available: 1_000 });
    await payer.disburse.receiverAccounts.delete(to.account_id);
    expect((await payer.disburse.receivers.delete(to.receiver_id)).status).toBe("inactive");
  });

  test("a payout whose receiver fails its check before sending is stopped, and its money released", async () => {
    const quiet = await startService();
    try {
      const payer = await quiet.newCaller();
      await fund(500, payer);
      const to = await payee("12345999", payer);
      const { json } = await pay({ ...to, amount: 200 }, payer);
      const id = json.payload.payout_id;
      // The receiver fails its check while the payout still waits to be sent.
      await quiet.db.pool.query(
        "update receiver set status = 'inactive', kyc_status = 'failed' where id = $1",
        [to.receiver_id],
      );
      await quiet.db.pool.query(
        "update payout set due_at_ms = 1 where id = $1 and stage = 'queued'",
        [id],
      );
      await expect.poll(async () => (await payout(id, payer)).stage).toBe("rejected");
      expect((await balance(payer)).available).toBe(500);
      expect((await verifyLedger(quiet.db)).differences).toEqual([]);
    } finally {
      await quiet.close();
    }
  });
});
