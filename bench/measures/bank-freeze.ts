// Freezing payouts into a bank file, against PostgreSQL alone: one transaction that updates and inserts the same rows.

import {
  addBankPayouts,
  type BankSide,
  freezeAll,
  measureBankWork,
  railSql,
  timeInPgbench,
} from "../bank-side.ts";
import type { Measure } from "../measure.ts";

export const measureBankFreeze: Measure = (bench) =>
  measureBankWork(bench, {
    title: "Freezing payouts into bank files",
    verb: "frozen",
    databases: "bank_freeze",
    async run(side, count) {
      const window = await addBankPayouts(side, count, { stage: "queued" });
      const startMs = performance.now();
      await freezeAll(side, window);
      return performance.now() - startMs;
    },
    async runInPgbench(pgbench, side, count) {
      await addBankPayouts(side, count, { stage: "queued" });
      return timeInPgbench(pgbench, bench.postgres, side, freezing(side));
    },
  });

/** The payouts are moved, and their history, transfers and lines are inserted. */
function freezing(side: BankSide): string[] {
  const { connection, payer } = side;
  const whose = `subaccount_id = '${payer.caller.subaccountId}'`;
  const rail = railSql(side);
  return [
    "with batch as (insert into bank_batch (id, connection_id, sequence, status, process_date, cutoff_ms, payouts, " +
      `total, currency, file_name, file_sha256, file_bytes, frozen_at_ms, frozen_by) select uuidv7(), '${connection.id}', ` +
      "files + 1, 'frozen', '', 0, 1, 1, 'AUD', '', '', 0, 0, 'bench' from bank_connection returning id), " +
      "counted as (update bank_connection set files = files + 1), " +
      "moved as (update payout p set stage = 'batched', due_at_ms = null, updated_at_ms = 1, bank_batch_id = batch.id, " +
      `history_entries = p.history_entries + 1 from batch where p.${whose} and p.rail = ${rail} and p.stage = 'queued' ` +
      "and p.process_date <> '' returning p.subaccount_id, p.id, p.amount, p.reference, batch.id as batch_id), " +
      "history as (insert into payout_history (subaccount_id, payout_id, id, number, at_ms, who, from_status, to_status, " +
      "from_stage, to_stage, reason) select subaccount_id, id, uuidv7(), 2, 1, 'bench', 'pending', 'pending', 'queued', " +
      "'batched', 'frozen into a file of Bench' from moved), " +
      "lines as (insert into bank_batch_line (subaccount_id, payout_id, batch_id, line, file_reference) select " +
      "subaccount_id, id, batch_id, row_number() over (order by id), reference from moved), " +
      "balance as (update ledger_balance b set transfers = b.transfers + s.count, held = b.held - s.amount, " +
      "clearing = b.clearing + s.amount from (select count(*) as count, sum(amount)::bigint as amount from moved) s " +
      `where b.${whose} and b.currency = 'AUD' returning b.transfers - s.count as transfers, b.held) ` +
      "insert into ledger_transfer (subaccount_id, currency, number, id, debit, credit, amount, kind, payout_id, reference, " +
      "available_after, held_after, created_at_ms, created_by) select m.subaccount_id, 'AUD', b.transfers + row_number() " +
      `over (order by m.id), uuidv7(), 'held', 'clearing' || chr(58) || ${rail}, m.amount, 'submit', m.id, m.reference, 0, ` +
      "b.held, 1, 'bench' from moved m, balance b;",
  ];
}
