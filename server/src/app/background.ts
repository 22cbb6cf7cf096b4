// Starts the background workers. Identity checks, payouts and event delivery run in every process: leases divide their
// work, and what a process creates wakes its own workers. The rest runs in the process that leads.

import { startPayeeCheckWorker } from "../accounts/payee-check-worker.ts";
import { connectBanks } from "../banks/connections.ts";
import { startBankWorker } from "../banks/worker.ts";
import type { Config } from "../config.ts";
import { startWaitingWorker } from "../console/waiting/worker.ts";
import type { Db } from "../db/connect.ts";
import { type Poller, startPoller } from "../db/poller.ts";
import { poster } from "../delivery/http-client/post.ts";
import { startWakeUps } from "../delivery/wake-ups.ts";
import { startDeliveryWorker } from "../delivery/worker.ts";
import { startKycWorker } from "../kyc/worker.ts";
import type { KycProviders } from "../kyc-providers/providers.ts";
import { limits } from "../limits.ts";
import type { Log } from "../log.ts";
import type { Metrics } from "../metrics/metrics.ts";
import { sandboxPayeeNameChecker } from "../payee-checks/sandbox.ts";
import { startHoldWorker } from "../payouts/hold-worker.ts";
import { collectPayoutMetrics } from "../payouts/waiting.ts";
import { startPayoutWorker } from "../payouts/worker.ts";
import { startRetentionWorker } from "../privacy/retention-worker.ts";
import type { RailDirectory } from "../rails/directory.ts";
import { startScreeningWorker } from "../reviews/worker.ts";
import { startListWorker } from "../screening/lists/worker.ts";
import type { RunningScreener } from "../screening/screener.ts";
import type { Seal } from "../seal.ts";

export type Background = {
  /** Something may have become due. */
  onKycDue(): void;
  onPayoutDue(): void;
  /** Starts the work that only one process of the service does. */
  lead(): void;
  /** Why it does no work at the moment; empty when it does. */
  reasons(): string[];
  /** Resolves when the current work has ended. */
  close(): Promise<void>;
};

type BackgroundParts = {
  config: Pick<Config, "postbackAddresses" | "screeningFolder" | "retention">;
  db: Db;
  seal: Seal;
  log: Log;
  metrics: Metrics;
  kyc: KycProviders;
  rails: RailDirectory;
  screener: RunningScreener;
};

export function startBackground(parts: BackgroundParts): Background {
  const { config, db, seal, log, metrics, kyc, rails, screener } = parts;
  const verification = startKycWorker({ db, seal, providers: kyc, log });
  const payouts = startPayoutWorker({ db, seal, log, metrics, rails });
  const workers: Poller[] = [verification, payouts];
  // The bank worker of a process that leads does the same.
  const following = db.place.processes > 1 ? followBanks(parts) : undefined;
  const { postbackAddresses: addresses, screeningFolder: folder, retention } = config;
  const posting = poster({ policy: addresses });
  const delivery = startDeliveryWorker({
    ...{ db, seal, log, metrics, poster: posting },
    eventKeptDays: retention.events,
  });
  db.listeners.eventListeners.add(delivery.hint);
  return {
    onKycDue: () => verification.wake(),
    onPayoutDue: () => payouts.wake(),
    lead() {
      void following?.close();
      collectPayoutMetrics({ db, metrics });
      const checkers = { test: sandboxPayeeNameChecker };
      workers.push(
        startPayeeCheckWorker({ db, seal, log, checkers }),
        startHoldWorker({ db, log }),
        startBankWorker({ db, seal, log, metrics, rails, addresses }),
        startScreeningWorker({ db, seal, screener, log, metrics }),
        startListWorker({ db, seal, log, metrics, folder }),
        startRetentionWorker({ db, seal, log, metrics, retention }),
        startWaitingWorker({ db, seal, log, metrics }),
      );
    },
    reasons: () => (delivery.hasLock() ? [] : ["delivery has lost its lock in the database"]),
    async close() {
      await following?.close();
      // The others may still create events, so delivery closes last.
      await Promise.all(workers.map((worker) => worker.close()));
      db.listeners.eventListeners.delete(delivery.hint);
      await delivery.close();
      await posting.close();
    },
  };
}

/** Of a process that only does background work. `background` is undefined while it starts. */
export const workerReasons = (background: Background | undefined): string[] =>
  background?.reasons() ?? ["starting: background work has not begun"];

/** For a process that only serves the API: it wakes the workers of other processes when it creates events. */
export function leaveToOthers(
  parts: Pick<BackgroundParts, "db" | "seal" | "log" | "rails">,
): Background {
  const { db } = parts;
  const wakeUps = startWakeUps(db);
  const banks = followBanks(parts);
  db.listeners.eventListeners.add(wakeUps.add);
  return {
    onKycDue() {},
    onPayoutDue() {},
    lead() {},
    reasons: () => [],
    async close() {
      db.listeners.eventListeners.delete(wakeUps.add);
      wakeUps.close();
      await banks.close();
    },
  };
}

/** Bank connections change while the process runs. */
function followBanks(parts: Pick<BackgroundParts, "db" | "seal" | "log" | "rails">): Poller {
  return startPoller({
    everyMs: limits.bankPollMs,
    onError: (error) => parts.log.warn({ err: error }, "bank connections: will load them again"),
    poll: async () => void (await connectBanks(parts)),
  });
}
