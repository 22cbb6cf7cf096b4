// How a subaccount funds its balances: the bank accounts that take its money, and the reference to write on a transfer.

import { depositReferencesOf, listBalances } from "../../money/ledger/index.ts";
import type { Mode } from "../../platform/base/index.ts";
import type { Runner } from "../../platform/db/index.ts";
import type { Seal } from "../../platform/encryption/index.ts";
import { type BankConnection, toConnection } from "./connection.ts";
import { listConnections } from "./connection-queries.ts";
import { bankFormats } from "./formats/formats.ts";
import type { FundingAccount, FundingInstructions } from "./schema.ts";

type Payer = { subaccountId: string; mode: Mode };

const instructions: Readonly<Record<Mode, string>> = {
  live:
    "Transfer the money to a bank account of its currency, and write the deposit reference into the transfer's reference or " +
    "description. The balance is funded when the bank reports the transfer. A currency without bank accounts can't be funded by transfer.",
  test:
    "Test money does not come from a bank: call POST /api/test-helpers/fund with an amount and a currency. Bank accounts, if " +
    "there are any, belong to a bank simulator.",
};

/** For each currency that a bank connection can pay for this subaccount, and each that it has a balance in. */
export async function describeFunding(
  { db, seal }: { db: Runner; seal: Seal },
  payer: Payer,
): Promise<FundingInstructions> {
  const connections = (await listConnections(db))
    .filter((row) => row.disabled_at_ms === null && row.mode === payer.mode)
    .filter((row) => row.subaccount_ids?.includes(payer.subaccountId) ?? true)
    .flatMap((row) => toConnection(row, seal) ?? []);
  const balances = await listBalances(db, payer.subaccountId);
  const currencies = [
    ...new Set([
      ...connections.map(({ row }) => row.currency),
      ...balances.map(({ currency }) => currency),
    ]),
  ].sort();
  const references = await depositReferencesOf(db, payer.subaccountId, currencies);
  return {
    instructions: instructions[payer.mode],
    currencies: currencies.map((currency) => ({
      currency,
      deposit_reference: references.get(currency) as string,
      bank_accounts: connections.filter(({ row }) => row.currency === currency).map(present),
    })),
  };
}

/** In full: a payer needs the whole number. */
function present({ row, settings }: BankConnection): FundingAccount {
  const account = bankFormats.get(row.format)?.ownAccountOf(settings);
  if (!account) throw new Error("the format of a connection must be there");
  return {
    bank: row.name,
    holder_name: account.holderName,
    account_number: account.accountNumber,
    bsb: account.bsb,
    bank_code: account.bankCode,
    bic: account.bic,
  };
}
