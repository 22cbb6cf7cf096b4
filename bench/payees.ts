// Subaccounts with money and a receiver to pay, created by the service's own functions.

import { fund } from "../server/src/money/ledger/fund.ts";
import { createAccount } from "../server/src/people/accounts/create.ts";
import { sandboxProvider } from "../server/src/people/kyc-providers/sandbox.ts";
import { toReceiverCreation } from "../server/src/people/receivers/create.ts";
import { insertReceivers } from "../server/src/people/receivers/insert-queries.ts";
import { noScreening } from "../server/src/people/screening/screener.ts";
import { newId } from "../server/src/platform/base/ids.ts";
import { sealWith } from "../server/src/platform/encryption/seal.ts";
import { createSubaccount } from "../server/src/tenants/subaccounts/create.ts";
import type { Caller, Database } from "./database.ts";
import { sampleReceiver, uniqueEmail } from "./requests.ts";

export type Payer = { caller: Caller; receiverId: string; accountId: string };

/** The money of each payer. */
export const payerFunds = 1_000_000_000_000n;
const sandbox = sandboxProvider({ delayMs: 0 });

/** Funds the caller's subaccount, and adds an active receiver with an account. */
export async function addPayee({ db, masterKey }: Database, caller: Caller): Promise<Payer> {
  const { subaccountId, key } = caller;
  const seal = sealWith(masterKey);
  const who = "service";
  return db.transaction(async (tx) => {
    const asked = {
      subaccountId,
      mode: "test",
      key,
      requestId: newId(),
      nonce: undefined,
    } as const;
    const { row } = toReceiverCreation(asked, sampleReceiver(uniqueEmail()), {
      provider: sandbox,
      screener: noScreening,
      seal,
      who,
    });
    const decided = { status: "active", kyc_status: "completed" } as const;
    const noStep = { kyc_step: undefined, kyc_due_at_ms: undefined };
    await insertReceivers(tx, [{ ...row, ...decided, ...noStep }]);
    const bank = { account_type: "I", bsb: "062000", account_number: "12345999" };
    const given = { receiver_id: row.id, ...bank };
    const { account_id } = await createAccount(
      { tx, seal, screener: noScreening },
      { subaccountId, who },
      given,
    );
    const funding = { subaccountId, currency: "AUD", amount: payerFunds, reference: "bench" };
    await fund(tx, { ...funding, who, atMs: Date.now() });
    return { caller, receiverId: row.id, accountId: account_id };
  });
}

/** Creates `count` subaccounts, each with a receiver to pay. */
export async function addPayers(database: Database, count: number): Promise<Payer[]> {
  const { db, masterKey } = database;
  const seal = sealWith(masterKey);
  const payers: Payer[] = [];
  for (let index = 0; index < count; index++) {
    const caller = await createSubaccount({ db, seal }, { name: `Payer ${index}`, mode: "test" });
    payers.push(await addPayee(database, caller));
  }
  return payers;
}
