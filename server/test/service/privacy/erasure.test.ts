// Erasure of a receiver: no word of the person is left in the database, and what the law still needs refuses it.

import { afterAll, expect, test } from "vitest";
import { findBatch } from "../../../src/banking/files/batch-queries.ts";
import { exportPerson } from "../../../src/doors/exports/export-person.ts";
import { decideKyc } from "../../../src/people/kyc/decide.ts";
import { erasedEmailHash, eraseReceiver } from "../../../src/people/privacy/erase.ts";
import { insertReviewNote } from "../../../src/people/reviews/note-queries.ts";
import { newId } from "../../../src/platform/base/ids.ts";
import { defaultRetention } from "../../../src/platform/retention/table.ts";
import type { Actor } from "../../../src/tenants/audit/actor.ts";
import { audited } from "../../../src/tenants/audit/audited.ts";
import { verifyAudit } from "../../../src/tenants/audit/verify.ts";
import { closeAfterTests, expectBalancedLedger } from "../../support/close-after-tests.ts";
import { consoleUsers } from "../../support/console.ts";
import { findTables, findWords } from "../../support/database-text.ts";
import { insertHit } from "../../support/hits.ts";
import { camt054, pain002 } from "../../support/inbound-messages.ts";
import { type Payer, startBankTest } from "../../support/inbound-setup.ts";
import { ada } from "../../support/service.ts";
import { camt053 } from "../../support/statement-messages.ts";

const bank = await closeAfterTests(startBankTest(), expectBalancedLedger);
afterAll(async () => {
  expect((await verifyAudit(bank)).fault).toBeUndefined();
});

const yearMs = 366 * 86_400_000;
const actor: Actor = { kind: "command", who: "operator:a", ip: "", requestId: "" };
const plain = (id: string) => id.replaceAll("-", "");

/** Words that no other row has. */
const person = {
  first_name: "Zyxquarion",
  last_name: "Vlobnetskaya",
  middle_name: "Ombrelia",
  email: "zyxq.vlob@quibble.example",
  dob: "1971-03-29",
  phone: "498120765",
  address: "9 Quibblethorpe Lane",
  address2: "Hutch 77b",
  city: "Wobbleham",
  reference: "staff-zq-4711",
};
const accountNumber = "987650321";
const holder = { aka: "Lady Snorkelby", occupation: "Glimmerwright", home_phone: "0398765411" };
const metadata = { who: "Brindlewexford", quote: '"a" {}' };
const words = [
  metadata.who,
  ...Object.values(person),
  ...Object.values(holder),
  accountNumber,
  "Fribblewick",
];

async function eraseLater({ subaccountId }: Payer, id: string) {
  const atMs = Date.now() + 8 * yearMs;
  const erasing = { who: "operator:a", atMs, retention: defaultRetention };
  return bank.db.transaction((tx) =>
    eraseReceiver({ tx, seal: bank.seal }, { subaccountId, id }, erasing),
  );
}

/** A receiver with the words in every place that can hold them. */
async function writeEverywhere(): Promise<Payer & { id: string; accountId: string }> {
  const { db } = bank;
  const { home_phone: homephone, ...known } = holder;
  const payer = await bank.newPayer({
    account: { account_number: accountNumber, homedialcode: "61", homephone, ...known, metadata },
  });
  const { subaccountId, disburse } = payer;
  const { receiver_id: id, account_id: accountId } = payer.to;
  const key = { subaccountId, id };
  await disburse.subaccount.update({ event_metadata: true });
  await disburse.receivers.update(id, { ...person, metadata });
  await db.transaction((tx) =>
    decideKyc(tx, key, {
      ...{ who: "operator:a", atMs: Date.now(), verdict: "approve" },
      reason: `passport of ${person.last_name} seen`,
    }),
  );

  const connection = await bank.connect(subaccountId);
  const pay = (amount: number) =>
    disburse.payouts.create({
      ...{ ...payer.to, amount, currency: "AUD" },
      reference: `Wages ${person.last_name}`,
      note: `Dear ${person.first_name}`,
      metadata,
    });
  const [rejected, settled] = [await pay(500), await pay(700)];
  const batchId = await bank.freeze(connection);
  await bank.send(connection, batchId);
  const inBatch = { ...payer.to, amount: 900, currency: "AUD" };
  const { payouts } = await disburse.payouts.createBatch([{ ...inBatch, metadata }], { metadata });
  await disburse.payouts.cancel(payouts[0]?.payout_id as string);
  const text = `NO ACCOUNT OF ${person.last_name.toUpperCase()} FRIBBLEWICK`;
  const lines = [
    { payoutId: rejected.payout_id, status: "RJCT", code: "XX99", text },
    { payoutId: settled.payout_id, status: "ACCC" },
  ];
  await bank.apply(pain002(batchId, { lines }));
  const { account_number: account } = connection.settings as { account_number: string };
  const day = (await findBatch(db, batchId))?.process_date as string;
  const party = `${person.first_name} ${person.last_name}`;
  const entries = [
    { amount: -700, day, endToEndId: plain(settled.payout_id), party, text: "FRIBBLEWICK" },
  ];
  const statement = { account, from: day, to: day, opening: 0, entries };
  await bank.apply(camt053(statement), connection);
  const returned = { amount: "7.00", payoutId: settled.payout_id, code: "AC04" };
  await bank.apply(
    camt054(account, day, [{ ...returned, creditor: party, remittance: "FRIBBLEWICK" }]),
    connection,
  );

  await disburse.receivers.delete(id);
  const hitId = await insertHit(
    db,
    { subaccountId, receiverId: id },
    {
      explanation: {
        subject: { name: party, dob: person.dob, country: "AUS" },
        listed_name: party,
      },
    },
  );
  await db.pool.query(
    "update screening_hit set status = 'different', decided_at_ms = 1, reason = $2 where id = $1",
    [hitId, `${party} is a singer`],
  );
  await db.transaction(async (tx) => {
    const note = { kind: "hit", objectId: hitId, audience: "reviewers" } as const;
    await insertReviewNote(tx, key, { ...note, who: "operator:a", atMs: 1, note: party });
  });
  const given = { account_type: "I", bsb: "083047", account_number: "55501234" };
  const proposal = { receiver_id: id, aka: holder.aka, ...given };
  const operator = consoleUsers(bank.service)("operator");
  expect((await operator.post(`/s/${subaccountId}/accounts`, proposal)).status).toBe(200);
  const audit = audited(bank, { ...actor, subaccountId });
  const object = { kind: "receiver", id };
  await audit.transaction(
    { action: "review.need-more", object, after: { reason: party } },
    async () => {},
  );
  const other = { kind: "batch", id: newId() };
  await audit.transaction(
    { action: "exception.note", object: other, before: { to: person.email } },
    async () => {},
  );
  // Of another object, without a word of the person: it stays as it is.
  await audit.transaction(
    { action: "payout.recall", object: other, after: { reason: "kept" } },
    async () => {},
  );
  const payload = { id, ...person };
  await db.pool.query(
    `insert into idempotency_key (subaccount_id, key, request_id, request_hash, answer, expires_at_ms)
     values ($1, 'k', $2, 'h', $3, 9e15)`,
    [subaccountId, newId(), JSON.stringify({ message: "done", payload })],
  );
  await db.pool.query(
    `insert into delivery_attempt (subaccount_id, event_id, id, number, detail, took_ms, answer)
     select subaccount_id, id, $2, 1, '', 1, $3 from event where subaccount_id = $1 and receiver_id = $4 limit 1`,
    [subaccountId, newId(), `thanks for ${party}`, id],
  );
  return { ...payer, id, accountId };
}

test("after an erasure no row of any table, and no bank file, has a word of the person", async () => {
  const payer = await writeEverywhere();
  const { subaccountId, id, accountId, disburse } = payer;
  // The phone of the account is only where it is under the key of the receiver.
  const readable = words.filter((word) => word !== holder.home_phone);
  expect(await findWords(bank, words)).toEqual(readable);
  // In each of these places, so that a rule that is missing fails this test.
  expect(await findTables(bank.db, words)).toEqual([
    ...[
      "audit_entry",
      "bank_batch_line",
      "bank_inbound_line",
      "bank_statement_line",
      "delivery_attempt",
      "event",
    ],
    ...["idempotency_key", "kyc_report", "ledger_transfer", "payout", "payout_batch"],
    ...["payout_history", "receiver"],
    ...["receiver_account", "receiver_history", "receiver_word", "review_note", "screening_hit"],
  ]);
  const document = JSON.stringify(await exportPerson(bank, { subaccountId, id }, Date.now()));
  expect(words.filter((word) => !document.includes(word))).toEqual(["Fribblewick"]);
  expect(document).not.toMatch(/singer|screening|hit/i);

  await eraseLater(payer, id);
  expect(await findWords(bank, words)).toEqual([]);

  const erased = await disburse.receivers.get(id);
  expect(erased).toEqual({
    ...Object.fromEntries(Object.keys(erased).map((name) => [name, ""])),
    id,
    status: "inactive",
    kyc_status: "completed",
    created_at: erased.created_at,
    address_data: { address: "", address2: "", state: "", city: "", country: "", postcode: "" },
  });
  const account = await disburse.receiverAccounts.get(accountId);
  expect(account).toMatchObject({
    ...{ first_name: "", email: "", aka: "" },
    bank_account_data: { account_number: "", bank_code: "", bsb: "" },
    account_data: { receiver_accepted: false },
  });
  const { rows } = await bank.db.pool.query(
    `select before, after, redaction_mark is null as whole from audit_entry
     where subaccount_id = $1 and action in ('exception.note', 'payout.recall') order by number`,
    [subaccountId],
  );
  expect(rows).toEqual([
    { before: {}, after: {}, whole: false },
    { before: {}, after: { reason: "kept" }, whole: true },
  ]);
  const { rows: journal } = await bank.db.pool.query(
    "select receiver_id, email_hash from erasure where subaccount_id = $1",
    [subaccountId],
  );
  const email_hash = erasedEmailHash(bank.seal, person.email.toUpperCase());
  expect(journal).toEqual([{ receiver_id: id, email_hash }]);
});

test("a redacted audit entry is verified: what is left of it can't be changed", async () => {
  const payer = await bank.newPayer();
  const { subaccountId } = payer;
  const { receiver_id: id } = payer.to;
  const object = { kind: "receiver", id };
  const note = { action: "review.need-more", object, after: { reason: "seen" } };
  await audited(bank, { ...actor, subaccountId }).transaction(note, async () => {});
  await eraseLater(payer, id);
  const change = async (action: string) => {
    await bank.db.pool.query(
      "update audit_entry set action = $2 where subaccount_id = $1 and redaction_mark is not null",
      [subaccountId, action],
    );
    return (await verifyAudit(bank)).fault?.what;
  };
  expect(await change("receiver.enable")).toBe("it was changed, or never ours");
  expect(await change("review.need-more")).toBeUndefined();
});

test("the API erases a receiver without payouts at once, and its email can be used again", async () => {
  const { disburse, call } = await bank.service.newCaller();
  const other = {
    first_name: "Xanthequil",
    last_name: "Brumblefort",
    email: "xanthe@brumble.example",
    address: "1 Snickerdoodle Row",
  };
  const { receiver_id: id } = await disburse.receivers.create(ada(other));
  const erased = await disburse.receivers.erase(id);
  expect(erased).toEqual({
    receiver_id: id,
    status: "inactive",
    erased_at: expect.stringMatching(/^\d{13}$/),
  });
  expect(await disburse.receivers.erase(id)).toEqual(erased);
  expect(await disburse.receivers.get(id)).toMatchObject({
    ...{ first_name: "", email: "", status: "inactive", kyc_status: "failed" },
  });
  expect(await findWords(bank, Object.values(other))).toEqual([]);

  const codeOf = ({ status, json }: Awaited<ReturnType<typeof call>>) => [
    status,
    json.error?.[0]?.code,
  ];
  const body = { first_name: "Anna" };
  expect(codeOf(await call("PATCH", `/api/receiver/${id}`, { body }))).toEqual([409, "REVR306"]);
  expect(codeOf(await call("DELETE", `/api/receiver/${id}`))).toEqual([409, "REVR306"]);
  const account = { receiver_id: id, account_type: "I", bsb: "083047", account_number: "1111111" };
  expect(codeOf(await call("POST", "/api/receiveraccount", { body: account }))).toEqual([
    ...[400, "REAC211"],
  ]);
  const again = await disburse.receivers.create(ada(other));
  expect(again.receiver_id).not.toBe(id);
  await disburse.receivers.erase(again.receiver_id);
  await expect(disburse.receivers.erase(newId())).rejects.toMatchObject({ code: "REVR101" });
});

test("it is refused while a payout is in progress, a review is open or the legal period stands", async () => {
  const payer = await bank.newPayer();
  const { disburse, subaccountId } = payer;
  const { receiver_id: id } = payer.to;
  const erase = () => disburse.receivers.erase(id);
  const hitId = await insertHit(bank.db, { subaccountId, receiverId: id });
  await expect(erase()).rejects.toMatchObject({ code: "REVR307" });
  // A hit that was confirmed restricts the receiver too.
  const decide = (status: string, atMs: number) =>
    bank.db.pool.query("update screening_hit set status = $2, decided_at_ms = $3 where id = $1", [
      ...[hitId, status, atMs],
    ]);
  await decide("same", Date.now());
  await expect(erase()).rejects.toMatchObject({ code: "REVR307" });
  await decide("different", Date.now());

  await bank.connect(subaccountId);
  const payout = { ...payer.to, amount: 900, currency: "AUD", reference: "PO-1" };
  const { payout_id } = await disburse.payouts.create(payout);
  await expect(erase()).rejects.toMatchObject({ code: "REVR301" });
  await disburse.payouts.cancel(payout_id);
  const days = defaultRetention.payouts + 1;
  const from = new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
  await expect(erase()).rejects.toMatchObject({
    code: "REVR308",
    message: expect.stringContaining(`the receiver can be erased from ${from}`),
  });
  expect(await disburse.receivers.get(id)).toMatchObject({ status: "active" });
  // Seven years later nothing refuses it.
  await eraseLater(payer, id);
  expect(await disburse.receivers.get(id)).toMatchObject({ status: "inactive", last_name: "" });
});
