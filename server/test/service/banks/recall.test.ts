// A recall is a request with a note and an outcome. It never moves money.

import { expect, test } from "vitest";
import { recordRecallOutcome, requestRecall } from "../../../src/banking/answers/recall.ts";
import { listRecalls } from "../../../src/banking/answers/recall-queries.ts";
import { closeAfterTests } from "../../support/close-after-tests.ts";
import { startBankTest } from "../../support/inbound-setup.ts";

const bank = await closeAfterTests(startBankTest());

test("a recall is kept with its answer, and leaves the payout as it is", async () => {
  const payer = await bank.newPayer();
  const connection = await bank.connect(payer.subaccountId);
  const { ids } = await bank.sendPayouts(payer, connection, [500]);
  const [payoutId = ""] = ids;
  const by = { payoutId, note: "called the bank", who: "operator:a", atMs: Date.now() };
  const ask = (request = by) => bank.db.transaction((tx) => requestRecall(tx, request));
  const answer = (outcome: "accepted" | "refused") =>
    bank.db.transaction((tx) => recordRecallOutcome(tx, { ...by, note: "by mail", outcome }));
  await expect(answer("refused")).rejects.toThrow("BANK434");
  expect(await ask()).toMatchObject({ payout_id: payoutId, outcome: "", note: "called the bank" });
  await expect(ask()).rejects.toThrow("BANK433");
  await answer("refused");
  await ask();
  expect(await answer("accepted")).toMatchObject({
    outcome: "accepted",
    outcome_note: "by mail",
    decided_by: "operator:a",
  });
  expect(await bank.stagesOf(payer, ids)).toEqual(["submitted"]);
  expect(await listRecalls(bank.db, { includesDecided: true, limit: 10 })).toHaveLength(2);
  expect(await listRecalls(bank.db, { includesDecided: false, limit: 10 })).toEqual([]);
  await expect(ask({ ...by, payoutId: connection.id })).rejects.toThrow("BANK431");
});

test("a payout that the bank does not have can't be recalled", async () => {
  const payer = await bank.newPayer();
  const connection = await bank.connect(payer.subaccountId);
  const payout = { ...payer.to, amount: 500, currency: "AUD" };
  const { payout_id: payoutId } = await payer.disburse.payouts.create(payout);
  const by = { payoutId, note: "", who: "operator:a", atMs: Date.now() };
  const ask = () => bank.db.transaction((tx) => requestRecall(tx, by));
  await expect(ask()).rejects.toThrow("BANK431");
  await bank.freeze(connection);
  await expect(ask()).rejects.toThrow("BANK432");
});
