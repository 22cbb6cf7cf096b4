// Subaccounts that pay through a bank file, and the steps of such a file.

import { type BankConnection, openWindow } from "../../src/banking/connections/connection.ts";
import { connectBanks } from "../../src/banking/connections/connections.ts";
import { putConnection } from "../../src/banking/connections/save-connection.ts";
import { findBatch } from "../../src/banking/files/batch-queries.ts";
import { freezeBatches } from "../../src/banking/files/freeze.ts";
import { approveBatch } from "../../src/banking/files/release.ts";
import { fund } from "../../src/money/ledger/fund.ts";
import type { RailDirectory } from "../../src/money/rails/directory.ts";
import type { Mode } from "../../src/platform/base/caller.ts";
import type { Db } from "../../src/platform/db/connect.ts";
import type { Seal } from "../../src/platform/encryption/seal.ts";
import { ada, newCaller, type TestCaller } from "./service.ts";

type Parts = { db: Db; seal: Seal };

export const abaSettings = {
  bank: "CBA",
  user_id: "301500",
  user_name: "ACME PAYOUTS PTY LTD",
  bsb: "062000",
  account_number: "12345678",
  description: "PAYOUTS",
  remitter: "ACME PAYOUTS",
};

export type BankPayer = TestCaller & { to: { receiver_id: string; account_id: string } };

const australian = { account_type: "I", bsb: "083047", account_number: "111111111" } as const;

/** A subaccount with money and a receiver that can be paid. */
export async function newBankPayer(
  parts: Parts & { baseUrl: string },
  { amount = 100_000n, account = {} as object, currency = "AUD", mode = "live" as Mode } = {},
): Promise<BankPayer> {
  const caller = await newCaller(parts, { mode });
  const { subaccountId } = caller;
  const { receiver_id } = await caller.disburse.receivers.create(ada());
  await parts.db.pool.query(
    "update receiver set status = 'active', kyc_status = 'completed' where subaccount_id = $1",
    [subaccountId],
  );
  const given = { receiver_id, ...australian, ...account };
  const { account_id } = await caller.disburse.receiverAccounts.create(given);
  const funding = { subaccountId, currency, amount, reference: "first", who: "test", atMs: 1 };
  await parts.db.transaction((tx) => fund(tx, funding));
  return { ...caller, to: { receiver_id, account_id } };
}

/** A connection that only this subaccount uses. */
export async function newBankConnection(
  { db, seal, rails }: Parts & { rails: RailDirectory },
  subaccountId: string,
  changes: object = {},
): Promise<BankConnection> {
  const input = {
    name: subaccountId,
    format: "aba",
    subaccount_ids: [subaccountId],
    settings: abaSettings,
    ...changes,
  };
  const { after } = await db.transaction((tx) =>
    putConnection({ tx, seal }, input, { who: "operator:admin", atMs: Date.now() }),
  );
  const connections = await connectBanks({ db, seal, rails });
  return connections.find(({ id }) => id === after.id) as BankConnection;
}

export function freezeNow(
  parts: Parts,
  connection: BankConnection,
  who = "operator:admin",
): Promise<string[]> {
  const atMs = Date.now();
  return freezeBatches(parts, connection, { who, atMs, window: openWindow(connection, atMs) });
}

/** Approves as a user who did not freeze the file. */
export async function approveNow(
  { db }: Pick<Parts, "db">,
  { row }: BankConnection,
  id: string,
  who = "operator:b",
): Promise<number> {
  const sha256 = (await findBatch(db, id))?.file_sha256 as string;
  return db.transaction((tx) => approveBatch(tx, { id, row }, { who, atMs: Date.now(), sha256 }));
}
