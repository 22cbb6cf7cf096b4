// Runs the service in several processes: opens the database and the admin port, starts the processes, and passes on signals.

import type { Config } from "../../platform/config/index.ts";
import { createMetrics } from "../../platform/metrics/index.ts";
import { openDatabase } from "../database/index.ts";
import {
  explainPort,
  isReady,
  openAdmin,
  openLog,
  quarantineReasons,
  ServiceProcess,
  sayWelcome,
  showProgress,
  startArchive,
} from "../process/index.ts";
import type { ProcessRole } from "../setup/index.ts";
import { Supervisor } from "./supervisor.ts";

/** For migrations, readiness and the start-up information. */
const supervisorPoolMax = 2;

export async function supervise(
  config: Config,
  { json, role }: { json: boolean; role: ProcessRole },
): Promise<void> {
  const { processes } = config;
  const log = await openLog(config, role, "supervisor");
  const metrics = createMetrics();
  const supervisor = new Supervisor({ processes, role, log, metrics });
  const service = new ServiceProcess(log);
  // After a second signal. If the supervisor fails, its processes notice, and finish their requests.
  process.once("exit", () => {
    if (service.isEnding) supervisor.kill();
  });
  // At a terminal it means that the terminal was closed.
  const isAtTerminal = process.stdout.isTTY;
  service.endOn(["SIGINT", "SIGTERM", ...(isAtTerminal ? (["SIGHUP"] as const) : [])]);
  if (!isAtTerminal) process.on("SIGHUP", () => supervisor.replaceAll());
  if (config.endsWithParent) service.endWithParent();

  const isAnswering = role !== "worker";
  const opened = await openDatabase(
    { ...config, poolMax: supervisorPoolMax },
    {
      purpose: isAnswering ? `serve on ${config.host}:${config.port}` : "serve --role worker",
      alone: isAnswering,
      mayCreate: true,
      progress: showProgress,
      onLost: (error) => service.end(1, error.message),
      worksInQuarantine: true,
      log,
    },
  );
  service.opened = opened;
  const isQuarantined = opened.installation.quarantine !== undefined;
  try {
    const readiness = {
      db: opened.db,
      isDraining: () => service.isEnding,
      otherReasons: async () => [
        ...(supervisor.states().ready === 0 ? ["no process is ready"] : []),
        ...quarantineReasons(isQuarantined),
        // As in one process: those that answer requests are ready without it, and others deliver meanwhile.
        ...(isAnswering || isQuarantined ? [] : await supervisor.workerReasons()),
      ],
    };
    metrics.collectReady(() => isReady(readiness));
    service.admin = await openAdmin({
      ...config.admin,
      log,
      metrics: { contentType: metrics.contentType, text: () => supervisor.metricsText() },
      readiness,
    });
    service.archiver = await startArchive({ config, opened, log, metrics });
    service.listening = supervisor;
    const listening = await supervisor.start();
    const addresses = { listening, metrics: service.admin.address };
    await sayWelcome({ config, opened, isAnswering, json, log }, addresses);
  } catch (error) {
    await supervisor.close();
    await service.closeAfterFailure();
    throw explainPort(error, "ADMIN_PORT");
  }
}
