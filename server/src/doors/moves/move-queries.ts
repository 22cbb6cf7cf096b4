// The SQL of a move's record: its step in each cell, and until when work and writes stop.

import { type Db, type Runner, statement, type Tx } from "../../platform/db/index.ts";
import type { MoveStep } from "./move.ts";

export type MoveRow = {
  subaccount_id: string;
  id: string;
  side: "source" | "target";
  step: MoveStep;
  other_cell: string;
  has_moved: boolean;
  facts: Record<string, unknown>;
  /** The writes of the subaccount are refused now. */
  is_frozen: boolean;
};

const nowMs = "(extract(epoch from clock_timestamp()) * 1000)::bigint";

const find = statement<MoveRow>(
  "move-find",
  `select subaccount_id, id, side, step, other_cell, has_moved, facts, writes_stop_until_ms > ${nowMs} as is_frozen
   from subaccount_move where subaccount_id = $1`,
);

export async function findMove(db: Runner, subaccountId: string): Promise<MoveRow | undefined> {
  return (await db.run(find, [subaccountId]))[0];
}

type NewMove = Pick<MoveRow, "id" | "side" | "step" | "other_cell"> & {
  subaccountId: string;
  /** For the work and the writes of the subaccount. 0: both go on. */
  stopsUntilMs: number;
};

const insert = statement<never>(
  "move-insert",
  `insert into subaccount_move (subaccount_id, id, side, step, other_cell, work_stops_until_ms, writes_stop_until_ms,
     started_at_ms, changed_at_ms)
   values ($1, $2, $3, $4, $5, $6, $6, ${nowMs}, ${nowMs}) on conflict do nothing`,
);

/** Leaves a record that is there as it is. */
export async function insertMove(db: Runner, move: NewMove): Promise<void> {
  const { subaccountId, id, side, step, other_cell, stopsUntilMs } = move;
  await db.run(insert, [subaccountId, id, side, step, other_cell, stopsUntilMs]);
}

const setStep = statement<never>(
  "move-step",
  `update subaccount_move set step = $2, facts = facts || $3::jsonb, changed_at_ms = ${nowMs}
   where subaccount_id = $1`,
);

export async function updateMoveStep(
  db: Runner,
  subaccountId: string,
  step: MoveStep,
  facts: object = {},
): Promise<void> {
  await db.run(setStep, [subaccountId, step, JSON.stringify(facts)]);
}

const stopWork = statement<never>(
  "move-stop-work",
  `update subaccount_move set work_stops_until_ms = ${nowMs} + $2, changed_at_ms = ${nowMs}
   where subaccount_id = $1 and not has_moved`,
);

/** Background work of the source skips the subaccount from now on, until the time is over. */
export async function stopMoveWork(db: Runner, subaccountId: string, forMs: number): Promise<void> {
  await db.run(stopWork, [subaccountId, forMs]);
}

const lockExclusively = statement<never>(
  "move-lock",
  // As the trigger does, which takes it shared, for the same subaccount_id.
  `select set_config('lock_timeout', $2, true), pg_advisory_xact_lock(4242003, hashtext($1::uuid::text))`,
);

/** Waits for every transaction that has written rows of the subaccount. Until this one ends, no other can write any. */
export async function lockMoveWrites(tx: Tx, subaccountId: string, waitMs: number): Promise<void> {
  await tx.run(lockExclusively, [subaccountId, `${waitMs}ms`]);
}

const freeze = statement<{ frozen_at_ms: number }>(
  "move-freeze",
  `update subaccount_move
   set step = 'frozen', work_stops_until_ms = ${nowMs} + $2, writes_stop_until_ms = ${nowMs} + $2,
       changed_at_ms = ${nowMs}
   where subaccount_id = $1 and not has_moved
   returning changed_at_ms::float8 as frozen_at_ms`,
);

/** Under the lock. Returns the time of the database. */
export async function freezeMove(tx: Tx, subaccountId: string, forMs: number): Promise<number> {
  const [row] = await tx.run(freeze, [subaccountId, forMs]);
  if (!row) throw new Error("there is no move to freeze");
  return row.frozen_at_ms;
}

const thaw = statement<never>(
  "move-thaw",
  `update subaccount_move
   set step = 'following', work_stops_until_ms = 0, writes_stop_until_ms = 0, changed_at_ms = ${nowMs}
   where subaccount_id = $1 and side = 'source' and not has_moved and step in ('draining', 'frozen')`,
);

/** The source goes on, and the target follows. */
export async function thawMove(tx: Tx, subaccountId: string): Promise<void> {
  await tx.run(thaw, [subaccountId]);
}

const giveUp = statement<{ subaccount_id: string }>(
  "move-give-up",
  // Only while the freeze is valid: after it, the source may have written more.
  `update subaccount_move
   set step = 'moved', has_moved = true, work_stops_until_ms = $2, writes_stop_until_ms = $2,
       facts = facts || $3::jsonb, changed_at_ms = ${nowMs}
   where subaccount_id = $1 and side = 'source' and step = 'frozen' and writes_stop_until_ms > ${nowMs}
   returning subaccount_id`,
);

/** Under the lock. False: the freeze has expired. */
export async function giveUpSubaccount(
  tx: Tx,
  subaccountId: string,
  { untilMs, facts }: { untilMs: number; facts: object },
): Promise<boolean> {
  return (await tx.run(giveUp, [subaccountId, untilMs, JSON.stringify(facts)])).length > 0;
}

const takeOver = statement<{ changed_at_ms: number }>(
  "move-take-over",
  `update subaccount_move
   set step = 'moved', work_stops_until_ms = 0, writes_stop_until_ms = 0, changed_at_ms = ${nowMs}
   where subaccount_id = $1 and side = 'target' and step <> 'moved'
   returning changed_at_ms::float8`,
);

/** The target works with the subaccount from the commit on. Undefined: it does already. */
export async function takeOverSubaccount(
  tx: Tx,
  subaccountId: string,
): Promise<number | undefined> {
  return (await tx.run(takeOver, [subaccountId]))[0]?.changed_at_ms;
}

const remove = statement<never>(
  "move-delete",
  `with marker as (delete from subaccount_move_marker where subaccount_id = $1)
   delete from subaccount_move where subaccount_id = $1`,
);

export async function deleteMove(db: Runner, subaccountId: string): Promise<void> {
  await db.run(remove, [subaccountId]);
}

const lockName = "4242004, hashtext($1::uuid::text)";

/** One command at a time moves a subaccount. Undefined: another one does. Call the function to release it. */
export async function holdMove({ pool }: Db, subaccountId: string) {
  const client = await pool.connect();
  const name = [subaccountId];
  const { rows } = await client.query<{ is_ours: boolean }>(
    `select pg_try_advisory_lock(${lockName}) as is_ours`,
    name,
  );
  if (!rows[0]?.is_ours) {
    client.release();
    return undefined;
  }
  // PostgreSQL notices the end of a connection later, and the next command would be refused until then. A connection that
  // fails here ends, and its lock with it.
  return async () => {
    const unlocked = client.query(`select pg_advisory_unlock(${lockName})`, name);
    await unlocked.then(
      () => client.release(),
      () => client.release(true),
    );
  };
}
