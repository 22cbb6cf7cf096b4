// Every SQL statement about data keys, and about the processes that have loaded them.

import type pg from "pg";
import { type Runner, statement, type Tx } from "../db/index.ts";

export type DataKeyRow = {
  id: string;
  wrapped: string;
  state: "announced" | "current" | "old";
  is_original: boolean;
  generation: string;
  created_at: Date;
  emptied_at: Date | null;
  values_left: string | null;
};

type Running = Pick<Runner, "run">;

export const dataKeyChannel = "disburse_data_keys";
/** The first key of an advisory lock. The second is the generation that the holder has loaded. */
const generationLockClass = 4_243;
const rotationLock = [4_244, 1];

const list = statement<DataKeyRow>(
  "data-key-list",
  `select id, wrapped, state, is_original, generation, created_at, emptied_at, values_left
   from data_key order by is_original desc, created_at, id`,
);

/** The original first, then the oldest. */
export function listDataKeys(db: Running): Promise<DataKeyRow[]> {
  return db.run(list);
}

/** What a process loads. `generation` is 0 before the first key. */
export type LoadedKeys = { rows: DataKeyRow[]; generation: number };

export async function findKeys(db: Running): Promise<LoadedKeys> {
  const rows = await listDataKeys(db);
  return { rows, generation: Math.max(0, ...rows.map(({ generation }) => Number(generation))) };
}

const nextGeneration = "(select coalesce(max(generation), 0) + 1 from data_key)";

const insert = statement<{ id: string }>(
  "data-key-insert",
  `insert into data_key (id, wrapped, state, is_original, generation)
   values ($1, $2, $3, $4, ${nextGeneration}) on conflict do nothing returning id`,
);

type NewDataKey = Pick<DataKeyRow, "id" | "wrapped" | "state" | "is_original">;

/** False: there is such a key, or another one in a state of which there is only one. */
export async function insertDataKey(db: Running, key: NewDataKey): Promise<boolean> {
  const rows = await db.run(insert, [key.id, key.wrapped, key.state, key.is_original]);
  return rows.length > 0;
}

const retire = statement<never>(
  "data-key-retire",
  "update data_key set state = 'old', values_left = null where state = 'current'",
);
const promote = statement<{ id: string }>(
  "data-key-promote",
  `update data_key set state = 'current', generation = ${nextGeneration}
   where id = $1 and state = 'announced' returning id`,
);

/** The announced key becomes the current one, and the one before an old key. */
export async function updateCurrentKey(tx: Tx, id: string): Promise<void> {
  await tx.run(retire);
  const promoted = await tx.run(promote, [id]);
  if (promoted.length === 0) throw new Error("the announced data key is gone");
}

const rewrap = statement<never>(
  "data-key-rewrap",
  "update data_key set wrapped = $2 where id = $1",
);

export async function updateWrapped(tx: Tx, id: string, wrapped: string): Promise<void> {
  await tx.run(rewrap, [id, wrapped]);
}

const empty = statement<never>(
  "data-key-empty",
  "update data_key set emptied_at = now() where state = 'old' and emptied_at is null",
);

/** No value is under an old key any more. */
export async function updateOldKeysEmptied(tx: Tx): Promise<void> {
  await tx.run(empty);
}

const setLeft = statement<never>(
  "data-key-values-left",
  "update data_key set values_left = $1 where state = 'current'",
);

export async function updateValuesLeft(db: Running, count: number): Promise<void> {
  await db.run(setLeft, [count]);
}

const notify = statement<never>("data-key-notify", "select pg_notify($1, '')");

/** After the commit, every process loads the keys. */
export async function notifyOfDataKeys(db: Running): Promise<void> {
  await db.run(notify, [dataKeyChannel]);
}

const lock = statement<never>("data-key-lock", "select pg_advisory_lock_shared($1, $2)");
const unlock = statement<never>("data-key-unlock", "select pg_advisory_unlock_shared($1, $2)");

/** Says that this session's process has loaded the keys up to a generation. */
export async function lockGeneration(session: Running, generation: number): Promise<void> {
  await session.run(lock, [generationLockClass, generation]);
}

export async function unlockGeneration(session: Running, generation: number): Promise<void> {
  await session.run(unlock, [generationLockClass, generation]);
}

const behind = statement<{ pid: number; since: Date }>(
  "data-key-processes-behind",
  `select l.pid, a.backend_start as since
   from pg_locks l join pg_stat_activity a using (pid)
   where l.locktype = 'advisory' and l.granted and l.classid = $1 and l.objid::bigint < $2 and l.objsubid = 2
     and l.database = (select oid from pg_database where datname = current_database())
   order by a.backend_start`,
);

/** Sessions of processes that have not loaded this generation yet. */
export function listProcessesBehind(db: Running, generation: number) {
  return db.run(behind, [generationLockClass, generation]);
}

const takeRotation = statement<{ taken: boolean }>(
  "data-key-rotation-lock",
  "select pg_try_advisory_lock($1, $2) as taken",
);

const loginRole = statement<never>("data-key-login-role", "set role none");

/**
 * Held until the session ends. False: another rotation runs. The session then has the login role, because the role of the
 * service can't see the names and transactions of other sessions.
 */
export async function lockRotation(session: Running): Promise<boolean> {
  await session.run(loginRole);
  return (await session.run(takeRotation, rotationLock))[0]?.taken ?? false;
}

const clock = statement<{ now_ms: string }>(
  "data-key-clock",
  "select (extract(epoch from clock_timestamp()) * 1000)::bigint as now_ms",
);

/** By the clock of the database, as the start of a transaction is. */
export async function databaseTimeMs(db: Running): Promise<number> {
  return Number((await db.run(clock))[0]?.now_ms);
}

/** Runs statements on a connection of its own. */
export function runOn(client: pg.Client): Running {
  return {
    async run({ name, text }, values = []) {
      return (await client.query({ name, text, values })).rows;
    },
  };
}
