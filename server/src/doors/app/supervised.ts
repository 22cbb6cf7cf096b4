// One of several processes of the service. The supervisor runs the embedded database, the admin port and the start-up
// information; this process serves requests and does its share of the background work.

import cluster from "node:cluster";
import type { Config } from "../../platform/config/index.ts";
import type { ProcessPlace } from "../../platform/db/index.ts";
import { createMetrics } from "../../platform/metrics/index.ts";
import { openDatabase } from "../database/index.ts";
import {
  type AskedOfProcess,
  explainPort,
  type FromProcess,
  openLog,
  openTracing,
  ServiceProcess,
  type ToProcess,
  tokenExchanges,
} from "../process/index.ts";
import { CliError, type ProcessRole } from "../setup/index.ts";
import { workerReasons } from "./background.ts";
import { leadParts, type StartOptions, startParts } from "./start-parts.ts";

export async function runSupervised(
  config: Config,
  {
    role,
    number,
    runCommand,
  }: { role: ProcessRole; number: number } & Pick<StartOptions, "runCommand">,
): Promise<void> {
  const place: ProcessPlace = { number, processes: config.processes };
  const log = await openLog(config, role, number);
  const metrics = createMetrics();
  const service = new ServiceProcess(log);
  const tokens = tokenExchanges((taken) => send({ kind: "tokens", taken }));
  let lead = () => {};
  let isLeader = false;

  // At a terminal, the supervisor receives these two as well and tells us what to do.
  for (const signal of ["SIGINT", "SIGHUP"] as const) process.on(signal, () => {});
  process.on("SIGTERM", () => {
    send({ kind: "draining" });
    void service.endAsTold("SIGTERM", true);
  });
  cluster.worker?.on("disconnect", () => {
    // Otherwise Node would exit here and cut off the current requests.
    if (cluster.worker) cluster.worker.exitedAfterDisconnect = true;
    void service.endAsTold("the supervisor has ended", false);
  });
  process.on("message", (message: ToProcess) => {
    if (message.kind === "end") void service.endAsTold(message.why, message.isReplaced);
    else if (message.kind === "tokens") tokens.receive(message.taken);
    else if (message.kind === "ask") void answer(message.about, message.ask);
    else if (message.kind === "lead" && !isLeader) {
      isLeader = true;
      lead();
    }
  });

  async function answer(about: AskedOfProcess, ask: number): Promise<void> {
    try {
      const reasons = () => workerReasons(service.background);
      const said = about === "metrics" ? await metrics.families() : reasons();
      send({ kind: "answer", ask, answer: said });
    } catch (error) {
      log.error({ err: error }, about);
    }
  }

  try {
    const tracer = await openTracing(config, { role, number, log });
    service.tracer = tracer;
    const poolMax = Math.floor(config.poolMax / config.processes);
    const opened = await openDatabase(
      { ...config, poolMax },
      {
        purpose: `serve, process ${number}`,
        mayCreate: true,
        worksInQuarantine: true,
        metrics,
        tracer,
        log,
        place,
      },
    );
    service.opened = opened;
    const parts = { config, log, metrics, opened };
    const listening = await startParts(service, {
      ...parts,
      role,
      isEnding: () => service.isServiceEnding,
      tokensOf: tokens.of,
      runCommand,
    });
    lead = () => leadParts(service, parts);
    const { address, port } = listening ?? {};
    const at = address === undefined || port === undefined ? undefined : { address, port };
    send({ kind: "ready", listening: at });
  } catch (error) {
    await service.closeAfterFailure();
    const explained = explainPort(error, "PORT");
    if (!(explained instanceof CliError)) {
      // It would keep the process alive after the error was printed.
      process.channel?.unref();
      throw explained;
    }
    const { message: text, exitCode } = explained;
    // The supervisor prints it once for all processes.
    process.send?.({ kind: "failed", text, exitCode } satisfies FromProcess, () =>
      process.exit(exitCode),
    );
  }
}

function send(message: FromProcess): void {
  // After the supervisor has ended, nothing is listening.
  if (process.connected) process.send?.(message, undefined, undefined, () => {});
}
