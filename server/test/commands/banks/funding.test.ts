// How to fund: deposit references that never change, and exactly the bank accounts that may take a subaccount's money.

import { expect, test } from "vitest";
import { setDisabled } from "../../../src/banking/connections/connection-queries.ts";
import { bankFormats } from "../../../src/banking/connections/formats/formats.ts";
import {
  isDepositReference,
  newDepositReference,
} from "../../../src/money/ledger/deposit-reference.ts";
import {
  depositReferencesOf,
  findByDepositReference,
} from "../../../src/money/ledger/deposit-reference-queries.ts";
import { newId } from "../../../src/platform/base/ids.ts";
import { abaSettings } from "../../support/bank-payers.ts";
import { closeAfterTests } from "../../support/close-after-tests.ts";
import { command } from "../../support/commands.ts";
import { startBankTest } from "../../support/inbound-setup.ts";
import { newCaller, settingsOf } from "../../support/service.ts";

const bank = await closeAfterTests(startBankTest());

const newLive = () => newCaller(bank.service, { mode: "live" });
const aba = {
  holder_name: abaSettings.user_name,
  bsb: "062000",
  bank_code: "",
  bic: "",
};
const nzSettings = { account_number: "0102420100194002", our_name: "ACME", description: "PAY" };

test("a live subaccount sees the bank accounts of its connections, in full, by currency", async () => {
  const payer = await bank.newPayer({ currency: "JPY" });
  const { subaccountId, disburse } = payer;
  const one = await bank.connect(subaccountId);
  const two = await bank.connect(subaccountId, {
    name: `nz ${subaccountId}`,
    format: "nz-westpac",
    settings: nzSettings,
  });
  const { instructions, currencies } = await disburse.balance.funding();
  expect(instructions).toMatch(/write the deposit reference/);
  const reference = expect.stringMatching(/^[0-9A-HJKMNP-TV-Z]{10}$/);
  const { account_number } = one.settings as { account_number: string };
  expect(currencies).toEqual([
    {
      currency: "AUD",
      deposit_reference: reference,
      bank_accounts: [{ bank: one.row.name, account_number, ...aba }],
    },
    // It has a balance and no bank account.
    { currency: "JPY", deposit_reference: reference, bank_accounts: [] },
    {
      currency: "NZD",
      deposit_reference: reference,
      bank_accounts: [
        {
          ...{ bank: two.row.name, account_number: nzSettings.account_number },
          ...{ holder_name: "ACME", bsb: "", bank_code: "", bic: "" },
        },
      ],
    },
  ]);
  const references = currencies.map(({ deposit_reference }) => deposit_reference);
  expect(new Set(references).size).toBe(3);
  expect(references.every(isDepositReference)).toBe(true);
  expect((await disburse.balance.funding()).currencies).toEqual(currencies);
});

test("connections of others, of the other mode and disabled ones are not shown", async () => {
  const [mine, other] = [await newLive(), await newLive()];
  await bank.connect(other.subaccountId);
  const ofTest = await newCaller(bank.service);
  await bank.connect(ofTest.subaccountId, { mode: "test" });
  expect((await mine.disburse.balance.funding()).currencies).toEqual([]);
  const connection = await bank.connect(mine.subaccountId);
  expect((await mine.disburse.balance.funding()).currencies).toHaveLength(1);
  await bank.db.transaction((tx) => setDisabled(tx, connection.id, Date.now()));
  expect((await mine.disburse.balance.funding()).currencies).toEqual([]);
});

test("a test subaccount is told how test money comes; a simulator's account is shown if there is one", async () => {
  const caller = await newCaller(bank.service);
  const first = await caller.disburse.balance.funding();
  expect(first).toEqual({
    instructions: expect.stringMatching(/POST \/api\/test-helpers\/fund/),
    currencies: [],
  });
  await caller.disburse.testHelpers.fund({ amount: 5, currency: "AUD" });
  const { currencies } = await caller.disburse.balance.funding();
  expect(currencies).toMatchObject([{ currency: "AUD", bank_accounts: [] }]);
  const connection = await bank.connect(caller.subaccountId, { mode: "test" });
  expect((await caller.disburse.balance.funding()).currencies).toMatchObject([
    {
      deposit_reference: currencies[0]?.deposit_reference,
      bank_accounts: [{ bank: connection.row.name }],
    },
  ]);
});

test("a key without the scope read gets no account numbers", async () => {
  const caller = await newCaller(bank.service, { scopes: ["write"] });
  const refused = await caller.call("GET", "/api/balance/funding");
  expect([refused.status, refused.json.error[0].code]).toEqual([403, "AUTH110"]);
});

test("callers who ask at the same time get the same references", async () => {
  const { subaccountId } = await newLive();
  const currencies = ["AUD", "EUR", "NZD"];
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, turn) =>
      depositReferencesOf(bank.db, subaccountId, turn % 2 ? currencies.toReversed() : currencies),
    ),
  );
  const texts = answers.map((found) => currencies.map((currency) => found.get(currency)).join());
  expect(new Set(texts).size).toBe(1);
});

test("a reference finds its balance, many at once, and unknown ones find nothing", async () => {
  const [live, ofTest] = [await newLive(), await newCaller(bank.service)];
  const liveOnes = await depositReferencesOf(bank.db, live.subaccountId, ["AUD", "NZD"]);
  const testOnes = await depositReferencesOf(bank.db, ofTest.subaccountId, ["AUD"]);
  const known = [...liveOnes.values(), ...testOnes.values()];
  const unknown = Array.from({ length: 50 }, newDepositReference);
  const owners = await findByDepositReference(bank.db, [...known, ...unknown]);
  const sorted = owners.toSorted(
    (one, two) => known.indexOf(one.reference) - known.indexOf(two.reference),
  );
  const ofLive = { subaccount_id: live.subaccountId, mode: "live", is_closed: false };
  expect(sorted).toMatchObject([
    { ...ofLive, reference: known[0], currency: "AUD" },
    { ...ofLive, reference: known[1], currency: "NZD" },
    { subaccount_id: ofTest.subaccountId, mode: "test", reference: known[2], currency: "AUD" },
  ]);
  await bank.db.pool.query("update subaccount set closed_at = now() where id = $1", [
    live.subaccountId,
  ]);
  const [closed] = await findByDepositReference(bank.db, [known[0] as string]);
  expect(closed?.is_closed).toBe(true);
});

const iso = { debtor_name: "ACME", organisation_id: "", bic: "" };
test.each([
  ["nacha", { origin_name: "ACME", odfi: "07100030", account_number: "987654" }, "071000301"],
  ["nz-anz-full", { account_number: "010242010019400" }, ""],
  [
    "pain.001.001.09-gbp-bacs",
    { ...iso, account_number: "12345678", clearing_code: "200000" },
    "200000",
  ],
  [
    "pain.001.001.09-eur",
    { ...iso, account_number: "DE89370400440532013000", clearing_code: "" },
    "",
  ],
])("%s: our account as a payer needs it", (format, settings, bankCode) => {
  expect(bankFormats.get(format)?.ownAccountOf(settings)).toEqual({
    holderName: format === "nz-anz-full" ? "" : "ACME",
    accountNumber: settings.account_number,
    bsb: "",
    bankCode,
    bic: "",
  });
});

test("pain.001 in AUD has a BSB, and every format has an account number", () => {
  const settings = { ...iso, account_number: "12345678", clearing_code: "062000", bic: "CTBAAU2S" };
  const account = bankFormats.get("pain.001.001.09-aud")?.ownAccountOf(settings);
  expect(account).toMatchObject({ bsb: "062000", bankCode: "", bic: "CTBAAU2S" });
  for (const { ownAccountOf } of bankFormats.values()) {
    expect(ownAccountOf({ account_number: "1234", odfi: "07100030" }).accountNumber).toBe("1234");
  }
});

const run = (...words: string[]) => command(words, settingsOf(bank));

test("disburse ledger funding shows the same as the API, with the reference in two groups", async () => {
  const { subaccountId, disburse } = await newLive();
  const connection = await bank.connect(subaccountId);
  const funding = await disburse.balance.funding();
  const words = ["ledger", "funding", "--subaccount", subaccountId];
  const { code, stdout, stderr } = await run(...words, "--json");
  expect([code, stderr, JSON.parse(stdout)]).toEqual([0, "", funding]);
  const shown = await run(...words);
  const reference = funding.currencies[0]?.deposit_reference ?? "";
  expect(shown.stdout).toContain(`AUD: ${reference.slice(0, 5)} ${reference.slice(5)}\n`);
  expect(shown.stdout).toContain((connection.settings as typeof abaSettings).account_number);
});

test("disburse ledger fund --bank books the money at that bank, and sends balanceFunded", async () => {
  const { subaccountId, disburse } = await newLive();
  await disburse.subaccount.update({ event_types: ["balanceFunded"] });
  const connection = await bank.connect(subaccountId);
  const fund = (name: string, reference: string) =>
    run(
      ...["ledger", "fund", "--subaccount", subaccountId, "--amount", "12.50", "--currency", "AUD"],
      ...["--reference", reference, "--bank", name],
    );
  const refused = await fund("no such bank", newId());
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining("no such bank")]);
  expect((await fund(connection.row.name, "deposit 1")).code).toBe(0);
  const [entry] = await disburse.balance.entries({ currency: "AUD" }).toArray();
  expect(entry).toMatchObject({ debit: `bank:${connection.rail}`, credit: "available" });
  const [event] = await disburse.events.list({ type: "balanceFunded" }).toArray();
  expect(event?.data).toMatchObject({
    transfer_id: entry?.id,
    amount: 1_250,
    reference: "deposit 1",
    available: 1_250,
  });
});
