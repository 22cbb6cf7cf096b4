// A hit holds payouts of its receiver until users have decided it.

import { expect, test } from "vitest";
import type { BankConnection } from "../../../src/banking/connections/connection.ts";
import { discardBatch, downloadBatch } from "../../../src/banking/files/release.ts";
import { decideHit, type HitVerdict } from "../../../src/money/hits/decide-hit.ts";
import { verifyLedger } from "../../../src/money/ledger/verify.ts";
import { railDirectory } from "../../../src/money/rails/directory.ts";
import { sandboxRail } from "../../../src/money/rails/sandbox.ts";
import { manualProvider } from "../../../src/people/kyc-providers/manual.ts";
import { changeReceiver } from "../../../src/people/receivers/change.ts";
import { screenerOf } from "../../../src/people/screening/screener.ts";
import { person, putList } from "../../scenarios/screening-lists.ts";
import {
  approveNow,
  type BankPayer,
  freezeNow,
  newBankConnection,
  newBankPayer,
} from "../../support/bank-payers.ts";
import { closeAfterTests } from "../../support/close-after-tests.ts";
import { hitsOf, isLoaded } from "../../support/list-setup.ts";
import { startService } from "../../support/service.ts";

const rails = railDirectory([{ mode: "test", rail: sandboxRail({ delayMs: 0 }) }]);
const service = await closeAfterTests(startService({ rails, screens: true }));
const setId = await putList(service.db, "un", [
  person("QD.1", "Grigor Tossunbek"),
  person("QD.2", "Wilhelmina Astardottir"),
]);
await isLoaded(service, setId);

const listed = { first_name: "Grigor", last_name: "Tossunbek" };

async function newPayout(payer: BankPayer, reference = "PO-1"): Promise<string> {
  const payout = { ...payer.to, amount: 1_000, currency: "AUD", reference };
  return (await payer.disburse.payouts.create(payout)).payout_id;
}

const connect = ({ subaccountId }: BankPayer) =>
  newBankConnection({ ...service, rails }, subaccountId);

/** A payer of a bank connection, whose receiver gets a listed name. */
async function newHit(payouts = 1) {
  const payer = await newBankPayer(service);
  const connection = await connect(payer);
  const ids: string[] = [];
  for (let made = 0; made < payouts; made += 1) ids.push(await newPayout(payer, `PO-${made}`));
  await payer.disburse.receivers.update(payer.to.receiver_id, listed);
  await service.db.pool.query(
    "update receiver set kyc_status = 'completed' where subaccount_id = $1",
    [payer.subaccountId],
  );
  return { payer, connection, ids, hit: await onlyHit(payer) };
}

async function onlyHit({ subaccountId, to }: BankPayer) {
  const [hit] = await hitsOf(service.db, subaccountId, to.receiver_id);
  if (!hit) throw new Error("the receiver has a listed name");
  return hit;
}

const stagesOf = async (payer: BankPayer, ids: readonly string[]) =>
  Promise.all(ids.map(async (id) => (await payer.disburse.payouts.get(id)).stage));

const decide = (
  { subaccountId }: BankPayer,
  id: string,
  verdict: HitVerdict["verdict"],
  who = "operator:ada",
) =>
  service.db.transaction((tx) =>
    decideHit(tx, { subaccountId, id }, { verdict, who, reason: "looked", atMs: Date.now() }),
  );

test("a hit puts unsent payouts on hold, and says nothing of it to the caller", async () => {
  const { payer, ids } = await newHit(2);
  expect(await stagesOf(payer, ids)).toEqual(["on_hold", "on_hold"]);
  const text = JSON.stringify([
    await payer.disburse.payouts.get(ids[0] as string),
    (await payer.call("GET", `/api/payout/${ids[0]}/history`)).json,
    (await payer.call("GET", `/api/receiver/${payer.to.receiver_id}/history`)).json,
  ]);
  expect(text).not.toMatch(/screen|sanction|hit\b|list/i);
});

test("one user says that it is a different person: the hit is decided, and payouts stay on hold", async () => {
  const { payer, ids, hit } = await newHit();
  expect(await decide(payer, hit.id, "different")).toMatchObject({
    isDecided: true,
    status: "different",
    hitsLeft: 0,
    refused: [],
  });
  expect(await stagesOf(payer, ids)).toEqual(["on_hold"]);
  await expect(decide(payer, hit.id, "same")).rejects.toThrow("CONS611");
  const next = await newPayout(payer, "PO-next");
  expect(await stagesOf(payer, [next])).toEqual(["queued"]);
});

test("the same person takes two users: then the receiver is inactive and its payouts are refused", async () => {
  const { payer, ids, hit } = await newHit(2);
  expect(await decide(payer, hit.id, "same")).toMatchObject({ isDecided: false, status: "open" });
  expect(await stagesOf(payer, ids)).toEqual(["on_hold", "on_hold"]);
  await expect(decide(payer, hit.id, "same")).rejects.toThrow("CONS402");

  const decided = await decide(payer, hit.id, "same", "operator:eve");
  expect(decided).toMatchObject({ isDecided: true, status: "same", isReceiverDeactivated: true });
  expect(decided.refused.sort()).toEqual([...ids].sort());
  expect(await stagesOf(payer, ids)).toEqual(["cancelled", "cancelled"]);
  const { status } = await payer.disburse.receivers.get(payer.to.receiver_id);
  expect(status).toBe("inactive");
  await expect(newPayout(payer, "PO-next")).rejects.toThrow("PAYO");
  expect((await verifyLedger(service.db)).differences).toEqual([]);

  // A third user may correct the two.
  await expect(decide(payer, hit.id, "different")).rejects.toThrow("CONS402");
  await decide(payer, hit.id, "different", "operator:kim");
  expect(await onlyHit(payer)).toMatchObject({ status: "different" });
});

test("a user may withdraw that it is the same person before a second one has said it", async () => {
  const { payer, hit } = await newHit();
  await decide(payer, hit.id, "same");
  expect(await decide(payer, hit.id, "different")).toMatchObject({ status: "different" });
});

test("CONS402, CONS407: who created or changed the receiver can't say that it is a different person", async () => {
  const { payer, hit } = await newHit();
  const { subaccountId, to } = payer;
  const { pool } = service.db;
  await pool.query("update receiver set created_by = 'operator:creator' where subaccount_id = $1", [
    subaccountId,
  ]);
  const changing = {
    who: "operator:changer",
    providers: { test: manualProvider, live: manualProvider },
    screener: screenerOf(
      () => service.screener?.loaded,
      async () => {},
    ),
    seal: service.seal,
    atMs: Date.now(),
  };
  const key = { subaccountId, id: to.receiver_id };
  await service.db.transaction((tx) =>
    changeReceiver(tx, key, { address: "2 High Street" }, changing),
  );
  await pool.query("insert into api_secret_seen (key, who) values ($1, 'operator:keeper')", [
    payer.key,
  ]);
  for (const [who, code] of [
    ["operator:creator", "CONS402"],
    ["operator:changer", "CONS402"],
    // The name was changed with an API key.
    ["operator:keeper", "CONS407"],
  ] as const) {
    await expect(decide(payer, hit.id, "different", who)).rejects.toThrow(code);
  }
  // They can still stop payouts to it.
  expect(await decide(payer, hit.id, "same", "operator:creator")).toMatchObject({ status: "open" });
  expect(await decide(payer, hit.id, "different")).toMatchObject({ status: "different" });
});

test("who wrote the name of an account holder can't say that it is a different one", async () => {
  const payer = await newBankPayer(service, {
    account: { account_type: "B", business_name: "Wilhelmina Astardottir", abn: "51824753556" },
  });
  const { subaccountId } = payer;
  await service.db.pool.query(
    "update bank_details set created_by = 'operator:writer' where subaccount_id = $1",
    [subaccountId],
  );
  const hit = await onlyHit(payer);
  expect(hit.subject_kind).toBe("account");
  await expect(decide(payer, hit.id, "different", "operator:writer")).rejects.toThrow("CONS402");
  expect(await decide(payer, hit.id, "different")).toMatchObject({ status: "different" });
});

test("a hit of another subaccount does not exist", async () => {
  const { hit } = await newHit();
  const other = await newBankPayer(service);
  await expect(decide(other, hit.id, "different")).rejects.toThrow("CONS110");
});

/** A frozen file with payouts to a receiver who then gets a listed name. */
async function newFrozenHit() {
  const payer = await newBankPayer(service);
  const connection = await connect(payer);
  const ids = [await newPayout(payer, "PO-1"), await newPayout(payer, "PO-2")];
  const [batchId = ""] = await freezeNow(service, connection, "rail:x");
  const list = () => payer.disburse.receivers.update(payer.to.receiver_id, listed);
  return { payer, connection, ids, batchId, list };
}

const approve = (connection: BankConnection, id: string, who?: string) =>
  approveNow(service, connection, id, who);

test("a bank file with payouts in review is neither approved nor downloaded", async () => {
  const { payer, connection, ids, batchId, list } = await newFrozenHit();
  await list();
  expect(await stagesOf(payer, ids)).toEqual(["batched", "batched"]);
  await expect(approve(connection, batchId)).rejects.toMatchObject({
    problems: [{ code: "BANK305", message: "2 payouts of the batch wait for a review" }],
  });
  await decide(payer, (await onlyHit(payer)).id, "different");
  await approve(connection, batchId, "operator:b");
  await approve(connection, batchId, "operator:c");

  await payer.disburse.receivers.update(payer.to.receiver_id, { dob: "1970-05-06" });
  const download = () =>
    service.db.transaction((tx) =>
      downloadBatch(tx, batchId, { who: "operator:b", atMs: Date.now() }),
    );
  await expect(download()).rejects.toThrow("BANK305");
  const hits = await hitsOf(service.db, payer.subaccountId, payer.to.receiver_id);
  const open = hits.find(({ status }) => status === "open");
  await decide(payer, open?.id ?? "", "different");
  await download();
});

test("a discarded file leaves the payouts in review on hold", async () => {
  const { payer, connection, ids, batchId, list } = await newFrozenHit();
  await list();
  const discarding = { id: batchId, words: undefined, who: "operator:b", atMs: Date.now() };
  await service.db.transaction((tx) => discardBatch(tx, connection, discarding));
  expect(await stagesOf(payer, ids)).toEqual(["on_hold", "on_hold"]);
  expect(await freezeNow(service, connection)).toEqual([]);
});
