// The ledger: a deposit counts once, transfers have two sides, no balance is below zero, and sums can be verified.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fundOnce } from "../../../src/money/ledger/fund.ts";
import {
  after,
  type Balances,
  type Kind,
  noBalances,
  postings,
} from "../../../src/money/ledger/ledger.ts";
import { ensureBalances, postTransfers } from "../../../src/money/ledger/queries.ts";
import { verifyLedger } from "../../../src/money/ledger/verify.ts";
import { newId } from "../../../src/platform/base/ids.ts";
import { connect } from "../../../src/platform/db/connect.ts";
import { findServiceRole } from "../../../src/platform/db/role.ts";
import type { Service } from "../../support/service.ts";
import { service, useService } from "../../support/service-setup.ts";

await useService();

/** Without differences about payouts: the transfers of these tests belong to none. */
async function bookDifferences(db: Service["db"]) {
  const { differences } = await verifyLedger(db);
  return differences.filter(({ what }) => !what.includes("payouts"));
}

const kinds = Object.keys(postings) as Kind[];
const by = { reference: "r", who: "operator:test" };

async function post(
  subaccountId: string,
  moves: { kind: Kind; amount: bigint }[],
  currency = "AUD",
) {
  await service.db.transaction(async (tx) => {
    await ensureBalances(tx, [{ subaccountId, currency }]);
    await postTransfers(
      tx,
      moves.map(({ kind, amount }) => {
        const id = newId();
        return { subaccountId, currency, id, kind, amount, ...by, reference: id, atMs: Date.now() };
      }),
    );
  });
}

async function balancesOf(subaccountId: string, currency = "AUD"): Promise<Balances> {
  const { rows } = await service.db.pool.query(
    "select available, held, clearing, returns, fees, company, bank from ledger_balance where subaccount_id = $1 and currency = $2",
    [subaccountId, currency],
  );
  const row = rows[0] ?? noBalances;
  return Object.fromEntries(
    Object.entries(row).map(([account, amount]) => [account, BigInt(amount as string)]),
  ) as Balances;
}

describe("transfers", () => {
  test("random transfers agree with a plain model, and a batch below zero is refused as a whole", async () => {
    const move = fc.record({
      kind: fc.constantFrom(...kinds),
      amount: fc.bigInt({ min: 1n, max: 1_000n }),
    });
    const batches = fc.array(fc.array(move, { minLength: 1, maxLength: 6 }), { maxLength: 8 });
    let posted = 0;
    let refused = 0;
    await fc.assert(
      fc.asyncProperty(batches, async (all) => {
        const subaccountId = newId();
        let model: Balances = noBalances;
        for (const batch of [[{ kind: "fund" as Kind, amount: 1_500n }], ...all]) {
          const next = batch.reduce((balances, { kind, amount }) => {
            const [debit, credit] = postings[kind];
            return after(balances, { debit, credit, amount });
          }, model);
          // Funds are checked at the end of a batch, which is one commit.
          // The company may owe the bank.
          const { bank: _bank, company: _company, ...owed } = next;
          const isFine = Object.values(owed).every((amount) => amount >= 0n);
          const attempt = post(subaccountId, batch);
          if (isFine) {
            await attempt;
            model = next;
            posted += batch.length;
          } else {
            await expect(attempt).rejects.toMatchObject({ code: "23514" });
            refused += 1;
          }
          expect(await balancesOf(subaccountId)).toEqual(model);
          expect(isBalanced(model)).toBe(true);
        }
      }),
      { numRuns: 60, seed: 4 },
    );
    console.info(
      `${posted} transfers posted, ${refused} batches refused for funds, all as the model says`,
    );
    expect(await bookDifferences(service.db)).toEqual([]);
  });

  test("numbers have no gap and running balances are right, also when 40 post at once", async () => {
    const subaccountId = newId();
    await post(subaccountId, [{ kind: "fund", amount: 100_000n }]);
    await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        post(subaccountId, [
          { kind: "hold", amount: BigInt(index + 1) },
          { kind: index % 2 ? "release" : "submit", amount: BigInt(index + 1) },
        ]),
      ),
    );
    const { rows } = await service.db.pool.query(
      "select number from ledger_transfer where subaccount_id = $1 order by number",
      [subaccountId],
    );
    expect(rows.map(({ number }) => Number(number))).toEqual(
      Array.from({ length: 81 }, (_, index) => index + 1),
    );
    expect(await bookDifferences(service.db)).toEqual([]);
  });

  test("of 50 concurrent holds with funds for 20, twenty succeed", async () => {
    const subaccountId = newId();
    await post(subaccountId, [{ kind: "fund", amount: 2_000n }]);
    const outcomes = await Promise.allSettled(
      Array.from({ length: 50 }, () => post(subaccountId, [{ kind: "hold", amount: 100n }])),
    );
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(20);
    expect(await balancesOf(subaccountId)).toMatchObject({ available: 0n, held: 2_000n });
  });

  test("currencies never mix", async () => {
    const subaccountId = newId();
    await post(subaccountId, [{ kind: "fund", amount: 5n }], "AUD");
    await post(subaccountId, [{ kind: "fund", amount: 7n }], "JPY");
    await expect(post(subaccountId, [{ kind: "hold", amount: 6n }], "AUD")).rejects.toThrow();
    expect(await balancesOf(subaccountId, "JPY")).toMatchObject({ available: 7n });
  });
});

describe("the database itself refuses", () => {
  test("the service's role may add a transfer, and neither change nor delete one", async () => {
    const subaccountId = newId();
    await post(subaccountId, [{ kind: "fund", amount: 5n }]);
    const role = await findServiceRole(service.db);
    expect(role).toBe("disburse_service");
    const db = connect({ connection: { connectionString: service.url }, poolMax: 1, role });
    const denied = { code: "42501" };
    for (const text of [
      "update ledger_transfer set amount = amount + 1",
      "delete from ledger_transfer",
      "truncate ledger_transfer",
    ]) {
      await expect(db.pool.query(text)).rejects.toMatchObject(denied);
    }
    const { rows } = await db.pool.query("select count(*)::int as count from ledger_transfer");
    expect(rows[0].count).toBeGreaterThan(0);
    await db.close();
  });

  test("a balance that does not balance, or is below zero, can't be written", async () => {
    const subaccountId = newId();
    await post(subaccountId, [{ kind: "fund", amount: 5n }]);
    const set = (change: string) =>
      service.db.pool.query(`update ledger_balance set ${change} where subaccount_id = $1`, [
        subaccountId,
      ]);
    await expect(set("available = 6")).rejects.toMatchObject({ constraint: "ledger_balanced" });
    await expect(set("available = -1, bank = -1")).rejects.toMatchObject({ code: "23514" });
  });
});

describe("verify", () => {
  test("reports each difference and its subaccount", async () => {
    const subaccountId = newId();
    await post(subaccountId, [{ kind: "fund", amount: 500n }]);
    await post(subaccountId, [{ kind: "hold", amount: 200n }]);
    const damage = [
      [
        "update ledger_balance set available = available - 1, held = held + 1 where subaccount_id = $1",
        /available is 299/,
      ],
      [
        "update ledger_transfer set available_after = 1 where subaccount_id = $1 and number = 2",
        /transfer 2 is wrong/,
      ],
      [
        "update ledger_transfer set number = 9 where subaccount_id = $1 and number = 2",
        /2 transfers were counted/,
      ],
    ] as const;
    for (const [text, what] of damage) {
      const client = await service.db.pool.connect();
      await client.query("begin");
      await client.query(text, [subaccountId]);
      const alone = {
        ...service.db,
        transaction: async (work: (tx: never) => unknown) =>
          work({
            run: async ({ text }: { text: string }, values: unknown[]) =>
              (await client.query(text, values)).rows,
          } as never),
      };
      const differences = await bookDifferences(alone as never);
      expect(differences.map(({ what }) => what).join("; ")).toMatch(what);
      expect(differences.every((one) => one.subaccountId === subaccountId)).toBe(true);
      await client.query("rollback");
      client.release();
    }
    expect(await bookDifferences(service.db)).toEqual([]);
  });
});

describe("funding", () => {
  test("a bank reference funds once, also if it is sent repeatedly and concurrently", async () => {
    const subaccountId = newId();
    const funding = { subaccountId, currency: "AUD", amount: 1_000n, atMs: 1, ...by };
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, () => fundOnce(service.db, funding)),
    );
    const ids = new Set(outcomes.map((one) => "transferId" in one && one.transferId));
    expect(ids.size).toBe(1);
    expect(outcomes.filter(({ outcome }) => outcome === "funded")).toHaveLength(1);
    expect(await balancesOf(subaccountId)).toMatchObject({ available: 1_000n, bank: 1_000n });
    const other = await fundOnce(service.db, { ...funding, amount: 999n });
    expect(other).toEqual({ outcome: "other-amount", amount: 1_000n });
  });

  test("POST /api/test-helpers/fund changes GET /api/balance", async () => {
    const caller = await service.newCaller();
    expect((await caller.call("GET", "/api/balance")).json.payload).toEqual([]);
    const fund = (body: object) => caller.call("POST", "/api/test-helpers/fund", { body });
    const funded = await fund({ amount: "150000", currency: "AUD", reference: "one" });
    expect(funded.json.payload).toEqual({ currency: "AUD", available: 150_000, held: 0 });
    await fund({ amount: 7, currency: "JPY" });
    expect((await caller.call("GET", "/api/balance")).json).toEqual({
      message: "get balance successful",
      payload: [
        { currency: "AUD", available: 150_000, held: 0, in_transit: 0 },
        { currency: "JPY", available: 7, held: 0, in_transit: 0 },
      ],
    });
    const again = await fund({ amount: "150000", currency: "AUD", reference: "one" });
    expect([again.status, again.json.error]).toMatchObject([409, [{ code: "TEST210" }]]);
  });

  test.each([
    0,
    -1,
    1.5,
    2 ** 53,
    1e308,
    "1e3",
    "10.5",
    "-1",
    "٣",
    "007",
    "",
    "1 1",
    null,
    true,
    {},
    "9007199254740992",
  ])("TEST207: amount %j is refused", async (amount) => {
    const caller = await service.newCaller();
    const body = { amount, currency: "AUD" };
    const { status, json } = await caller.call("POST", "/api/test-helpers/fund", { body });
    expect([status, json.error]).toMatchObject([400, [{ code: "TEST207", field: "amount" }]]);
  });

  test("AUTH111: live keys are refused", async () => {
    const caller = await service.newCaller({ mode: "live" });
    const body = { amount: 1, currency: "AUD" };
    const { status, json } = await caller.call("POST", "/api/test-helpers/fund", { body });
    expect([status, json.error[0].code]).toEqual([403, "AUTH111"]);
  });
});

describe("GET /api/balance/entries", () => {
  test("entries are newest first, with the balance after each, in pages, as JSON and as CSV", async () => {
    const caller = await service.newCaller();
    for (const reference of ["a", "b", '=cmd("c")']) {
      const body = { amount: 10, currency: "AUD", reference };
      await caller.call("POST", "/api/test-helpers/fund", { body });
    }
    const { json } = await caller.call("GET", "/api/balance/entries?currency=AUD");
    expect(json.payload).toMatchObject([
      { number: 3, available: 30, amount: 10, kind: "fund", debit: "bank", credit: "available" },
      { number: 2, available: 20, reference: "b" },
      { number: 1, available: 10, reference: "a", payout_id: null },
    ]);
    const first = await caller.call("GET", "/api/balance/entries?currency=AUD&limit=2");
    const next = /<(.*)>; rel="next"/.exec(first.headers.get("link") ?? "")?.[1] as string;
    const second = await caller.call("GET", next);
    expect([...first.json.payload, ...second.json.payload]).toEqual(json.payload);
    expect(second.headers.has("link")).toBe(false);

    const csv = await caller.call("GET", "/api/balance/entries?currency=AUD", {
      headers: { accept: "text/csv" },
    });
    expect(csv.headers.get("content-type")).toBe("text/csv; charset=utf-8");
    const lines = csv.text.trim().split("\n");
    expect(lines).toHaveLength(4);
    expect(lines[0]).toBe(
      "id,number,when,kind,debit,credit,amount,currency,payout_id,reference,available,held",
    );
    expect(lines[1]).toContain(`"'=cmd(""c"")"`);
  });

  test("BALA101 to BALA106 are reported at once, and entries of another subaccount are not shown", async () => {
    const caller = await service.newCaller();
    const path = "/api/balance/entries?currency=aud&limit=0&from=x&to=-1&cursor=z&sort=1";
    const { json } = await caller.call("GET", path);
    expect(json.error.map(({ code }: { code: string }) => code).sort()).toEqual([
      ...["BALA101", "BALA102", "BALA103", "BALA104", "BALA105", "BALA106"],
    ]);
    const { payload } = (await caller.call("GET", "/api/balance/entries?currency=AUD")).json;
    expect(payload).toEqual([]);
  });
});

function isBalanced(balances: Balances): boolean {
  const { bank, available, held, clearing, returns, fees, company } = balances;
  return available + held + clearing + returns + fees + company === bank;
}
