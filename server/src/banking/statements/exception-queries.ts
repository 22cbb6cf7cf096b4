// The SQL of exceptions: files that the bank has not debited, and the notes of users.

import { type Runner, statement, type Tx } from "../../platform/db/index.ts";

type UnpaidBatch = { id: string; process_date: string; file_name: string; amount: string };

const unpaid = statement<UnpaidBatch>(
  "bank-batches-unpaid",
  `select * from (
     select b.id, b.process_date, b.file_name,
            b.total
            - coalesce((select sum(coalesce(p.sent_amount, p.amount)) from bank_batch_line l
                        join payout p on p.subaccount_id = l.subaccount_id and p.id = l.payout_id
                        where b.status in ('partly_rejected', 'rejected') and l.batch_id = b.id
                          and p.stage = 'rejected'), 0)::bigint
            + coalesce((select sum(m.amount) from bank_match m
                        where m.batch_id = b.id and m.kind in ('batch', 'payout') and not m.is_undone), 0)::bigint as amount
     from bank_batch b
     where b.connection_id = $1 and b.process_date <= $2 and b.sent_at_ms is not null and b.status <> 'discarded'
       and b.process_date >= (select min(s.from_day) from bank_statement s where s.connection_id = $1 and s.from_day <> '')
   ) batch where amount > 0 order by process_date, id limit $3`,
);

/** Files that were sent, since statements are kept, and what the bank has not debited of them. */
export function listUnpaidBatches(
  db: Runner,
  page: { connectionId: string; toDay: string; limit: number },
): Promise<UnpaidBatch[]> {
  return db.run(unpaid, [page.connectionId, page.toDay, page.limit]);
}

export type ExceptionNote = { owner: string; note: string };

const notesOf = statement<ExceptionNote & { item: string }>(
  "bank-exception-notes",
  `select distinct on (item) item, owner, note from bank_exception_note where item = any($1)
   order by item, number desc`,
);

/** The newest of each. */
export async function findNotes(
  db: Runner,
  items: readonly string[],
): Promise<ReadonlyMap<string, ExceptionNote>> {
  const rows = await db.run(notesOf, [items]);
  return new Map(rows.map(({ item, owner, note }) => [item, { owner, note }]));
}

const insertNote = statement<never>(
  "bank-exception-note-insert",
  `insert into bank_exception_note (item, number, owner, note, at_ms, who)
   select $1, coalesce(max(number), 0) + 1, $2, $3, $4, $5 from bank_exception_note where item = $1`,
);

export async function addExceptionNote(
  tx: Tx,
  item: string,
  { owner, note, atMs, who }: ExceptionNote & { atMs: number; who: string },
): Promise<void> {
  await tx.run(insertNote, [item, owner, note, atMs, who]);
}
