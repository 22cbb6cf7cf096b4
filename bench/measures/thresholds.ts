// Create payout in live mode with thresholds: to one receiver that has few or many payouts of the day, and without thresholds.

import { setPayoutLimit } from "../../server/src/money/payouts/limit-queries.ts";
import { dayOf } from "../../server/src/money/payouts/payout.ts";
import { sealWith } from "../../server/src/platform/encryption/seal.ts";
import { createSubaccount } from "../../server/src/tenants/subaccounts/create.ts";
import { type Database, settle } from "../database.ts";
import { connectionsUnderLoad, type Measure } from "../measure.ts";
import { addPayee, type Payer } from "../payees.ts";
import { paying } from "../paying.ts";
import { atLeast } from "../requirement.ts";
import { interleave, type Variant } from "../rounds.ts";
import { timed } from "../service-times.ts";

const few = 1_000;

type Name =
  | "thresholds, few payouts of the day"
  | "thresholds, many payouts of the day"
  | "no thresholds, many payouts of the day"
  | "default thresholds, every payout waits";

/** So high that no payout waits: what is measured is the threshold, not the queue for approval. */
const high = 1_000_000_000_000n;

type Thresholds = "high" | "none" | "default";

async function newLivePayer(database: Database, thresholds: Thresholds): Promise<Payer> {
  const { db, masterKey } = database;
  const seal = sealWith(masterKey);
  const caller = await createSubaccount({ db, seal }, { name: "Live", mode: "live" });
  const payer = await addPayee(database, caller);
  if (thresholds === "default") return payer;
  const above = thresholds === "high" ? high : undefined;
  const limit = {
    perPayoutMax: undefined,
    perDayMax: undefined,
    approvalAbove: above,
    batchApprovalAbove: above,
    receiverDayApprovalAbove: above,
    accountDayApprovalAbove: above,
  };
  const { subaccountId } = caller;
  await db.transaction((tx) => setPayoutLimit(tx, { subaccountId, currency: "AUD" }, limit));
  return payer;
}

/** Payouts of today, which nothing has counted yet: the first one that is created sums them. */
async function addPayoutsOfToday({ db }: Database, payer: Payer, count: number): Promise<void> {
  const { caller, receiverId, accountId } = payer;
  await db.pool.query(
    `with made as (
       insert into payout (subaccount_id, id, receiver_id, account_id, account_version, amount, currency, reference, note,
         status, stage, cause, cause_code, rail, provider_reference, created_at_ms, updated_at_ms, created_by)
       select $1::uuid, uuidv7(), $2::uuid, $3::uuid, 1, 100, 'AUD', gen_random_uuid()::text, '', 'pending', 'queued', '', '',
         'sandbox', '', $5::bigint, $5::bigint, 'bench'
       from generate_series(1, $4::int) n
       returning subaccount_id, id, reference
     ), held as (
       insert into ledger_transfer (subaccount_id, currency, number, id, debit, credit, amount, kind, payout_id, reference,
         available_after, held_after, created_at_ms, created_by)
       select subaccount_id, 'AUD', 1 + row_number() over (order by id), gen_random_uuid(), 'available', 'held', 100, 'hold',
         id, reference, 0, 0, $5::bigint, 'bench'
       from made
     )
     update ledger_balance set transfers = transfers + $4, available = available - $4 * 100::bigint,
       held = held + $4 * 100::bigint, day = $6, day_total = $4 * 100::bigint
     where subaccount_id = $1`,
    [caller.subaccountId, receiverId, accountId, count, Date.now(), dayOf(Date.now())],
  );
}

export const measureThresholds: Measure = async ({ postgres, servers, scale }) => {
  const many = scale.payoutsOfDay;
  const database = await postgres.createDatabase("payout_thresholds");
  const withMany = async (thresholds: Thresholds) => {
    const payer = await newLivePayer(database, thresholds);
    await addPayoutsOfToday(database, payer, many);
    return payer;
  };
  const high = await withMany("high");
  const none = await withMany("none");
  const standard = await withMany("default");
  await settle(database.db);
  const { port, pid: service, stop } = await servers.disburse(database);
  const load = (payer: Payer) =>
    timed({ service, postgres: postgres.pid }, paying({ port, payers: [payer] }));
  /** A round adds payouts, so each starts with a receiver of its own. */
  const withFew = async (durationMs: number) => {
    const payer = await newLivePayer(database, "high");
    await addPayoutsOfToday(database, payer, few);
    return load(payer)(durationMs);
  };
  const variants: Variant<Name>[] = [
    { name: "thresholds, few payouts of the day", run: withFew },
    { name: "thresholds, many payouts of the day", run: load(high) },
    { name: "no thresholds, many payouts of the day", run: load(none) },
    { name: "default thresholds, every payout waits", run: load(standard) },
  ];
  const figures = await interleave(variants, scale);
  await stop();
  const ratio = (over: Name, under: Name) => figures[over].perSecond / figures[under].perSecond;
  const measured: Name = "thresholds, many payouts of the day";
  return {
    title: "Create payout with thresholds",
    how: `${connectionsUnderLoad} connections, signed, synchronous_commit on; live mode, one receiver; the four thresholds of live mode, so high that no payout waits; ${many} payouts of the day are many, ${few} are few`,
    figures: Object.values(figures),
    requirements: [
      atLeast(
        `payout, thresholds: ${many} payouts of the day / ${few}`,
        ratio(measured, "thresholds, few payouts of the day"),
        0.9,
      ),
      atLeast(
        "payout: thresholds / none",
        ratio(measured, "no thresholds, many payouts of the day"),
        0.85,
      ),
    ],
    notes: [],
  };
};
