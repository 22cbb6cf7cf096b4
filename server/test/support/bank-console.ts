// A console with live payers and their bank connections, for tests of the Banks screens.

import type { BankConnection } from "../../src/banking/connections/connection.ts";
import { connectBanks } from "../../src/banking/connections/connections.ts";
import { putConnection } from "../../src/banking/connections/save-connection.ts";
import { sendDue } from "../../src/banking/files/send.ts";
import { pollFolderDue } from "../../src/banking/inbound-files/inbound-folder.ts";
import { settleDue } from "../../src/banking/worker/worker.ts";
import { fund } from "../../src/money/ledger/fund.ts";
import { railDirectory } from "../../src/money/rails/directory.ts";
import { sandboxRail } from "../../src/money/rails/sandbox.ts";
import type { Mode } from "../../src/platform/base/caller.ts";
import { abaSettings } from "./bank-payers.ts";
import { startConsole, type TestPerson } from "./console.ts";
import { ada, type ServiceOptions } from "./service.ts";

export type BankConsole = Awaited<ReturnType<typeof startBankConsole>>;

export async function startBankConsole(options: ServiceOptions = {}) {
  const rails = railDirectory([{ mode: "test", rail: sandboxRail({ delayMs: 0 }) }]);
  const service = await startConsole({ rails, ...options });
  const { db, seal } = service;

  /** A subaccount with a receiver who can be paid, and money. */
  async function newPayer(mode: Mode = "live", amount = 1_000_000n) {
    const caller = await service.newCaller({ mode });
    const { subaccountId } = caller;
    const { receiver_id } = await caller.disburse.receivers.create(ada());
    await db.pool.query(
      "update receiver set status = 'active', kyc_status = 'completed' where subaccount_id = $1",
      [subaccountId],
    );
    const details = { account_type: "I", bsb: "083047", account_number: "111222333" } as const;
    const { account_id } = await caller.disburse.receiverAccounts.create({
      receiver_id,
      ...details,
    });
    const funding = { subaccountId, currency: "AUD", amount, reference: "first", who: "test" };
    if (amount > 0n) await db.transaction((tx) => fund(tx, { ...funding, atMs: 1 }));
    const to = { receiver_id, account_id };
    const pay = (amount: number, reference = "", more: object = {}) =>
      caller.disburse.payouts.create({ ...to, amount, currency: "AUD", reference, ...more });
    return { ...caller, to, pay };
  }

  /** A connection that only these subaccounts use. */
  async function connect(name: string, subaccountIds: readonly string[], changes: object = {}) {
    const input = {
      name,
      format: "aba",
      subaccount_ids: [...subaccountIds],
      settings: abaSettings,
      ...changes,
    };
    const { after } = await db.transaction((tx) =>
      putConnection({ tx, seal }, input, { who: "test", atMs: Date.now() }),
    );
    await connectBanks({ db, seal, rails });
    return after.id;
  }

  async function connectionOf(connectionId: string) {
    const connections = await connectBanks({ db, seal, rails });
    return connections.find(({ id }) => id === connectionId) as BankConnection;
  }

  /** Settles as if a week had passed: payouts that were sent count as paid. */
  async function settle(connectionId: string) {
    await settleDue({ db }, await connectionOf(connectionId), Date.now() + 7 * 86_400_000);
  }

  /** Sends the approved files of a connection that travels by SFTP, as the worker does. */
  async function sendBySftp(connectionId: string, nowMs = Date.now()) {
    const log = { info() {}, warn() {} };
    const parts = { db, seal, log, addresses: "loopback", clock: () => nowMs } as const;
    await sendDue(parts, await connectionOf(connectionId));
  }

  /** Polls the folder of a connection, as the worker does. */
  async function pollBySftp(connectionId: string, nowMs = Date.now()) {
    const log = { info() {}, warn() {} };
    const parts = {
      db,
      applyingDb: db,
      seal,
      log,
      addresses: "loopback",
      clock: () => nowMs,
    } as const;
    await pollFolderDue(parts, await connectionOf(connectionId));
  }

  /** Freezes the payouts that wait, and approves their file by another user. */
  async function approveFile(connectionId: string) {
    const operator = service.enter("operator");
    const frozen = await operator.post(`/banks/connections/${connectionId}/freeze`);
    const path = `/banks/batches/${frozen.json.batch_ids[0]}`;
    const { sha256, process_date } = (await operator.get(path)).json;
    const { status } = await service.enter("approver").post(`${path}/approve`, { sha256 });
    if (status !== 200) throw new Error(`the file was not approved: ${status}`);
    return { path, processDate: process_date as string };
  }

  /** Approves the file of the payouts that wait, and records it as sent by a third user. */
  async function sendFile(connectionId: string) {
    const file = await approveFile(connectionId);
    const { status } = await service.enter("finance").post(`${file.path}/sent`);
    if (status !== 204) throw new Error(`the file was not sent: ${status}`);
    return file;
  }

  /** What waits at a bank, as a user sees it in Approvals. */
  async function waitingAtBank(requestId: string, user = service.enter("auditor")) {
    const { json } = await user.get("/approvals?kind=bank_request&limit=100");
    return json.rows.find(({ id }: { id: string }) => id === requestId);
  }

  /** A second user confirms what is shown. */
  async function confirm(requestId: string, user = service.enter("finance")) {
    const { bank } = await waitingAtBank(requestId, user);
    return user.post(`/bank-requests/${requestId}/approve`, { sha256: bank.sha256 });
  }

  /** A second user confirms the files of this name, or what waits about the object of this id. */
  async function confirmNamed(nameOrId: string) {
    const user = service.enter("operator");
    const { json } = await user.get("/approvals?kind=bank_request&limit=100");
    const rows = json.rows as { id: string; bank: { name: string; object_id: string } }[];
    for (const { id } of rows.filter(
      ({ bank }) => bank.name === nameOrId || bank.object_id === nameOrId,
    )) {
      const { status, text } = await confirm(id, user);
      if (status !== 200) throw new Error(`${nameOrId} was not applied: ${text}`);
    }
  }

  /** A user uploads a file, and a second one confirms it. Returns the response for the same file as it is applied. */
  async function applyConfirmed(user: TestPerson, body: object) {
    const uploaded = await user.post("/banks/inbound", body);
    if (uploaded.status !== 200) throw new Error(`the file was refused: ${uploaded.text}`);
    const confirmed = await confirm(uploaded.json.request_id);
    if (confirmed.status !== 200) throw new Error(`the file was not applied: ${confirmed.text}`);
    return (await user.post("/banks/inbound", body)).json;
  }

  return {
    ...service,
    rails,
    waitingAtBank,
    confirm,
    confirmNamed,
    applyConfirmed,
    newPayer,
    connect,
    connectionOf,
    settle,
    sendBySftp,
    pollBySftp,
    approveFile,
    sendFile,
  };
}
