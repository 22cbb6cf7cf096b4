// docs/api/test-accounts.md: every account of the table can be added and paid, and has its outcome.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { findMagicOutcome } from "../../../../packages/bank-simulator/src/magic-accounts.ts";
import { closeAfterTests } from "../../support/close-after-tests.ts";
import { newPerson } from "../../support/payers.ts";
import { startService } from "../../support/service.ts";

const page = readFileSync(
  join(import.meta.dirname, "..", "..", "..", "..", "docs", "api", "test-accounts.md"),
  "utf8",
);

const outcomes = {
  closed: { stage: "rejected", status: "failed", cause: "account closed" },
  unknown: { stage: "rejected", status: "failed", cause: "no such account" },
  invalid: { stage: "rejected", status: "failed", cause: "invalid BSB" },
  returned: { stage: "returned", status: "failed", cause: "account closed" },
  silent: { stage: "submitted", status: "pending", cause: "" },
};
const names = Object.keys(outcomes) as (keyof typeof outcomes)[];

const countries = page
  .split("\n")
  .filter((line) => /^\| [A-Z]{3} \|/.test(line))
  .map((line) => {
    const cells = line.split("|").map((cell) => cell.trim().replaceAll("`", ""));
    const [, country = "", currency = "", bank = "", ...numbers] = cells;
    const [field = "", code = ""] = bank.split(" ");
    return {
      country,
      currency,
      bank: field === "" ? {} : { [field]: code },
      accounts: names.map((name, index) => ({ name, number: numbers[index] ?? "" })),
    };
  });

const service = await closeAfterTests(startService({ bankDelayMs: 20 }));

test("the page has accounts of the countries that bank formats pay", () => {
  const found = countries.map(({ country }) => country);
  expect(found).toEqual(
    expect.arrayContaining(["AUS", "NZL", "USA", "GBR", "DEU", "NLD", "IRL", "FRA"]),
  );
});

test.each(countries)(
  "$country: every account passes all checks, and each payout has the documented outcome",
  async ({ country, currency, bank, accounts }) => {
    const { call, disburse } = await service.newCaller();
    await disburse.testHelpers.fund({ amount: 10_000, currency });
    const { receiver_id } = await disburse.receivers.create(newPerson());
    await disburse.testHelpers.setStatus({ id: receiver_id, type: "kyc", status: "success" });
    const made: { id: string; name: keyof typeof outcomes }[] = [];
    for (const { name, number } of accounts) {
      const body = { account_type: "I", country, account_number: number, ...bank };
      const checked = await call("POST", "/api/receiveraccount/validate", { body });
      expect([number, checked.status, checked.json.payload?.warnings ?? []]).toEqual([
        number,
        200,
        [],
      ]);
      const account = await call("POST", "/api/receiveraccount", {
        body: { receiver_id, ...body },
      });
      const { account_id } = account.json.payload;
      const { json } = await call("POST", "/api/payout/single", {
        body: { receiver_id, account_id, amount: 100, currency, reference: name },
      });
      made.push({ id: json.payload.payout_id, name });
    }
    const payout = async (id: string) => (await call("GET", `/api/payout/${id}`)).json.payload;
    for (const { id, name } of made) {
      const { stage } = outcomes[name];
      await expect.poll(async () => (await payout(id)).stage).toBe(stage);
      expect(await payout(id)).toMatchObject(outcomes[name]);
    }
  },
);

test("the bank simulator has the same outcomes, because it reads the same table", () => {
  const kinds = countries.map(({ accounts }) =>
    accounts.map(({ number }) => findMagicOutcome(number)?.kind),
  );
  for (const one of kinds) {
    expect(one).toEqual(["rejected", "rejected", "rejected", "returned", "silent"]);
  }
});
