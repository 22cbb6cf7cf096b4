// Payee name checks: in the background after an account is created or changed, one for each version of bank details.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  claimPayeeChecks,
  requestPayeeCheck,
} from "../../../src/people/accounts/payee-check-queries.ts";
import { startPayeeCheckWorker } from "../../../src/people/accounts/payee-check-worker.ts";
import {
  type PayeeNameCheckers,
  type PayeeToCheck,
  payeeNameOutcomes,
} from "../../../src/people/payee-checks/checker.ts";
import { sandboxPayeeNameChecker } from "../../../src/people/payee-checks/sandbox.ts";
import { closeAfterTests } from "../../support/close-after-tests.ts";
import { ada, startService } from "../../support/service.ts";

const australian = { account_type: "I", bsb: "062000", country: "AUS" };
const soon = { timeout: 15_000, interval: 20 };

const warnings: string[] = [];
const log = {
  warn: (context: object, text: string) => void warnings.push(describe(context, text)),
};
const service = await closeAfterTests(startService());
const caller = await service.newCaller();

function describe(context: object, text: string): string {
  const { err, ...rest } = context as { err?: Error };
  return JSON.stringify({ ...rest, err: err?.message, text });
}

/** A worker for one piece of work. A clock that is ahead makes retries due at once. */
async function withWorker<Result>(
  checkers: PayeeNameCheckers,
  work: () => Promise<Result>,
  clock = Date.now,
): Promise<Result> {
  const { db, seal } = service;
  const worker = startPayeeCheckWorker({ db, seal, log, checkers, clock });
  try {
    return await work();
  } finally {
    await worker.close();
  }
}
const sandbox = { test: sandboxPayeeNameChecker };

async function newAccount(account_number: string, by = caller, more: object = {}): Promise<string> {
  const { receiver_id } = await by.disburse.receivers.create(ada());
  const account = { receiver_id, ...australian, account_number, ...more };
  return (await by.disburse.receiverAccounts.create(account)).account_id;
}

const checkOf = async (id: string, by = caller) =>
  (await by.disburse.receiverAccounts.get(id)).payee_name_check;

test.each([
  ["12345999", "match"],
  ["12345551", "close_match"],
  ["12345552", "no_match"],
  ["12345553", "unavailable"],
])("in test mode %s is %s; before that the field is absent", async (number, outcome) => {
  const id = await newAccount(number);
  expect(await caller.disburse.receiverAccounts.get(id)).not.toHaveProperty("payee_name_check");
  await withWorker(sandbox, () => expect.poll(() => checkOf(id), soon).toBe(outcome));
  const { id: receiverId } = await receiverOf(id);
  const [listed] = await caller.disburse.receiverAccounts.list(receiverId);
  expect(listed).toMatchObject({ id, payee_name_check: outcome });
});

async function receiverOf(accountId: string): Promise<{ id: string }> {
  const { rows } = await service.db.pool.query(
    "select receiver_id as id from receiver_account where id = $1",
    [accountId],
  );
  return rows[0];
}

test("other bank details are checked again, and a change of other fields keeps the outcome", async () => {
  const id = await newAccount("12345552");
  await withWorker(sandbox, async () => {
    await expect.poll(() => checkOf(id), soon).toBe("no_match");
    const kept = await caller.disburse.receiverAccounts.update(id, { occupation: "Analyst" });
    expect(kept.payee_name_check).toBe("no_match");
  });
  const changed = await caller.disburse.receiverAccounts.update(id, { account_number: "12345551" });
  expect(changed).not.toHaveProperty("payee_name_check");
  await withWorker(sandbox, () => expect.poll(() => checkOf(id), soon).toBe("close_match"));
  const { rows } = await service.db.pool.query(
    "select version, outcome from payee_name_check where account_id = $1 order by version",
    [id],
  );
  expect(rows).toEqual([
    { version: 1, outcome: "no_match" },
    { version: 2, outcome: "close_match" },
  ]);
});

test("the checker gets the name of payments and the whole number; a new name is checked again", async () => {
  const asked: PayeeToCheck[] = [];
  const own = await service.newCaller();
  const checkers: PayeeNameCheckers = {
    test: {
      name: "asking",
      check: async (payee) => {
        asked.push(payee);
        return payee.name === "Ada King" ? "close_match" : "match";
      },
    },
  };
  const business = {
    account_type: "B",
    abn: "51824753556",
    business_name: "Analytical Engines Pty Ltd",
  };
  const id = await newAccount("012345999", own);
  const firmId = await newAccount("12345998", own, business);
  const askedOf = (ending: string) => asked.filter((one) => one.accountNumber.endsWith(ending));
  await withWorker(checkers, async () => {
    await expect.poll(() => checkOf(id, own), soon).toBe("match");
    await expect.poll(() => checkOf(firmId, own), soon).toBe("match");
    const { id: receiverId } = await receiverOf(id);
    await own.disburse.receivers.update(receiverId, { last_name: "King" });
    await expect.poll(() => checkOf(id, own), soon).toBe("close_match");
    const { id: ownerId } = await receiverOf(firmId);
    await own.disburse.receivers.update(ownerId, { last_name: "King" });
    // The name of the business did not change.
    expect(await checkOf(firmId, own)).toBe("match");
  });
  expect(askedOf("012345999").map(({ name }) => name)).toEqual(["Ada Lovelace", "Ada King"]);
  expect(askedOf("12345998")).toEqual([
    {
      name: "Analytical Engines Pty Ltd",
      isBusiness: true,
      country: "AUS",
      bsb: "062000",
      bankCode: "CBA",
      accountNumber: "12345998",
    },
  ]);
});

test("a check that fails is tried again with longer and longer pauses, and creates no refusal", async () => {
  const own = await service.newCaller();
  let failures = 0;
  const failing: PayeeNameCheckers = {
    test: {
      name: "failing",
      check: async ({ accountNumber }) => {
        if (!accountNumber.endsWith("77")) return "match";
        failures += 1;
        throw new Error("no answer");
      },
    },
  };
  const id = await newAccount("1234577", own);
  const state = async () => {
    const { rows } = await service.db.pool.query(
      "select attempts, due_at_ms::float8 as due, outcome from payee_name_check where account_id = $1",
      [id],
    );
    return rows[0];
  };
  const pauses: number[] = [];
  for (let round = 1; round <= 4; round += 1) {
    const nowMs = (await state()).due;
    const attempted = async () => {
      const { attempts, due } = await state();
      return attempts === round && due > nowMs && due < nowMs + 10_000;
    };
    await withWorker(
      failing,
      () => expect.poll(attempted, soon).toBe(true),
      () => nowMs,
    );
    pauses.push((await state()).due - nowMs);
  }
  expect(pauses).toEqual([1_000, 2_000, 4_000, 8_000]);
  expect(failures).toBe(4);
  expect(await checkOf(id, own)).toBeUndefined();
  const said = warnings.filter((line) => line.includes(id));
  expect(said).toHaveLength(4);
  expect(said.join()).not.toMatch(/1234577|Lovelace/);

  const laterMs = (await state()).due;
  await withWorker(
    sandbox,
    () => expect.poll(() => checkOf(id, own), soon).toBe("match"),
    () => laterMs,
  );
  expect(await state()).toEqual({ attempts: 0, due: null, outcome: "match" });
});

test("checks of live accounts wait until there is a checker, and of two workers one gets a check", async () => {
  const { db } = service;
  const live = await service.newCaller({ mode: "live" });
  const id = await newAccount("12345999", live);
  await withWorker(sandbox, async () => {
    const other = await newAccount("12345999");
    await expect.poll(() => checkOf(other), soon).toBe("match");
  });
  expect(await checkOf(id, live)).toBeUndefined();
  const nowMs = Date.now();
  const turn = { subaccountIds: [live.subaccountId], share: 64 };
  const claim = { mode: "live", nowMs, leaseUntilMs: nowMs + 60_000, limit: 64, turn } as const;
  const claims = await Promise.all([1, 2, 3, 4].map(() => claimPayeeChecks(db, claim)));
  expect(claims.flat().map(({ account_id }) => account_id)).toEqual([id]);
});

test("a check can be requested again, also of an account from before there were checks", async () => {
  const id = await newAccount("12345551");
  await service.db.pool.query("delete from payee_name_check where account_id = $1", [id]);
  expect(await checkOf(id)).toBeUndefined();
  const key = { subaccountId: caller.subaccountId, id };
  expect(await requestPayeeCheck(service.db, key, Date.now())).toBe(true);
  await withWorker(sandbox, () => expect.poll(() => checkOf(id), soon).toBe("close_match"));
  expect(await requestPayeeCheck(service.db, key, Date.now())).toBe(true);
  // The outcome stays until there is another.
  expect(await checkOf(id)).toBe("close_match");
  await caller.disburse.receiverAccounts.delete(id);
  expect(await requestPayeeCheck(service.db, key, Date.now())).toBe(false);
});

test("docs/api/test-accounts.md: every number is valid in its country and has the documented outcome", async () => {
  const file = join(import.meta.dirname, "..", "..", "..", "..", "docs", "api", "test-accounts.md");
  const rows = readFileSync(file, "utf8")
    .split("\n")
    .map((line) => line.split("|").map((cell) => cell.trim().replaceAll("`", "")))
    .filter(([, outcome = ""]) => (payeeNameOutcomes as readonly string[]).includes(outcome));
  expect(rows.map(([, outcome]) => outcome)).toEqual(payeeNameOutcomes);
  for (const [, outcome, , national = "", newZealand = "", german = ""] of rows) {
    const accounts = [
      { country: "AUS", bsb: "062000", account_number: national },
      { country: "USA", bank_code: "021000021", account_number: national },
      { country: "GBR", bank_code: "010000", account_number: national },
      { country: "NZL", account_number: newZealand },
      { country: "DEU", account_number: german },
    ];
    for (const account of accounts) {
      const valid = await caller.disburse.receiverAccounts.validate({
        ...account,
        account_type: "I",
      });
      expect([account, valid.warnings]).toEqual([account, []]);
      const payee = { name: "Ada Lovelace", isBusiness: false, bsb: "", bankCode: "", ...account };
      const checked = { ...payee, accountNumber: account.account_number };
      const signal = AbortSignal.timeout(1_000);
      expect(await sandboxPayeeNameChecker.check(checked, signal)).toBe(outcome);
    }
  }
});
