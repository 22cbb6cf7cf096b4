// A rotation: a new data key is announced, every process loads it, every process writes with it, and then all values
// under other keys are encrypted again. Each step is committed, so an interrupted rotation goes on where it stopped.

import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import {
  type DataKeyRow,
  databaseTimeMs,
  findKeys,
  insertDataKey,
  type KeyServices,
  listDataKeys,
  listProcessesBehind,
  lockRotation,
  notifyOfDataKeys,
  runOn,
  updateCurrentKey,
  updateOldKeysEmptied,
  updateValuesLeft,
} from "../../platform/data-keys/index.ts";
import { type Db, oldestTransactionMs, type Runner } from "../../platform/db/index.ts";
import {
  dataKeyId,
  type KeyRing,
  masterKeyBytes,
  ofPersonKeys,
  type Seal,
} from "../../platform/encryption/index.ts";
import { type Actor, audited } from "../../tenants/audit/index.ts";
import { encryptedColumns } from "./encrypted-columns.ts";
import { countByKey, reencryptColumn } from "./walk.ts";

/** Longer than a process needs to open a lost session again and to load the keys. */
const settledMs = 1_500;
const checkMs = 100;
/** A transaction that takes longer than this is not waited for: the last walk finds what it wrote. */
const transactionWaitMs = 60_000;
const leftEveryMs = 1_000;

export type RotationStep =
  | { kind: "resumed" | "announced" | "current"; key: string }
  | { kind: "waiting"; processes: number }
  | { kind: "counted"; values: number }
  | { kind: "encrypted"; values: number };

export type Rotation = {
  db: Db;
  seal: Seal;
  ring: KeyRing;
  services: KeyServices;
  actor: Actor;
  signal: AbortSignal;
  onStep: (step: RotationStep) => void;
};

type Session = Pick<Runner, "run">;
/** With the session that holds the lock. */
type LockedRotation = Rotation & { session: Session };

export type Rotated = {
  key: string;
  reencrypted: number;
  /** Null: they were not counted. */
  under_old_keys: number | null;
  unreadable: string[];
  isStopped: boolean;
};

export class RotationError extends Error {}

/** Goes on with a rotation that was interrupted, or begins one. Stopped by its signal, it can be called again. */
export function rotateDataKeys(rotation: Rotation): Promise<Rotated> {
  return withRotationLock(rotation.db, (session, lost) =>
    // Without its lock, another rotation may run.
    rotateLocked({ ...rotation, session, signal: AbortSignal.any([rotation.signal, lost]) }),
  );
}

/** One change of the keys at a time, in all processes. The lock ends with the session, also of a killed process. */
export async function withRotationLock<T>(
  db: Db,
  work: (session: Session, lost: AbortSignal) => Promise<T>,
): Promise<T> {
  const client = await db.openClient();
  const lost = new AbortController();
  client.on("end", () => lost.abort());
  try {
    const session = runOn(client);
    if (!(await lockRotation(session))) {
      throw new RotationError(
        "Another process changes the data keys now: a rotation, or a rewrap.",
      );
    }
    const done = await work(session, lost.signal);
    if (lost.signal.aborted) {
      throw new RotationError("The connection was lost. Run the command again to go on.");
    }
    return done;
  } finally {
    await client.end().catch(() => {});
  }
}

async function rotateLocked(rotation: LockedRotation): Promise<Rotated> {
  const { db, ring, signal, onStep } = rotation;
  const loading = {
    db,
    signal,
    onWait: (processes: number) => onStep({ kind: "waiting", processes }),
  };
  const rows = await listDataKeys(db);
  const announced = rows.find(({ state }) => state === "announced");
  const current = rows.find(({ state }) => state === "current");
  const isUnfinished = rows.some(({ state, emptied_at }) => state === "old" && !emptied_at);
  let key: string;
  if (announced || (isUnfinished && current)) {
    key = (announced ?? current)?.id as string;
    onStep({ kind: "resumed", key });
  } else {
    key = await announceKey(rotation, rows);
    onStep({ kind: "announced", key });
  }
  const stopped = { key, reencrypted: 0, under_old_keys: null, unreadable: [], isStopped: true };
  if (key !== current?.id) {
    // All can read with the key before any writes with it.
    if (!(await untilLoaded(loading, () => ring.has(key)))) return stopped;
    await switchTo(rotation, key);
    onStep({ kind: "current", key });
  }
  // From then on no new value is under another key, apart from transactions that are open.
  if (!(await untilLoaded(loading, () => ring.writing.id === key))) return stopped;
  await untilTransactionsEnd(rotation);
  const seen = await reencryptAll(rotation);
  if (!signal.aborted && seen.under_old_keys === 0) await finish(rotation, key, seen.reencrypted);
  return { key, ...seen, isStopped: signal.aborted };
}

async function announceKey(rotation: Rotation, rows: readonly DataKeyRow[]): Promise<string> {
  const { ring, services } = rotation;
  let bytes: Buffer;
  do bytes = randomBytes(masterKeyBytes);
  while (ring.has(dataKeyId(bytes)));
  const id = dataKeyId(bytes);
  const wrapped = await services.wrap(bytes);
  const original = rows.length === 0 ? await services.wrap(ring.original) : undefined;
  await audited(rotation, rotation.actor).transaction(
    {
      action: "master_key.rotate_start",
      object: { kind: "data_key", id },
      before: { key: ring.writing.id },
    },
    async (tx) => {
      if (original) {
        const first = { id: ring.originalId, wrapped: original, is_original: true };
        await insertDataKey(tx, { ...first, state: "current" });
      }
      const isNew = await insertDataKey(tx, {
        ...{ id, wrapped, is_original: false },
        state: "announced",
      });
      if (!isNew) throw new Error("a data key is announced already");
      await notifyOfDataKeys(tx);
    },
  );
  return id;
}

async function switchTo({ db }: Rotation, id: string): Promise<void> {
  await db.transaction(async (tx) => {
    await updateCurrentKey(tx, id);
    await notifyOfDataKeys(tx);
  });
}

/**
 * Waits until no process holds the lock of an older generation, and for as long as a process may need that has lost its
 * session. False: it was stopped.
 */
export async function untilLoaded(
  { db, signal, onWait }: Pick<Rotation, "db" | "signal"> & { onWait: (processes: number) => void },
  isLoadedHere: () => boolean,
): Promise<boolean> {
  let sinceMs = performance.now();
  let said = 0;
  while (!signal.aborted) {
    const { generation } = await findKeys(db);
    const behind = await listProcessesBehind(db, generation);
    if (behind.length > 0 || !isLoadedHere()) {
      sinceMs = performance.now();
      const left = Math.max(behind.length, 1);
      if (left !== said) onWait(left);
      said = left;
    } else if (performance.now() - sinceMs > settledMs) return true;
    await sleep(checkMs);
  }
  return false;
}

/** Transactions that began before every process had the key may still write values that they encrypted earlier. */
export async function untilTransactionsEnd({
  session,
  signal,
}: Pick<LockedRotation, "session" | "signal">): Promise<void> {
  const loadedMs = await databaseTimeMs(session);
  const endMs = performance.now() + transactionWaitMs;
  while (!signal.aborted && performance.now() < endMs) {
    const oldestMs = await oldestTransactionMs(session);
    if (oldestMs === undefined || oldestMs > loadedMs) return;
    await sleep(checkMs);
  }
}

type Encrypted = Pick<Rotated, "reencrypted" | "under_old_keys" | "unreadable">;

/** Walks until a whole walk has found nothing to do. */
async function reencryptAll(rotation: Rotation): Promise<Encrypted> {
  const { db, signal, onStep } = rotation;
  let left = await countOthers(rotation);
  if (signal.aborted) return { reencrypted: 0, under_old_keys: null, unreadable: [] };
  onStep({ kind: "counted", values: left });
  await updateValuesLeft(db, left);
  let writtenMs = performance.now();
  let reencrypted = 0;
  const onPortion = async (values: number) => {
    reencrypted += values;
    left -= values;
    onStep({ kind: "encrypted", values: reencrypted });
    if (performance.now() - writtenMs < leftEveryMs) return;
    writtenMs = performance.now();
    await updateValuesLeft(db, Math.max(left, 1));
  };
  for (;;) {
    let found = 0;
    const unreadable: string[] = [];
    for (const column of encryptedColumns) {
      const walked = await reencryptColumn({ ...rotation, onPortion }, column);
      found += walked.found;
      unreadable.push(...walked.unreadable);
    }
    if (!signal.aborted && found > unreadable.length) continue;
    const under_old_keys = signal.aborted ? Math.max(left, 1) : found;
    await updateValuesLeft(db, under_old_keys);
    return { reencrypted, under_old_keys, unreadable };
  }
}

async function countOthers(rotation: Rotation): Promise<number> {
  let others = 0;
  for (const column of encryptedColumns) {
    for (const [id, values] of await countByKey(rotation, column)) {
      if (id !== rotation.ring.writing.id && id !== ofPersonKeys) others += values;
    }
  }
  return others;
}

async function finish(rotation: Rotation, id: string, reencrypted: number): Promise<void> {
  await audited(rotation, rotation.actor).transaction(
    {
      action: "master_key.rotate_end",
      object: { kind: "data_key", id },
      after: { reencrypted, under_old_keys: 0 },
    },
    async (tx) => {
      await updateOldKeysEmptied(tx);
      await notifyOfDataKeys(tx);
    },
  );
}
