// Starts the background workers. Identity checks, payouts and event delivery run in every process: leases divide their
// work, and what a process creates wakes its own workers. The rest runs in the process that leads.

import { connectBanks } from "../../banking/connections/index.ts";
import { startBankWorker } from "../../banking/worker/index.ts";
import {
  collectPayoutMetrics,
  startHoldWorker,
  startPayoutWorker,
} from "../../money/payouts/index.ts";
import type { RailDirectory } from "../../money/rails/index.ts";
import { startPayeeCheckWorker } from "../../people/accounts/index.ts";
import { startKycWorker } from "../../people/kyc/index.ts";
import type { KycProviders } from "../../people/kyc-providers/index.ts";
import { sandboxPayeeNameChecker } from "../../people/payee-checks/index.ts";
import { startRetentionWorker } from "../../people/privacy/index.ts";
import { startScreeningWorker } from "../../people/reviews/index.ts";
import { startListWorker } from "../../people/sanctions-lists/index.ts";
import type { RunningScreener } from "../../people/screening/index.ts";
import type { Config } from "../../platform/config/index.ts";
import { type Db, type Poller, startPoller } from "../../platform/db/index.ts";
import type { Seal } from "../../platform/encryption/index.ts";
import { limits } from "../../platform/limits/index.ts";
import type { Log } from "../../platform/log/index.ts";
import type { Metrics } from "../../platform/metrics/index.ts";
import { startDeliveryWorker, startWakeUps } from "../../webhooks/delivery/index.ts";
import { poster } from "../../webhooks/http-client/index.ts";
import { startWaitingWorker } from "../console/index.ts";
import type { Background } from "../process/index.ts";

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
