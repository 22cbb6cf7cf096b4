// The SQL of the calendar: the bank files of a connection by process date.

import { type Runner, statement } from "../../../platform/db/index.ts";

type ProcessDateFiles = { process_date: string; files: number; payouts: string; total: string };

const byProcessDate = statement<ProcessDateFiles>(
  "bank-batch-process-dates",
  `select process_date, count(*)::int as files, sum(payouts)::text as payouts, sum(total)::text as total
   from bank_batch
   where connection_id = $1 and process_date >= $2 and process_date <= $3 and status not in ('discarded', 'rejected')
   group by process_date order by process_date`,
);

/** Both days included. */
export function listProcessDates(
  db: Runner,
  connectionId: string,
  { from, to }: { from: string; to: string },
): Promise<ProcessDateFiles[]> {
  return db.run(byProcessDate, [connectionId, from, to]);
}
