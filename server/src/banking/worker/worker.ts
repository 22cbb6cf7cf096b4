// The bank worker: freezes each connection's batch at its time, sends approved files, polls for files from banks, and
// settles sent payouts that no return has reached.

import { movePayoutsOfMany, toPayoutMove } from "../../money/payouts/index.ts";
import type { RailDirectory } from "../../money/rails/index.ts";
import type { AddressPolicy } from "../../platform/addresses/index.ts";
import { type Clock, systemClock } from "../../platform/base/index.ts";
import { type Db, type Poller, startPoller } from "../../platform/db/index.ts";
import type { Seal } from "../../platform/encryption/index.ts";
import { limits } from "../../platform/limits/index.ts";
import type { Metrics } from "../../platform/metrics/index.ts";
import { countSuspense } from "../answers/index.ts";
import { type BankConnection, closedWindow, connectBanks } from "../connections/index.ts";
import {
  freezeBatches,
  hasPayoutsToFreeze,
  listPayoutsToSettle,
  nearestCutoffMs,
  sendDue,
} from "../files/index.ts";
import { countRefusedFiles, listFolderPolls, pollFolderDue } from "../inbound-files/index.ts";

export type BankWorkerParts = {
  db: Db;
  seal: Seal;
  rails: RailDirectory;
  log: {
    info(context: object, message: string): void;
    warn(context: object, message: string): void;
  };
  clock?: Clock;
  metrics?: Metrics | undefined;
};

export type BankSenderParts = BankWorkerParts & {
  /** Where the SFTP servers of banks may be. */
  addresses: AddressPolicy;
};

export function startBankWorker(parts: BankSenderParts): Poller {
  const { db, log, metrics, clock = systemClock } = parts;
  let live: BankConnection[] = [];
  metrics?.collectBanks(async () => {
    const nowMs = clock();
    const polls = await listFolderPolls(db);
    const folders = live.filter(({ sftp }) => sftp?.inbound_folder !== undefined);
    const goodMs = folders.map(({ id }) => Number(polls.get(id)?.good_at_ms ?? nowMs));
    const refused = await countRefusedFiles(db, limits.bankFolderFilesMax);
    const cutoffMs = await nearestCutoffMs(db);
    const ageOf = (sinceMs: number) => Math.max(nowMs - sinceMs, 0) / 1000;
    return {
      unsentUntilCutoffSeconds: cutoffMs === undefined ? undefined : (cutoffMs - nowMs) / 1000,
      oldestPollAgeSeconds: ageOf(Math.min(nowMs, ...goodMs)),
      filesRefused: live.reduce((all, { id }) => all + (refused.get(id) ?? 0), 0),
    };
  });
  metrics?.collectSuspense(async () => {
    const { items, oldestMs } = await countSuspense(db, limits.suspenseCountedMax);
    const oldestAgeSeconds = oldestMs === undefined ? undefined : (clock() - oldestMs) / 1000;
    return { items, oldestAgeSeconds };
  });
  const transfers = startTransfers(parts);
  const onError = (error: unknown) => log.warn({ err: error }, "banks: will try again");
  const freezer = startPoller({
    everyMs: limits.bankPollMs,
    onError,
    async poll() {
      // One bank's failure stops none of the others.
      const connections = await connectBanks(parts);
      live = connections.filter(({ row }) => row.mode === "live");
      for (const connection of connections) {
        await freezeDue(parts, connection, clock()).catch(onError);
        await settleDue(parts, connection, clock()).catch(onError);
        transfers.start(connection);
      }
    },
  });
  return {
    wake: freezer.wake,
    async close() {
      await Promise.all([freezer.close(), transfers.close()]);
    },
  };
}

/**
 * Sends and polls the files of each connection beside all other work: a slow server keeps nothing else waiting, and a
 * file from the bank keeps none to the bank waiting.
 */
function startTransfers(parts: BankSenderParts) {
  const { db, log, clock = systemClock } = parts;
  const running = new Map<string, Promise<void>>();
  let isClosed = false;
  const transferring = { ...parts, clock, isStopping: () => isClosed, applyingDb: db.background };
  function run(name: string, work: () => Promise<void>): void {
    if (running.has(name)) return;
    const ended = work()
      .catch((error: unknown) => log.warn({ err: error }, "banks: will try SFTP again"))
      .finally(() => running.delete(name));
    running.set(name, ended);
  }
  return {
    start(connection: BankConnection): void {
      const { id, sftp } = connection;
      if (!sftp || isClosed) return;
      run(`send ${id}`, () => sendDue(transferring, connection));
      run(`poll ${id}`, () => pollFolderDue(transferring, connection));
    },
    async close(): Promise<void> {
      isClosed = true;
      await Promise.all(running.values());
    },
  };
}

/** When the time to freeze was missed, and the bank takes no more files that day, payouts wait for the next day's. */
export async function freezeDue(
  { db, seal, log }: BankWorkerParts,
  connection: BankConnection,
  nowMs: number,
): Promise<void> {
  if (connection.row.disabled_at_ms !== null) return;
  const window = closedWindow(connection, nowMs);
  if (!window || !(await hasPayoutsToFreeze(db, connection.rail, window.freezesAtMs))) return;
  const who = `rail:${connection.rail}`;
  const ids = await freezeBatches({ db: db.background, seal }, connection, {
    who,
    atMs: nowMs,
    window,
  });
  log.info({ connection: connection.id, batches: ids }, "banks: frozen");
}

/** The bank has had its time to return them. */
export async function settleDue(
  { db }: Pick<BankWorkerParts, "db">,
  { rail }: BankConnection,
  nowMs: number,
): Promise<void> {
  const limit = limits.bankPageMax;
  for (;;) {
    const due = await listPayoutsToSettle(db, { rail, nowMs, limit });
    if (due.length === 0) return;
    const moved = await movePayoutsOfMany(
      db.background,
      due.map((row) =>
        toPayoutMove(row, {
          move: "settle",
          who: `rail:${rail}`,
          atMs: nowMs,
          reason: "paid by the bank: not returned in time",
          leaseMs: Number(row.due_at_ms),
        }),
      ),
    );
    // Balances that are locked now have their turn at the next poll.
    if (moved.size === 0 || due.length < limit) return;
  }
}
