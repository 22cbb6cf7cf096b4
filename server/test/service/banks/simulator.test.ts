// The whole way with the bank simulator, in every format: payouts become a file, the bank's answers are applied, and each
// payout ends as its account number decides.

import { expect, test } from "vitest";
import { answersTo } from "../../../../packages/bank-simulator/src/answers.ts";
import { decideFile } from "../../../../packages/bank-simulator/src/decision.ts";
import { accountStatements } from "../../../../packages/bank-simulator/src/statements.ts";
import { readFile } from "../../../src/banking/files/batch-file.ts";
import { closeAfterTests, expectBalancedLedger } from "../../support/close-after-tests.ts";
import { startBankTest } from "../../support/inbound-setup.ts";

const bank = await closeAfterTests(startBankTest(), expectBalancedLedger);

const australia = {
  currency: "AUD",
  details: { country: "AUS", bsb: "062000" },
  accounts: ["12345999", "12345111", "12345222", "12345333", "12345444", "12345888"],
};
const newZealand = {
  currency: "NZD",
  details: { country: "NZL", bsb: "" },
  accounts: australia.accounts.map((ending) => `01090203${ending}`),
};
const unitedStates = {
  ...australia,
  currency: "USD",
  details: { country: "USA", bsb: "", bank_code: "021000021" },
};
const germany = {
  currency: "EUR",
  details: { country: "DEU", bsb: "" },
  accounts: [
    "DE50370400440012345999",
    "DE67370400440012345111",
    "DE77370400440012345222",
    "DE87370400440012345333",
    "DE97370400440012345444",
    "DE40370400440012345888",
  ],
};

const debtor = { debtor_name: "Acme", batch_booked: true, uetr: false };
const nzOurs = { account_number: "010902006838900", our_name: "Acme" };

const ways = [
  {
    format: "aba",
    ...australia,
    settings: {
      bank: "CBA",
      user_id: "301500",
      user_name: "ACME PAYOUTS PTY LTD",
      bsb: "062000",
      account_number: "31234567",
      description: "PAYOUTS",
      remitter: "ACME PAYOUTS",
    },
  },
  {
    format: "nacha",
    ...unitedStates,
    settings: {
      immediate_destination: "021000021",
      destination_name: "EXAMPLE BANK",
      immediate_origin: "1987654321",
      origin_name: "ACME PAYOUTS INC",
      company_name: "ACME PAYOUTS",
      company_id: "1987654321",
      entry_description: "PAYOUT",
      odfi: "02100002",
      account_number: "987654321",
    },
  },
  { format: "nz-bnz", ...newZealand, settings: { ...nzOurs, show_each_payment: false } },
  { format: "nz-asb", ...newZealand, settings: { ...nzOurs, account_number: "123140017132350" } },
  {
    format: "nz-westpac",
    ...newZealand,
    settings: {
      ...nzOurs,
      account_number: "030510072049700",
      description: "Payouts",
      fixed_length: false,
    },
  },
  {
    format: "pain.001.001.03-aud",
    ...australia,
    settings: { ...debtor, clearing_code: "062000", account_number: "41234567" },
  },
  {
    format: "pain.001.001.09-eur",
    ...germany,
    settings: { ...debtor, account_number: "IE29AIBK93115212345678" },
  },
];

test.each(ways)(
  "$format: every payout ends as its account decides",
  async ({ format, currency, details, accounts, settings }) => {
    const [first = ""] = accounts;
    const account = { ...details, account_number: first };
    const payer = await bank.newPayer({ account, currency });
    const connection = await bank.connect(payer.subaccountId, { format, settings });
    const { receiver_id } = payer.to;
    const ids: string[] = [];
    for (const [index, account_number] of accounts.entries()) {
      const to =
        index === 0
          ? payer.to
          : await payer.disburse.receiverAccounts.create({
              receiver_id,
              account_type: "I",
              ...details,
              account_number,
            });
      const created = await payer.disburse.payouts.create({
        receiver_id,
        account_id: to.account_id,
        amount: 1000 * (index + 1),
        currency,
        reference: `PO-${index}`,
      });
      ids.push(created.payout_id);
    }
    const batchId = await bank.freeze(connection);
    await bank.send(connection, batchId);
    let text = "";
    for await (const part of readFile(bank.service, batchId)) text += part;
    const bytes = Buffer.from(text);
    const rules = { seed: 1, returnRate: 0, speed: 1, statements: "camt.053" } as const;
    const decided = decideFile({ name: "f", bytes, receivedMs: Date.now() }, new Map(), rules);
    expect(decided.file.problems).toEqual([]);
    const answers = answersTo(decided, rules).filter(({ name }) => !name.endsWith(".txt"));
    for (const { write } of answers) {
      expect(await bank.apply(write())).toMatchObject({ isNew: true, suspended: 0 });
    }
    const isConfirmed = format.startsWith("pain.");
    const refused = isConfirmed ? "rejected" : "returned";
    const ends = [
      isConfirmed ? "settled" : "submitted",
      ...[refused, refused, refused, "returned"],
      "submitted",
    ];
    expect(await bank.stagesOf(payer, ids)).toEqual(ends);
    // Only messages of one family name a return in the same way. A return file and a statement are two reports.
    if (format === "aba" || format === "nacha") return;
    const statements = accountStatements({ files: [decided], deposits: [] }, rules).map(
      ({ write }) => write(),
    );
    for (const statement of statements.filter((one) => one.includes("<RtrInf>"))) {
      // The returns are known, and the debit of the file moves no payout.
      expect(await bank.apply(statement)).toMatchObject({ isNew: true, suspended: 0 });
    }
    expect(await bank.stagesOf(payer, ids)).toEqual(ends);
  },
);
