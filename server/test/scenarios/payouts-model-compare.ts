// The receivers of a run, and the comparison of the model with the payouts and balances in the database.

import assert from "node:assert/strict";
import { createAccount } from "../../src/people/accounts/create.ts";
import { simulateKyc } from "../../src/people/kyc/decide.ts";
import { sandboxProvider } from "../../src/people/kyc-providers/sandbox.ts";
import { createReceivers, toReceiverCreation } from "../../src/people/receivers/create.ts";
import type { NewReceiver } from "../../src/people/receivers/schema.ts";
import { noScreening } from "../../src/people/screening/screener.ts";
import { newId } from "../../src/platform/base/ids.ts";
import { type Db, statement } from "../../src/platform/db/connect.ts";
import type { Seal } from "../../src/platform/encryption/seal.ts";
import { approvalAbove, balancesOf, type Model, payoutMax, statusOf } from "./payouts-model.ts";

export type Parts = { db: Db; seal: Seal };
type ModelReceiver = { receiverId: string; accountId: string };

const provider = sandboxProvider({ delayMs: 86_400_000 });
const who = "key:model";

const receiverData: Omit<NewReceiver, "email"> = {
  ...{ first_name: "Ada", last_name: "Lovelace", dob: "1990-12-10", gender: "F" },
  ...{ dialcode: "61", phone: "412345678", address: "1 St. Kilda Road", address2: "" },
  ...{ city: "Melbourne", state: "VIC", postcode: "3004", country: "AUS" },
};

/** Two receivers that can be paid, with an account each. Also sets the payout limit and the approval threshold. */
export async function newReceivers(
  { db, seal }: Parts,
  subaccountId: string,
): Promise<ModelReceiver[]> {
  const creations = ["ada", "eve"].map((name) => {
    const caller = { subaccountId, mode: "test", key: "model", nonce: undefined } as const;
    const input = { ...receiverData, email: `${name}@example.com` };
    return toReceiverCreation({ ...caller, requestId: newId() }, input, {
      provider,
      screener: noScreening,
      seal,
    });
  });
  assert.equal((await createReceivers(db, creations)).length, creations.length);
  await db.pool.query("insert into payout_limit values ($1, 'AUD', $2, null, $3)", [
    ...[subaccountId, payoutMax, approvalAbove],
  ]);
  return db.transaction(async (tx) => {
    const payees: ModelReceiver[] = [];
    for (const { row } of creations) {
      const said = { who, reason: "by the model", atMs: Date.now() };
      await simulateKyc(tx, { subaccountId, id: row.id }, { ...said, outcome: "approved" });
      const bank = { account_type: "I", bsb: "062000", account_number: "12345999" };
      const given = { receiver_id: row.id, ...bank };
      const { account_id } = await createAccount(
        { tx, seal, screener: noScreening },
        { subaccountId, who },
        given,
      );
      payees.push({ receiverId: row.id, accountId: account_id });
    }
    return payees;
  });
}

const observe = statement<{ balances: object | null; payouts: object[]; events: string }>(
  "model-observe",
  `select
     (select row_to_json(b) from (
        select available, held, clearing, returns, fees, bank, transfers
        from ledger_balance where subaccount_id = $1 and currency = 'AUD') b) as balances,
     (select coalesce(json_agg(row_to_json(p)), '[]') from (
        select id, stage, status, provider_reference <> '' as confirmed, due_at_ms is not null as due,
          array(select type from event e
            where e.subaccount_id = $1 and e.order_key = p.id order by number) as events,
          array(select kind from ledger_transfer t
            where t.subaccount_id = $1 and t.payout_id = p.id order by number) as transfers,
          array(select to_stage from payout_history h
            where h.subaccount_id = $1 and h.payout_id = p.id order by h.id) as path
        from payout p where subaccount_id = $1 order by id) p) as payouts,
     (select count(*) from event where subaccount_id = $1 and type like 'payout%') as events`,
);

/** Throws if the database differs from the model. */
export async function compare(db: Db, subaccountId: string, model: Model): Promise<void> {
  const [seen] = await db.run(observe, [subaccountId]);
  const payouts = model.payouts
    .map(({ id, stage, confirmed, dueMs, events, transfers, path }) => {
      const due = dueMs !== undefined;
      return { id, stage, status: statusOf(stage), confirmed, due, events, transfers, path };
    })
    .sort((one, other) => (one.id < other.id ? -1 : 1));
  const events = payouts.reduce((sum, payout) => sum + payout.events.length, 0);
  const balances = model.funded.size > 0 ? balancesOf(model) : null;
  assert.deepEqual(seen, { balances, payouts, events: String(events) });
}
