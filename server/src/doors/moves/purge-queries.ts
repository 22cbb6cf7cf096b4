// The SQL that deletes the rows of a subaccount that has moved away, or whose move was abandoned.

import { type Db, type Runner, statement } from "../../platform/db/index.ts";
import { columnOf, type MovedTable } from "./tables.ts";

const pageMax = 5_000;

/** Returns how many rows were deleted. The guards let them pass for this transaction only. */
export async function deletePage(
  { pool }: Db,
  moved: MovedTable,
  subaccountId: string,
): Promise<number> {
  const client = await pool.connect();
  try {
    // Many tables refer to payouts, so a page of them can take longer than a statement of the service may.
    await client.query("begin; set local statement_timeout = 0");
    await client.query("select set_config('disburse.deletes_moved', $1, true)", [subaccountId]);
    // By their places, which is the fastest. In another partition the same place may be a row of the subaccount too,
    // and all of them go.
    const column = columnOf(moved);
    const { rowCount } = await client.query(
      `delete from ${moved.table} where ${column} = $1
         and ctid = any(array(select ctid from ${moved.table} where ${column} = $1 limit ${pageMax}))`,
      [subaccountId],
    );
    await client.query("commit");
    return rowCount ?? 0;
  } catch (error) {
    await client.query("rollback").catch(() => {});
    throw error;
  } finally {
    client.release();
  }
}

const obstacles = statement<{ bank_rows: number; users: number }>(
  "move-purge-obstacles",
  `select (select count(*)::int from (
             (select 1 from bank_batch_line where subaccount_id = $1 limit 1)
             union all (select 1 from bank_inbound_line where subaccount_id = $1 limit 1)
             union all (select 1 from bank_recall where subaccount_id = $1 limit 1)) rows) as bank_rows,
          (select count(*)::int from console_user u where u.subaccount_id = $1) as users`,
);

/** Rows that must stay and refer to rows of the subaccount. */
export async function readPurgeObstacles(
  db: Runner,
  subaccountId: string,
): Promise<{ bank_rows: number; users: number }> {
  return (await db.run(obstacles, [subaccountId]))[0] ?? { bank_rows: 0, users: 0 };
}

/** Rows of tables that stay behind in a move, and that nothing needs without the subaccount. */
const leftBehind = [
  "payout_count",
  "payout_count_fill",
  "payout_word",
  "receiver_word",
  "review_assignment",
  "review_vote",
  "screening_record",
  "screening_walk",
  "search_progress",
  "subaccount_word",
  "user_subaccount",
];

export async function deleteLeftBehind({ pool }: Db, subaccountId: string): Promise<void> {
  for (const table of leftBehind) {
    await pool.query(`delete from ${table} where subaccount_id = $1`, [subaccountId]);
  }
}
