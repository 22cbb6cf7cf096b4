// Starts the parts of one process of the service: screening, background work and the API.

import { connectBanks } from "../../banking/connections/index.ts";
import { deleteOldRefusals } from "../../money/imports/index.ts";
import { deletePastDayTotals } from "../../money/payouts/index.ts";
import { railsOf } from "../../money/rails/index.ts";
import { openScreener } from "../../money/screener/index.ts";
import { kycProviders } from "../../people/kyc-providers/index.ts";
import type { Config } from "../../platform/config/index.ts";
import type { Db } from "../../platform/db/index.ts";
import { deleteExpiredAnswers, deleteExpiredNonces } from "../../platform/idempotency/index.ts";
import { limits } from "../../platform/limits/index.ts";
import type { Log } from "../../platform/log/index.ts";
import type { Metrics } from "../../platform/metrics/index.ts";
import { deleteExpiredOperatorAnswers } from "../../tenants/operator-tokens/index.ts";
import { startRequestLog } from "../../tenants/request-log/index.ts";
import { deleteExpiredLogIns } from "../../tenants/user-records/index.ts";
import type { Opened } from "../database/index.ts";
import { type Listening, noBackground, type ServiceProcess } from "../process/index.ts";
import type { ProcessRole } from "../setup/index.ts";
import { startAnchoring } from "./anchor-audit.ts";
import type { AppOptions } from "./app.ts";
import { leaveToOthers, startBackground } from "./background.ts";
import { keepCompiledCode } from "./keep-compiled.ts";
import { listen } from "./listen.ts";

export type StartOptions = {
  config: Config;
  role: ProcessRole;
  log: Log;
  metrics: Metrics;
  opened: Opened;
  /** Before background work begins and the port opens. */
  beforeWork?: () => Promise<void>;
} & Pick<AppOptions, "isEnding" | "tokensOf" | "runCommand">;

/** Each part is set in `service` as soon as it runs, so that a signal during the start ends it as well. */
export async function startParts(
  service: ServiceProcess,
  { config, role, log, metrics, opened, beforeWork, isEnding, tokensOf, runCommand }: StartOptions,
): Promise<Listening | undefined> {
  keepCompiledCode();
  const { db, seal } = opened;
  const kyc = kycProviders(config.kyc);
  const rails = railsOf(config);
  await connectBanks({ db, seal, rails });
  const screener = await openScreener(db.background, log);
  service.screener = screener;
  await beforeWork?.();
  const parts = { db, seal, log, metrics, kyc };
  const backgroundParts = { ...parts, db: db.background };
  const isQuarantined = opened.installation.quarantine !== undefined;
  if (isQuarantined) log.warn("in quarantine: nothing is sent or paid until it is released");
  if (isQuarantined) service.background = noBackground();
  else if (role === "api")
    service.background = leaveToOthers({ db: db.background, seal, log, rails });
  else service.background = startBackground({ ...backgroundParts, config, rails, screener });
  if (role === "worker") return undefined;
  const { onKycDue, onPayoutDue } = service.background;
  const listening = await listen({
    ...config,
    ...parts,
    cell: opened.installation.cell,
    isQuarantined,
    rails,
    screener,
    requestLog: startRequestLog({
      ...{ db: db.background, log, metrics },
      keptDays: config.retention.requestLog,
    }),
    onKycDue,
    onPayoutDue,
    isEnding,
    tokensOf,
    runCommand,
  });
  service.listening = listening;
  return listening;
}

/** Starts the work that only one process of the service does. */
export function leadParts(
  { background }: ServiceProcess,
  { config, log, metrics, opened }: Pick<StartOptions, "config" | "log" | "metrics" | "opened">,
): void {
  const { db } = opened;
  if (opened.installation.quarantine) return;
  background?.lead();
  startCleanup(db.background, log);
  startAnchoring({ db: db.background, log, metrics, file: config.auditAnchorFile });
}

function startCleanup(db: Db, log: Log): void {
  setInterval(() => {
    const nowMs = Date.now();
    Promise.all([
      deleteExpiredNonces(db, nowMs - limits.nonceMarginMs),
      deleteExpiredAnswers(db, nowMs),
      deleteExpiredOperatorAnswers(db, nowMs),
      deleteOldRefusals(db, nowMs),
      deletePastDayTotals(db, nowMs),
      deleteExpiredLogIns(db, nowMs),
    ]).catch((error) => log.warn({ err: error }, "housekeeping"));
  }, limits.housekeepingMs).unref();
}
