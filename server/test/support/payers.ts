// Subaccounts that make payouts over HTTP and receive their events, for scenarios that run without a test runner.

import { randomUUID } from "node:crypto";
import { Agent } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { Disburse, DisburseError } from "../../../client/src/index.ts";
import type { Db } from "../../src/platform/db/connect.ts";
import type { Seal } from "../../src/platform/encryption/seal.ts";
import { createSubaccount } from "../../src/tenants/subaccounts/create.ts";
import type { Committed } from "./delivery-check.ts";
import { fetchBy } from "./kept-connections.ts";

export type Payee = { receiver_id: string; account_id: string };
export type Keys = { apiKey: string; apiSecret: string };
export type Payer = { subaccountId: string; keys: Keys; payees: Payee[] };

/** The sandbox bank pays the first, refuses the second, returns the third and never settles the fourth. */
const silentNumber = "12345888";
const accountNumbers = ["12345999", "12345111", "12345444", silentNumber];

// Kept alive for the whole run, like those of a real caller.
const connections = fetchBy(new Agent({ keepAlive: true }));

export function clientOf(keys: Keys, baseUrl: string): Disburse {
  return new Disburse({ ...keys, baseUrl, maxRetries: 0, timeoutMs: 15_000, fetch: connections });
}

/** A subaccount with money, receivers to pay, and a webhook endpoint. */
export async function newPayer(
  { db, seal, baseUrl }: { db: Db; seal: Seal; baseUrl: string },
  postbackUrl: string,
): Promise<Payer> {
  const subaccount = { name: "Pays", mode: "test", postbackUrl } as const;
  const { subaccountId, key, secret } = await createSubaccount({ db, seal }, subaccount);
  const keys = { apiKey: key, apiSecret: secret };
  const disburse = clientOf(keys, baseUrl);
  const payees: Payee[] = [];
  for (const account_number of accountNumbers) {
    payees.push(await newPayee(disburse, account_number));
  }
  const money = { amount: 1_000_000_000, currency: "AUD", reference: randomUUID() };
  await disburse.testHelpers.fund(money);
  return { subaccountId, keys, payees };
}

/** A receiver that may be paid, with an account. */
export async function newPayee(
  { receivers, receiverAccounts, testHelpers }: Disburse,
  account_number = "12345999",
  changes: Partial<ReturnType<typeof newPerson>> = {},
  more: object = { bsb: "062000" },
): Promise<Payee> {
  const { receiver_id } = await receivers.create({ ...newPerson(), ...changes });
  await testHelpers.setStatus({ id: receiver_id, type: "kyc", status: "success" });
  const bank = { account_type: "I" as const, account_number, ...more };
  const { account_id } = await receiverAccounts.create({ receiver_id, ...bank });
  return { receiver_id, account_id };
}

export function newPerson() {
  return {
    first_name: "Ada",
    last_name: "Lovelace",
    dob: "1990-12-10",
    gender: "F" as const,
    email: `ada-${randomUUID()}@example.com`,
    dialcode: "61",
    phone: "412345678",
    address: "1 St. Kilda Road",
    address2: "",
    city: "Melbourne",
    state: "VIC",
    postcode: "3004",
    country: "AUS",
  };
}

/** Retries one payout with one idempotency key until it is created. Errors go to `onTrouble`. */
export async function payUntilMade(
  { keys, payees }: Payer,
  payee: number,
  baseUrl: () => string,
  onTrouble: (error: DisburseError) => Promise<void>,
): Promise<string> {
  const idempotencyKey = randomUUID();
  const to = payees[payee % payees.length] as Payee;
  const body = { ...to, amount: 1 + payee, currency: "AUD", reference: idempotencyKey };
  for (;;) {
    try {
      return (await clientOf(keys, baseUrl()).payouts.create(body, { idempotencyKey })).payout_id;
    } catch (error) {
      if (!(error instanceof DisburseError)) throw error;
      await onTrouble(error);
    }
  }
}

/** Every event that a subaccount subscribed to. */
export async function committedEvents({ pool }: Db): Promise<Committed[]> {
  const { rows } = await pool.query<Committed>(
    `select id, body, order_key as "orderKey", number::int from event where wanted`,
  );
  return rows;
}

export async function payoutIds({ pool }: Db): Promise<Set<string>> {
  const { rows } = await pool.query<{ id: string }>("select id from payout");
  return new Set(rows.map(({ id }) => id));
}

/** The bank never settles the payouts to these accounts. */
const silentAccounts = (payers: readonly Payer[]) =>
  payers.map(({ payees }) => payees[accountNumbers.indexOf(silentNumber)]?.account_id);

/**
 * Waits until nothing more will happen by itself, or the time is over: no event waits, and the bank will report nothing
 * more about any payout. One statement reads both, because each change of a payout commits an event that waits.
 */
export async function untilDrained(
  { pool }: Db,
  payers: readonly Payer[],
  withinMs: number,
): Promise<void> {
  const endMs = Date.now() + withinMs;
  const remains = `select from delivery union all
    select from payout where due_at_ms is not null and account_id <> all($1::uuid[]) limit 1`;
  while (
    Date.now() < endMs &&
    (await pool.query(remains, [silentAccounts(payers)])).rowCount !== 0
  ) {
    await sleep(100);
  }
}
