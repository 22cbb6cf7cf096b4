// Some payouts can't be built for the bank: they are set aside with their reason, and the others are paid.
// Used by a test and by a campaign, without a test runner.

import { setTimeout as sleep } from "node:timers/promises";
import { fundOnce } from "../../src/money/ledger/fund.ts";
import { verifyLedger } from "../../src/money/ledger/verify.ts";
import { createPayouts, isCreated, toPayoutCreation } from "../../src/money/payouts/create.ts";
import { setAsideReasons } from "../../src/money/payouts/set-aside.ts";
import { startPayoutWorker } from "../../src/money/payouts/worker.ts";
import { railDirectory } from "../../src/money/rails/directory.ts";
import type { DirectRail } from "../../src/money/rails/rail.ts";
import { sandboxRail } from "../../src/money/rails/sandbox.ts";
import { insertAccount, insertBankDetails } from "../../src/people/accounts/queries.ts";
import { sandboxProvider } from "../../src/people/kyc-providers/sandbox.ts";
import { blankAccount } from "../../src/people/person/account.ts";
import { toReceiverCreation as toReceiver } from "../../src/people/receivers/create.ts";
import { insertReceivers } from "../../src/people/receivers/insert-queries.ts";
import { findPersonKey } from "../../src/people/receivers/queries.ts";
import { noScreening } from "../../src/people/screening/screener.ts";
import { idTimeMs, newId } from "../../src/platform/base/ids.ts";
import type { Db } from "../../src/platform/db/connect.ts";
import type { Seal } from "../../src/platform/encryption/seal.ts";
import { createSubaccount } from "../../src/tenants/subaccounts/create.ts";
import { newPerson } from "../support/payers.ts";
import { randomOf } from "./seeded-draw.ts";

type Parts = { db: Db; seal: Seal };
type Poison = "none" | "unreadable" | "unbuildable";
type Payee = { receiverId: string; accountId: string };
type PoisonedSeen = {
  complaints: string[];
  counts: { paid: number; unreadable: number; unbuildable: number; "ms until all": number };
};

const unbuildableNumber = "11112222";

export async function payPoisoned(
  parts: Parts,
  { payouts, oneIn, seed }: { payouts: number; oneIn: number; seed: number },
): Promise<PoisonedSeen> {
  const { db, seal } = parts;
  const request = { name: "Poisoned", mode: "test" } as const;
  const { subaccountId } = await createSubaccount(parts, request);
  const money = { subaccountId, currency: "AUD", amount: 1_000_000_000n, reference: newId() };
  await fundOnce(db, { ...money, who: "service", atMs: Date.now() });
  const payees: Record<Poison, Payee> = {
    none: await newPayee(parts, subaccountId, "12345999"),
    unreadable: await newPayee(parts, subaccountId, "12345998"),
    unbuildable: await newPayee(parts, subaccountId, unbuildableNumber),
  };
  await db.pool.query(
    `update bank_details set account_number_sealed = set_byte(account_number_sealed, 20,
       get_byte(account_number_sealed, 20) # 1) where subaccount_id = $1 and account_id = $2`,
    [subaccountId, payees.unreadable.accountId],
  );

  const poisonOf = poisons(oneIn, seed);
  const expected = new Map<string, Poison>();
  const sandbox = sandboxRail({ delayMs: 0 });
  const caller = {
    subaccountId,
    mode: "test",
    key: "",
    requestId: newId(),
    nonce: undefined,
  } as const;
  while (expected.size < payouts) {
    const creations = Array.from({ length: Math.min(500, payouts - expected.size) }, () => {
      const poison = poisonOf();
      const texts = {
        currency: "AUD",
        reference: "",
        note: "",
        allowDuplicate: true,
        sendOn: "",
        statementReference: "",
        purpose: "",
      };
      const creation = toPayoutCreation(caller, { ...payees[poison], ...texts, amount: 1n });
      expected.set(creation.id, poison);
      return creation;
    });
    const outcomes = await createPayouts(
      { db, rails: railDirectory([{ mode: "test", rail: sandbox }]) },
      creations,
    );
    if (!outcomes.every(isCreated)) throw new Error("every payout must be made");
  }

  const startMs = performance.now();
  const worker = startPayoutWorker({
    db,
    seal,
    log: { warn() {} },
    rails: railDirectory([{ mode: "test", rail: refusing(sandbox) }]),
  });
  try {
    while ((await countUnderWay(db)) > 0) await sleep(50);
  } finally {
    await worker.close();
  }
  const ms = Math.round(performance.now() - startMs);
  return judge(db, expected, ms);
}

/** The sandbox rail, whose file can't be built with one account number. */
function refusing(sandbox: DirectRail): DirectRail {
  return {
    ...sandbox,
    buildBatch(id, payouts) {
      const isBad = payouts.some(({ accountNumber }) => accountNumber === unbuildableNumber);
      if (isBad) throw new Error("the file can't carry this account");
      return sandbox.buildBatch(id, payouts);
    },
  };
}

/** Payouts that are neither paid nor set aside. */
async function countUnderWay({ pool }: Db): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(
    `select count(*)::int from payout p
     where p.status = 'pending' and not exists (
       select from payout_set_aside s where s.subaccount_id = p.subaccount_id and s.payout_id = p.id)`,
  );
  return rows[0]?.count ?? 0;
}

async function judge(
  db: Db,
  expected: ReadonlyMap<string, Poison>,
  ms: number,
): Promise<PoisonedSeen> {
  const complaints: string[] = [];
  const counts = { paid: 0, unreadable: 0, unbuildable: 0, "ms until all": ms };
  const found = await db.pool.query<{ id: string; stage: string; reason: string | null }>(
    `select p.id, p.stage, s.reason from payout p
     left join payout_set_aside s on s.subaccount_id = p.subaccount_id and s.payout_id = p.id`,
  );
  for (const { id, stage, reason } of found.rows) {
    const poison = expected.get(id);
    if (poison === "none" && stage === "settled" && reason === null) counts.paid += 1;
    else if (
      (poison === "unreadable" || poison === "unbuildable") &&
      stage === "queued" &&
      reason === setAsideReasons[poison]
    ) {
      counts[poison] += 1;
    } else complaints.push(`${id} (${poison}) is ${stage}, set aside: ${reason}`);
  }
  if (found.rows.length !== expected.size) complaints.push("payouts are missing");
  const { differences } = await verifyLedger(db);
  for (const difference of differences) complaints.push(JSON.stringify(difference));
  return { complaints, counts };
}

/** One payout of `oneIn` is poisoned, chosen by a seeded generator. */
function poisons(oneIn: number, seed: number): () => Poison {
  const next = randomOf(seed);
  return () => {
    if (next() >= 1 / oneIn) return "none";
    return next() < 0.5 ? "unreadable" : "unbuildable";
  };
}

/** A receiver that can be paid, with an account of any number. */
function newPayee({ db, seal }: Parts, subaccountId: string, number: string): Promise<Payee> {
  return db.transaction(async (tx) => {
    const caller = {
      subaccountId,
      mode: "test",
      key: "",
      requestId: newId(),
      nonce: undefined,
    } as const;
    const provider = sandboxProvider({ delayMs: 0 });
    const { row } = toReceiver(caller, newPerson(), {
      provider,
      screener: noScreening,
      seal,
      who: "service",
    });
    const decided = { kyc_step: undefined, kyc_due_at_ms: undefined };
    await insertReceivers(tx, [{ ...row, ...decided, status: "active", kyc_status: "completed" }]);
    const id = newId();
    const bank = { account_type: "I", account_number: number, bsb: "062000", country: "AUS" };
    const fields = { ...blankAccount, ...bank };
    const personKey = await findPersonKey({ db: tx, seal }, { subaccountId, id: row.id });
    const first = { subaccountId, personKey, fields, version: 1, createdAtMs: idTimeMs(id) };
    await insertAccount(tx, { ...first, id, receiverId: row.id, address: "valid" });
    const bankName = "Commonwealth Bank";
    await insertBankDetails({ tx, seal }, { ...first, accountId: id, bankName, who: "service" });
    return { receiverId: row.id, accountId: id };
  });
}
