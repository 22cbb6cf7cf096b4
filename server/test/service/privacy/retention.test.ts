// Retention: what was kept long enough loses its content in pages, and what is younger stays.

import { expect, onTestFinished, test } from "vitest";
import { findBatch } from "../../../src/banking/files/batch-queries.ts";
import { downloadBatch } from "../../../src/banking/files/release.ts";
import { enforceRetention } from "../../../src/people/privacy/retention.ts";
import { startRetentionWorker } from "../../../src/people/privacy/retention-worker.ts";
import { insertReviewNote } from "../../../src/people/reviews/note-queries.ts";
import { newId } from "../../../src/platform/base/ids.ts";
import { readConfig, settings } from "../../../src/platform/config/config.ts";
import { createMetrics } from "../../../src/platform/metrics/metrics.ts";
import {
  defaultRetention,
  retentionKinds,
  retentionTable,
} from "../../../src/platform/retention/table.ts";
import { audited } from "../../../src/tenants/audit/audited.ts";
import { verifyAudit } from "../../../src/tenants/audit/verify.ts";
import { closeAfterTests, expectBalancedLedger } from "../../support/close-after-tests.ts";
import { findWords } from "../../support/database-text.ts";
import { insertHit } from "../../support/hits.ts";
import { pain002 } from "../../support/inbound-messages.ts";
import { startBankTest } from "../../support/inbound-setup.ts";
import { camt053 } from "../../support/statement-messages.ts";

const bank = await closeAfterTests(startBankTest(), expectBalancedLedger);

const dayMs = 86_400_000;

/** A run after this many days, in small pages. */
async function runAfter(days: number, changes: object = {}) {
  const removed: Record<string, number> = {};
  const isDone = await enforceRetention(bank, {
    retention: defaultRetention,
    nowMs: Date.now() + days * dayMs,
    page: 2,
    onRemoved: (kind, rows) => {
      removed[kind] = (removed[kind] ?? 0) + rows;
    },
    ...changes,
  });
  return { isDone, removed };
}

test("after seven years payouts, bank files, audit entries and reviews lose their content, in pages", async () => {
  const { db, seal } = bank;
  const payer = await bank.newPayer();
  const { subaccountId, disburse } = payer;
  const { receiver_id: receiverId } = payer.to;
  const connection = await bank.connect(subaccountId);
  const ids: string[] = [];
  for (const amount of [100, 200, 300, 400, 500]) {
    const payout = { ...payer.to, amount, currency: "AUD", reference: `Wombatpay ${amount}` };
    const more = { note: "Wombatnote", ...(amount < 500 && { metadata: { team: "Wombatteam" } }) };
    ids.push((await disburse.payouts.create({ ...payout, ...more })).payout_id);
  }
  const batchId = await bank.freeze(connection);
  await bank.send(connection, batchId);
  // The last one stays in progress.
  const lines = ids.slice(0, 4).map((payoutId, index) => ({
    payoutId,
    ...(index === 0 ? { status: "RJCT", code: "XX99", text: "Wombattext" } : { status: "ACCC" }),
  }));
  await bank.apply(pain002(batchId, { lines }));
  const { account_number: account } = connection.settings as { account_number: string };
  const day = (await findBatch(db, batchId))?.process_date as string;
  const entries = [{ amount: 900, day, party: "Wombatparty", text: "Wombatline" }];
  await bank.apply(camt053({ account, from: day, to: day, opening: 0, entries }), connection, {
    name: "statement.xml",
  });
  const hitId = await insertHit(
    db,
    { subaccountId, receiverId },
    {
      explanation: { subject: { name: "Wombatname" } },
    },
  );
  await db.pool.query(
    "update screening_hit set status = 'different', decided_at_ms = $2 where id = $1",
    [hitId, Date.now()],
  );
  const note = { kind: "hit", objectId: hitId, audience: "reviewers", who: "operator:a" } as const;
  await db.transaction((tx) =>
    insertReviewNote(
      tx,
      { subaccountId, id: receiverId },
      {
        ...{ ...note, atMs: Date.now(), note: "Wombatnote of review" },
      },
    ),
  );
  const actor = {
    kind: "user",
    who: "operator:wombatuser",
    ip: "192.0.2.7",
    requestId: "",
  } as const;
  const object = { kind: "receiver", id: receiverId };
  const entry = { action: "review.need-more", object, after: { reason: "Wombatreason" } };
  await audited({ db, seal }, { ...actor, subaccountId }).transaction(entry, async () => {});

  const words = [
    ...["Wombatpay 100", "Wombatnote", "Wombattext", "Wombatparty", "Wombatline", "Wombatname"],
    ...["Wombatteam", "Wombatnote of review", "Wombatreason", "operator:wombatuser"],
  ];
  expect(await findWords(bank, words)).toEqual(words);
  expect(await runAfter(retentionTable.payouts.days - 1)).toEqual({ isDone: true, removed: {} });
  expect(await findWords(bank, words)).toEqual(words);

  // Events lose whole partitions, after 90 days: event-partitions.test.ts.
  await db.pool.query("delete from event");
  // A round that does not get to the end says so, and the next one goes on.
  expect((await runAfter(2558, { pagesMax: 1 })).isDone).toBe(false);
  const { isDone } = await runAfter(2558);
  expect(isDone).toBe(true);
  // A payout that is in progress, and suspense that waits for a decision, are kept.
  expect(await findWords(bank, words)).toEqual(["Wombatnote", "Wombatline"]);
  const [first, , , , last] = await Promise.all(ids.map((id) => disburse.payouts.get(id)));
  expect(first).toMatchObject({
    amount: 100,
    reference: "",
    note: "",
    cause: "",
    status: "failed",
  });
  expect(last).toMatchObject({ reference: "Wombatpay 500", note: "Wombatnote" });
  expect((await verifyAudit({ db, seal })).fault).toBeUndefined();
  const download = { who: "operator:a", atMs: Date.now() };
  await expect(db.transaction((tx) => downloadBatch(tx, batchId, download))).rejects.toThrow(
    "BANK422",
  );

  await db.pool.query(
    "update payout set status = 'failed', stage = 'rejected', due_at_ms = null where id = $1",
    [ids[4]],
  );
  expect((await runAfter(2558)).removed).toEqual({});
  expect(await findWords(bank, words)).toEqual(["Wombatline"]);
  // Undone, so that the books add up.
  await db.pool.query(
    "update payout set status = 'pending', stage = 'submitted' where subaccount_id = $1 and id = $2",
    [subaccountId, ids[4]],
  );
});

test("metrics have the age of the oldest row of each kind, and how long it is kept", async () => {
  const { db, seal } = bank;
  const payer = await bank.newPayer();
  await bank.connect(payer.subaccountId);
  const payout = { ...payer.to, amount: 100, currency: "AUD", reference: "oldest" };
  const { payout_id: id } = await payer.disburse.payouts.create(payout);
  const actor = { kind: "user", who: "operator:a", ip: "192.0.2.7", requestId: "" } as const;
  const entry = { action: "payout.recall", object: { kind: "payout", id } };
  await audited({ db, seal }, actor).transaction(entry, async () => {});
  const metrics = createMetrics();
  const aheadMs = 86_400_000;
  const clock = () => Date.now() + aheadMs;
  const log = { warn: (_context: object, message: string) => expect.fail(message) };
  const worker = startRetentionWorker({
    db,
    seal,
    log,
    metrics,
    retention: defaultRetention,
    clock,
  });
  onTestFinished(worker.close);
  const value = async (name: string, kind: string) => {
    const text = await metrics.text();
    return Number(new RegExp(`^${name}\\{kind="${kind}"\\} (\\S+)$`, "m").exec(text)?.[1]);
  };
  const oldest = "disburse_retention_oldest_age_seconds";
  await expect.poll(() => value(oldest, "requestLog")).toBeGreaterThanOrEqual(aheadMs / 1000);
  for (const kind of retentionKinds) {
    expect(await value("disburse_retention_kept_seconds", kind)).toBe(
      defaultRetention[kind] * 86_400,
    );
    expect(await value(oldest, kind)).toBeLessThan(30 * 86_400);
  }
  for (const kind of ["payouts", "audit", "events"]) {
    expect(await value(oldest, kind)).toBeGreaterThanOrEqual(aheadMs / 1000);
  }
});

test("imported files lose their names after seven years", async () => {
  const { db } = bank;
  const { subaccountId } = await bank.newPayer();
  const id = newId();
  await db.pool.query(
    `insert into file_import (subaccount_id, id, kind, file_name, rows, who, updated_at_ms)
     values ($1, $2, 'payouts', 'Wombatfile.csv', 1, 'operator:a', 0)`,
    [subaccountId, id],
  );
  const nameOf = async () => {
    const text = "select file_name from file_import where subaccount_id = $1 and id = $2";
    return (await db.pool.query(text, [subaccountId, id])).rows[0].file_name;
  };
  await runAfter(retentionTable.payouts.days - 1);
  expect(await nameOf()).toBe("Wombatfile.csv");
  await runAfter(retentionTable.payouts.days + 1);
  expect(await nameOf()).toBe("");
});

test("settings change the days of each kind, within bounds", () => {
  const environment = { DISBURSE_MASTER_KEY: Buffer.alloc(32).toString("base64") };
  expect(readConfig(environment).retention).toEqual(defaultRetention);
  const days = Object.fromEntries(
    Object.values(retentionTable).map(({ setting }, index) => [setting, String(400 + index)]),
  );
  expect(readConfig({ ...environment, ...days }).retention).toEqual({
    ...{ payouts: 400, bankFiles: 401, audit: 402, screening: 403, events: 404, requestLog: 405 },
  });
  const short = { RETENTION_PAYOUTS_DAYS: "30", RETENTION_EVENTS_DAYS: "30" };
  expect(() => readConfig({ ...environment, ...short })).toThrow(
    /RETENTION_PAYOUTS_DAYS must be a whole number from 366[\s\S]*RETENTION_EVENTS_DAYS/,
  );
  expect(Object.keys(settings)).toEqual(expect.arrayContaining(Object.keys(days)));
});
