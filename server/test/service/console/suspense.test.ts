// Files from banks and suspense in the console: a file applied by a user, and decisions with a reason.

import { expect, test } from "vitest";
import { newId } from "../../../src/platform/base/ids.ts";
import { limits } from "../../../src/platform/limits/limits.ts";
import { abaReturns } from "../../support/aba-returns.ts";
import { startBankConsole } from "../../support/bank-console.ts";
import { abaSettings } from "../../support/bank-payers.ts";
import { closeAfterTests, expectBalancedLedger } from "../../support/close-after-tests.ts";
import { outcomeOf } from "../../support/service.ts";
import { sftpPassword, startSftpServer } from "../../support/sftp-server.ts";
import { camt053 } from "../../support/statement-messages.ts";

const service = await closeAfterTests(startBankConsole(), expectBalancedLedger);

const contentOf = (text: string) => Buffer.from(text).toString("base64");

let accountNumber = 30_000_000;

/** Payouts that were sent in a bank file, and a function that writes the bank's file of returns. */
async function newSentPayouts(amounts: readonly number[]) {
  accountNumber += 1;
  const settings = { ...abaSettings, account_number: String(accountNumber) };
  const payer = await service.newPayer();
  const id = await service.connect(payer.subaccountId, [payer.subaccountId], { settings });
  const payouts = [];
  for (const amount of amounts) {
    payouts.push((await payer.pay(amount, `PO-${payouts.length + 1}`)).payout_id);
  }
  const finance = service.enter("finance");
  const { processDate: date } = await service.sendFile(id);
  const returns = (lines: { amount: number; reference: string }[]) => {
    const own = lines.map((line) => ({ ...line, account: "111222333", code: "3" }));
    return abaReturns({ settings }, own, { date });
  };
  return { payer, id, payouts, finance, returns };
}

test("a user applies a file once, and sees what each line did", async () => {
  const { payer, payouts, finance, returns } = await newSentPayouts([500, 700]);
  const content = contentOf(returns([{ amount: 700, reference: "PO-2" }]));
  const first = await service.applyConfirmed(finance, { name: "returns.aba", content });
  expect(first.file).toMatchObject({ lines: 1, applied: 1, suspended: 0 });
  expect((await payer.disburse.payouts.get(payouts[1] as string)).stage).toBe("returned");
  const again = await finance.post("/banks/inbound", { name: "other-name.aba", content });
  expect(again.json).toMatchObject({ is_new: false, file: { id: first.file.id } });

  const auditor = service.enter("auditor");
  const { id } = first.file;
  expect((await auditor.get("/banks/inbound")).json.rows[0]).toMatchObject({
    name: "returns.aba",
    received_by: finance.who,
  });
  expect((await auditor.get(`/banks/inbound/${id}`)).json).toMatchObject({ format: "aba" });
  const reports = await auditor.get(`/banks/inbound/${id}/reports`);
  expect(reports.text).not.toContain("111222333");
  expect(reports.json).toMatchObject({
    rows: [{ kind: "return", code: "3", outcome: "applied", payout_id: payouts[1], amount: 700 }],
    next: null,
  });
});

test("a damaged file, an amount beyond the books and an unknown format are refused", async () => {
  const { finance, returns } = await newSentPayouts([500]);
  const broken = returns([{ amount: 500, reference: "PO-1" }]).replace("0000000500", "0000000501");
  const answer = await finance.post("/banks/inbound", { name: "x", content: contentOf(broken) });
  expect(outcomeOf(answer)).toBe("400 BANK401");
  const day = "2026-11-16";
  const entries = [{ amount: 99_999_999_999_999_999_999n, day }];
  const tooLarge = camt053({ account: "1", from: day, to: day, opening: 0, entries, closing: 0n });
  const large = { name: "x", content: contentOf(tooLarge) };
  expect(outcomeOf(await finance.post("/banks/inbound", large))).toBe("400 BANK401");
  const none = { name: "x", content: contentOf("hello") };
  expect(outcomeOf(await finance.post("/banks/inbound", none))).toBe("400 BANK402");
});

test("an item is matched to a candidate with a reason, and the match can be undone", async () => {
  const { payer, payouts, finance, returns, id } = await newSentPayouts([500, 700]);
  const content = contentOf(returns([{ amount: 700, reference: "LOST" }]));
  const applied = await service.applyConfirmed(finance, { name: "r", content, connection_id: id });
  expect(applied.file).toMatchObject({ suspended: 1 });
  const { json: list } = await service.enter("auditor").get("/banks/suspense");
  const item = list.rows.find((row: { file_id: string }) => row.file_id === applied.file.id);
  expect(item).toMatchObject({
    status: "open",
    amount: 700,
    account: "•••• 2333",
    is_booked: true,
  });
  const path = `/banks/suspense/${item.id}`;
  const detail = (await finance.get(path)).json;
  expect(detail.candidates).toMatchObject([
    { payout_id: payouts[1], reasons: expect.arrayContaining(["same amount"]) },
  ]);
  const { rows: options } = (await finance.get(`${path}/options?text=x&amount=700`)).json;
  expect(options).toMatchObject([
    { kind: "payout", id: payouts[1], reasons: expect.arrayContaining(["same amount"]) },
  ]);
  const match = { payout_id: payouts[1], reason: "the bank's letter" };
  expect(outcomeOf(await finance.post(`${path}/match`, { payout_id: payouts[1] }))).toBe(
    "400 CONS107",
  );
  const wrong = { ...match, payout_id: payouts[0] };
  expect(outcomeOf(await finance.post(`${path}/match`, wrong))).toBe("409 BANK414");
  expect((await finance.post(`${path}/match`, match)).json).toEqual({
    status: "matched",
    request_id: null,
  });
  expect((await payer.disburse.payouts.get(payouts[1] as string)).stage).toBe("returned");
  const undone = await finance.post(`${path}/undo`, { reason: "wrong letter" });
  expect(undone.json).toEqual({ status: "open", request_id: null });
  expect((await finance.get(path)).json.acts).toMatchObject([
    { act: "match", reason: "the bank's letter", who: finance.who },
    { act: "undo", reason: "wrong letter" },
  ]);
});

test("an item is split, and a part's money is returned", async () => {
  const { finance, returns, id } = await newSentPayouts([500, 700]);
  const content = contentOf(returns([{ amount: 900, reference: "LOST" }]));
  const applied = await service.applyConfirmed(finance, { name: "r", content, connection_id: id });
  const fileId = applied.file.id;
  const items = async (state: string) =>
    (await finance.get(`/banks/suspense?state=${state}`)).json.rows.filter(
      (row: { file_id: string }) => row.file_id === fileId,
    );
  const [item] = await items("open");
  const split = (amounts: number[]) =>
    finance.post(`/banks/suspense/${item.id}/split`, { amounts, reason: "two payments" });
  expect(outcomeOf(await split([100, 200]))).toBe("400 BANK416");
  expect((await split([500, 400])).json).toEqual({ status: "split", request_id: null });
  const parts = await items("open");
  expect(parts.map(({ amount }: { amount: number }) => amount)).toEqual([500, 400]);
  const back = await finance.post(`/banks/suspense/${parts[1].id}/return`, { reason: "not ours" });
  expect(back.json).toEqual({ status: "returned", request_id: null });
  expect(
    outcomeOf(await finance.post(`/banks/suspense/${parts[0].id}/close`, { reason: "x" })),
  ).toBe("409 BANK418");
});

test("unknown ids are refused", async () => {
  for (const path of ["/banks/inbound", "/banks/suspense"]) {
    const code = path === "/banks/inbound" ? "404 CONS110" : "404 BANK411";
    for (const id of [newId(), "x"]) {
      expect(outcomeOf(await service.enter("auditor").get(`${path}/${id}`))).toBe(code);
    }
  }
});

test("files that were refused in a bank's folder, and folders that can't be read, are listed", async () => {
  const server = await startSftpServer();
  const sftp = {
    host: "127.0.0.1",
    port: server.port,
    user: "acme",
    password: sftpPassword,
    host_key: server.fingerprint,
    folder: "in",
    inbound_folder: "out",
  };
  const payer = await service.newPayer();
  const name = payer.subaccountId;
  const id = await service.connect(name, [name], { travels: "sftp", sftp });
  server.files.set("out/notes.txt", Buffer.from("hello"));
  const nowMs = Date.now();
  await service.pollBySftp(id, nowMs);
  await service.pollBySftp(id, nowMs + limits.bankFolderSettleMs);
  await server.close();
  await service.pollBySftp(id, nowMs + limits.bankFolderSettleMs + limits.bankFolderPollMs);
  const { json } = await service.enter("auditor").get("/banks/inbound/folders");
  expect(json).toEqual({
    folders: [
      {
        connection_name: name,
        problem: "It could not be reached: ECONNREFUSED",
        good_at: nowMs + limits.bankFolderSettleMs,
      },
    ],
    files: [
      {
        connection_name: name,
        name: "notes.txt",
        code: "BANK402",
        message: "The file is of no format that banks answer in",
        refused_at: nowMs + limits.bankFolderSettleMs,
      },
    ],
  });
});
