// Applying a bank's return file, against PostgreSQL alone: one transaction that updates and inserts the same rows.

import { applyInbound } from "../../server/src/banking/inbound-files/inbound.ts";
import {
  addBankPayouts,
  amount,
  type BankSide,
  freezeAll,
  measureBankWork,
  railSql,
  sendBatch,
  timeInPgbench,
} from "../bank-side.ts";
import type { Measure } from "../measure.ts";

let files = 0;

export const measureBankReturns: Measure = (bench) =>
  measureBankWork(bench, {
    title: "Applying return files of banks",
    verb: "returned",
    databases: "bank_returns",
    async run(side, count) {
      files += 1;
      // A reference that came before would be a report that came before.
      const prefix = `F${files}-`;
      const window = await addBankPayouts(side, count, { stage: "queued", prefix });
      const batchId = await freezeAll(side, window);
      const date = await sendBatch(side, batchId);
      const references = Array.from({ length: count }, (_, index) => `${prefix}${index + 1}`);
      const bytes = Buffer.from(returnFile(references, date));
      const { db } = side.database;
      const request = { name: "returns.aba", who: "bench", atMs: Date.now() };
      const startMs = performance.now();
      const { file } = await applyInbound({ db, seal: side.seal }, bytes, request);
      const tookMs = performance.now() - startMs;
      if (file.applied !== count) throw new Error(`${file.applied} of ${count} were returned`);
      return tookMs;
    },
    async runInPgbench(pgbench, side, count) {
      await addBankPayouts(side, count, { stage: "submitted" });
      return timeInPgbench(pgbench, bench.postgres, side, returning(side, count));
    },
  });

/** An ABA return file. The accounts are swapped: ours is first. */
function returnFile(references: readonly string[], date: string): string {
  const [year = "", month = "", day = ""] = date.split("-");
  const money = (cents: number) => String(cents).padStart(10, "0");
  const records = references.map((reference) =>
    [
      `2062-000${"12345678".padStart(9)}550${money(amount)}`,
      "ADA LOVELACE".padEnd(32),
      reference.padEnd(18),
      `062-000${"12345999".padStart(9)}`,
      "ACME PAYOUTS".padEnd(16),
      `${day}301500`,
    ].join(""),
  );
  const header =
    `0${" ".repeat(17)}01CBA${" ".repeat(7)}${"CBA RETURNS".padEnd(26)}301500${"RETURNS".padEnd(12)}` +
    `${day}${month}${year.slice(2)}${" ".repeat(40)}`;
  const total = money(amount * references.length);
  const count = String(references.length).padStart(6, "0");
  const trailer = `7999-999${" ".repeat(12)}${total}${total}${money(0)}${" ".repeat(24)}${count}${" ".repeat(40)}`;
  return [header, ...records, trailer, ""].join("\r\n");
}

/** The payouts are moved; their history, events, three transfers each and the lines of the file are inserted. */
function returning(side: BankSide, count: number): string[] {
  const { connection, payer } = side;
  const { subaccountId } = payer.caller;
  const rail = railSql(side);
  // As long as the body of a payoutFailure event.
  const body = `repeat('x', ${eventBodyChars})`;
  return [
    "with file as (insert into bank_inbound_file (id, connection_id, sha256, name, format, bytes, received_at_ms, " +
      "received_by, lines, applied, noted, suspended, repeated) select uuidv7(), " +
      `'${connection.id}', uuidv7()::text, 'returns.aba', 'aba', 1, 1, 'bench', ${count}, ${count}, 0, 0, 0 returning id), ` +
      "moved as (update payout p set status = 'failed', stage = 'returned', cause = 'Account closed', cause_code = '5', " +
      "updated_at_ms = 1, due_at_ms = null, history_entries = p.history_entries + 1 " +
      `where p.subaccount_id = '${subaccountId}' and p.rail = ${rail} and p.stage = 'submitted' ` +
      "returning p.subaccount_id, p.id, p.amount, p.reference), " +
      "history as (insert into payout_history (subaccount_id, payout_id, id, number, at_ms, who, from_status, to_status, " +
      "from_stage, to_stage, reason) select subaccount_id, id, uuidv7(), 2, 1, 'bench', 'pending', 'failed', 'submitted', " +
      "'returned', 'Account closed' from moved), " +
      "events as (insert into event (subaccount_id, id, order_key, type, body, created_at_ms, wanted) select " +
      `subaccount_id, uuidv7(), id, 'payoutFailure', ${body}, 1, false from moved), ` +
      "lines as (insert into bank_inbound_line (file_id, connection_id, number, line, item_key, kind, code, bank_text, " +
      "reference, day, amount, currency, subaccount_id, payout_id, outcome, detail) select file.id, " +
      `'${connection.id}', row_number() over (order by m.id), 1, md5(m.id::text), 'return', '5', '', m.reference, ` +
      "'2026-01-01', m.amount, 'AUD', m.subaccount_id, m.id, 'applied', 'return_early' from moved m, file), " +
      "balance as (update ledger_balance b set transfers = b.transfers + 3 * s.count, clearing = b.clearing - s.amount, " +
      "available = b.available + s.amount from (select count(*) as count, sum(amount)::bigint as amount from moved) s " +
      `where b.subaccount_id = '${subaccountId}' and b.currency = 'AUD' ` +
      "returning b.transfers - 3 * s.count as transfers, b.available) " +
      "insert into ledger_transfer (subaccount_id, currency, number, id, debit, credit, amount, kind, payout_id, reference, " +
      "available_after, held_after, created_at_ms, created_by) select m.subaccount_id, 'AUD', b.transfers + row_number() " +
      "over (order by m.id, t.step), uuidv7(), t.debit, t.credit, m.amount, t.kind, m.id, m.reference, b.available, 0, 1, " +
      `'bench' from moved m, balance b, (values (1, 'settle', 'clearing' || chr(58) || ${rail}, 'bank' || chr(58) || ${rail}), ` +
      `(2, 'return', 'bank' || chr(58) || ${rail}, 'returns'), (3, 'credit', 'returns', 'available')) t(step, kind, debit, credit);`,
  ];
}

const eventBodyChars = 330;
