// The statement of a subaccount names who paid in, where the bank's statement says so.

import { expect, test } from "vitest";
import { closeAfterTests } from "../../support/close-after-tests.ts";
import { startBankTest } from "../../support/inbound-setup.ts";
import { newStatementTest } from "../../support/statements-setup.ts";

const bank = await closeAfterTests(startBankTest());

test("a deposit has the payer and the text of the bank", async () => {
  const statements = await newStatementTest(bank);
  const text = `Invoice ${await statements.deposit()}`;
  const entry = { amount: 50_000, day: "2026-03-02", ref: "D1", text, party: "Globex Ltd" };
  await statements.apply({ day: "2026-03-02", entries: [entry] });
  const { lines, opening, closing } = await statements.payer.disburse.balance.statement({
    currency: "AUD",
  });
  const line = lines.at(-1);
  expect(line).toMatchObject({ kind: "fund", amount: 50_000, receiver_or_payer: "Globex Ltd" });
  expect(line?.reference).toContain(text);
  expect(lines.reduce((sum, { amount }) => sum + amount, opening)).toBe(closing);
});
