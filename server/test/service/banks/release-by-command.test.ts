// Bank files that commands freeze, approve and discard: a name given with --by is no second user.

import { expect, test } from "vitest";
import { discardBatch, downloadBatch } from "../../../src/banking/files/release.ts";
import { approveNow, freezeNow, newBankPayer } from "../../support/bank-payers.ts";
import { closeAfterTests } from "../../support/close-after-tests.ts";
import { startBankTest } from "../../support/inbound-setup.ts";

const bank = await closeAfterTests(startBankTest());

test("CONS416: in live mode two names that one user of the system gives to commands are one user", async () => {
  const { db, service } = bank;
  const payer = await newBankPayer(service);
  const connection = await bank.connect(payer.subaccountId);
  await payer.disburse.payouts.create({ ...payer.to, amount: 500, currency: "AUD" });
  const [id = ""] = await freezeNow(service, connection, "command:root as ana");
  const approve = (who: string) => approveNow(service, connection, id, who);
  for (const who of ["command:root", "command:root as ana", "command:root as ben"]) {
    await expect(approve(who)).rejects.toThrow("CONS416");
  }
  expect(await approve("command:ben")).toBe(0);

  const atMs = Date.now();
  await db.transaction((tx) => downloadBatch(tx, id, { who: "command:ben", atMs }));
  const discard = (who: string) =>
    db.transaction((tx) =>
      discardBatch(tx, connection, { id, who, words: "not at the bank", atMs }),
    );
  expect(await discard("command:root as ana")).toBe("waits");
  await expect(discard("command:root as ben")).rejects.toThrow("CONS416");
  expect(await discard("operator:ben@example.com")).toBe("discarded");
});

test("a command approves what the schedule or a user of the console froze, and not what it froze before the upgrade", async () => {
  const { service } = bank;
  const payer = await newBankPayer(service);
  const connection = await bank.connect(payer.subaccountId);
  const frozenBy = async (who: string) => {
    await payer.disburse.payouts.create({
      ...payer.to,
      amount: 500,
      currency: "AUD",
      reference: who,
    });
    const [id = ""] = await freezeNow(service, connection, who);
    return id;
  };
  const approve = (id: string, who: string) => approveNow(service, connection, id, who);
  expect(await approve(await frozenBy("service"), "command:root as ana")).toBe(1);
  expect(await approve(await frozenBy("operator:ana@example.com"), "command:root")).toBe(0);
  // Earlier versions named a command like a user.
  for (const who of ["operator:root", "operator:ana"]) {
    await expect(approve(await frozenBy(who), "command:root as ana")).rejects.toThrow("CONS416");
  }
});
