// The sandbox bank: the account number decides the outcome of a payout, in every country.

import { expect, test } from "vitest";
import type { InboundItem, RailPayout } from "../../../src/money/rails/rail.ts";
import { sandboxRail } from "../../../src/money/rails/sandbox.ts";
import { service, useService } from "../../support/service-setup.ts";

await useService();

const rail = sandboxRail({ delayMs: 0 });

async function verdictOn(accountNumber: string, { isPaid = false, bsb = "" } = {}) {
  const payout: RailPayout = {
    ...{ payoutId: "01890a5d-ac96-774b-bcce-b302099a8057", amount: 1n, currency: "EUR" },
    ...{ country: "DEU", bsb, bankCode: "", accountNumber, payeeName: "Ada", reference: "" },
  };
  const bytes = await rail.ask([{ ...payout, isPaid }], AbortSignal.timeout(1_000));
  const [{ outcome, cause }] = rail.parseInbound(bytes) as [InboundItem];
  return [outcome, cause];
}

const accounts = [
  { country: "AUS", account_number: "12345111", bsb: "082001" },
  { country: "DEU", account_number: "DE67370400440012345111" },
  { country: "GBR", account_number: "12345111", bank_code: "200000" },
  { country: "USA", account_number: "000012345111", bank_code: "021000021" },
  { country: "NZL", account_number: "0109020312345111" },
];

test.each(accounts)(
  "$country: account $account_number can be added, and the bank refuses it",
  async ({ country, account_number, ...bank }) => {
    const { call } = await service.newCaller();
    const body = { account_type: "I", country, account_number, ...bank };
    const { status, json } = await call("POST", "/api/receiveraccount/validate", { body });
    expect([status, json.error]).toEqual([200, undefined]);
    expect(await verdictOn(account_number, bank)).toEqual(["rejected", "account closed"]);
  },
);

test.each([
  ["12345222", "rejected", "no such account"],
  ["12345333", "rejected", "invalid BSB"],
  ["12345888", "unknown", ""],
  ["12345999", "settled", ""],
  ["12345444", "settled", ""],
  ["99999999", "settled", ""],
  ["2345111", "settled", ""],
])("an account that ends with %s is %s", async (ending, outcome, cause) => {
  for (const bsb of ["062000", "082001", ""]) {
    expect(await verdictOn(`0${ending}`, { bsb })).toEqual([outcome, cause]);
  }
});

test("an account that ends with 12345444 returns a paid payout, and 12345111 does not", async () => {
  const after = (number: string) => verdictOn(number, { isPaid: true });
  expect(await after("DE00370400440012345444")).toEqual(["returned", "account closed"]);
  expect(await after("12345111")).toEqual(["unknown", ""]);
});
