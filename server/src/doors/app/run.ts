// Runs the service in one process: opens the database and the ports, prints the start-up information, and shuts down cleanly.

import type { Config } from "../../platform/config/index.ts";
import { createMetrics } from "../../platform/metrics/index.ts";
import { openDatabase } from "../database/index.ts";
import {
  explainPort,
  isReady,
  openAdmin,
  openLog,
  openTracing,
  quarantineReasons,
  ServiceProcess,
  sayWelcome,
  showProgress,
  startArchive,
} from "../process/index.ts";
import type { ProcessRole } from "../setup/index.ts";
import { workerReasons } from "./background.ts";
import { leadParts, type StartOptions, startParts } from "./start-parts.ts";

export async function runService(
  config: Config,
  {
    json,
    role,
    runCommand,
  }: { json: boolean; role: ProcessRole } & Pick<StartOptions, "runCommand">,
): Promise<void> {
  const log = await openLog(config, role);
  const service = new ServiceProcess(log);
  service.endOn(["SIGINT", "SIGTERM", "SIGHUP"]);
  if (config.endsWithParent) service.endWithParent();

  const metrics = createMetrics();
  const isAnswering = role !== "worker";
  const tracer = await openTracing(config, { role, log });
  service.tracer = tracer;
  const opened = await openDatabase(config, {
    purpose: isAnswering ? `serve on ${config.host}:${config.port}` : "serve --role worker",
    alone: isAnswering,
    mayCreate: true,
    progress: showProgress,
    onLost: (error) => service.end(1, error.message),
    worksInQuarantine: true,
    metrics,
    tracer,
    log,
  });
  service.opened = opened;
  try {
    const isQuarantined = opened.installation.quarantine !== undefined;
    const readiness = {
      db: opened.db,
      isDraining: () => service.isEnding,
      otherReasons: () => [
        ...quarantineReasons(isQuarantined),
        // Without it, a process that answers requests is ready: others deliver meanwhile.
        ...(isAnswering || isQuarantined ? [] : workerReasons(service.background)),
      ],
    };
    metrics.collectReady(() => isReady(readiness));
    const parts = { config, log, metrics, opened };
    const listening = await startParts(service, {
      ...parts,
      role,
      runCommand,
      async beforeWork() {
        service.admin = await openAdmin({ ...config.admin, metrics, log, readiness });
      },
    });
    leadParts(service, parts);
    service.archiver = await startArchive(parts);
    const addresses = { listening, metrics: service.admin?.address ?? "" };
    await sayWelcome({ config, opened, isAnswering, json, log }, addresses);
  } catch (error) {
    await service.closeAfterFailure();
    throw explainPort(error, service.admin ? "PORT" : "ADMIN_PORT");
  }
}
