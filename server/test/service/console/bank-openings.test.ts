// The balance before the first statement of a bank connection becomes the company's money, above the threshold by two users.

import { beforeEach, expect, test } from "vitest";
import { closeAfterTests, expectBalancedLedger } from "../../support/close-after-tests.ts";
import { outcomeOf } from "../../support/service.ts";
import { startStatementConsole } from "../../support/statement-console.ts";

const service = await closeAfterTests(startStatementConsole(), expectBalancedLedger);
// All users together decide up to the threshold of a day alone.
beforeEach(() => service.db.pool.query("delete from bank_alone_total"));

/** A live bank connection with a statement that begins with this balance. */
async function newOpening(name: string, opening: bigint) {
  const { id, apply } = await service.newAccount(name);
  await apply([], { opening });
  const path = `/reconcile/banks/${id}`;
  const finance = service.enter("finance");
  return {
    id,
    apply,
    finance,
    take: (user = finance) => user.post(`${path}/opening`),
    position: async () => (await finance.get(path)).json,
  };
}

test("the opening balance of a live connection waits for a second user", async () => {
  const { id, finance, take, position } = await newOpening("large", 100_000_000n);
  const { opening, opening_waits, books } = await position();
  expect({ opening, opening_waits }).toEqual({ opening: 100_000_000, opening_waits: false });
  const { request_id } = (await take()).json;
  expect(request_id).toEqual(expect.any(String));
  expect(await position()).toMatchObject({ opening: 100_000_000, opening_waits: true, books });
  expect(outcomeOf(await take(service.enter("operator")))).toBe("409 BANK504");
  expect(await service.waitingAtBank(request_id)).toMatchObject({
    made_by: finance.who,
    bank: {
      what: "opening",
      object_id: id,
      act: "opening",
      sums: [
        { kind: "opening", subaccount_id: "", currency: "AUD", count: 1, amount: 100_000_000 },
      ],
    },
  });
  expect(outcomeOf(await service.confirm(request_id, finance))).toBe("403 CONS402");
  expect((await service.confirm(request_id)).json).toMatchObject({ status: "applied" });
  expect(await position()).toMatchObject({
    opening: null,
    opening_waits: false,
    books: books + 100_000_000,
  });
  const { rows } = await service.db.pool.query(
    "select after from audit_entry where object_id = $1 and action = 'bank-opening.take'",
    [id],
  );
  expect(rows).toMatchObject([{ after: { amount: 100_000_000 } }]);
  expect(outcomeOf(await take())).toBe("409 BANK488");
});

test("small opening balances are taken alone, up to the threshold of a day, and an overdraft counts by its size", async () => {
  const balance = await newOpening("small", 60_000n);
  expect((await balance.take()).json).toEqual({ request_id: null });
  const overdraft = await newOpening("overdrawn", -60_000n);
  expect((await overdraft.take()).json).toEqual({ request_id: expect.any(String) });
});

test("an opening balance that has changed while it waited is not taken", async () => {
  const { take, apply, position } = await newOpening("changed", 100_000_000n);
  const { request_id } = (await take()).json;
  await service.db.pool.query(
    `update bank_statement set opening = opening + 1, closing = closing + 1
     where connection_id = (select connection_id from bank_request where id = $1)`,
    [request_id],
  );
  await apply([]);
  expect(outcomeOf(await service.confirm(request_id))).toBe("409 BANK506");
  expect((await position()).opening).toBe(100_000_001);
});
