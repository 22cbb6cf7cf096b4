// Runs the service: opens the database and the ports, prints the start-up information, and shuts down cleanly.

import { listKeys } from "../api-keys/queries.ts";
import { connectBanks } from "../banks/connections.ts";
import { type Config, readConfig } from "../config.ts";
import type { Db } from "../db/connect.ts";
import { deleteExpiredAnswers, deleteExpiredNonces } from "../idempotency/queries.ts";
import { isRemote } from "../kyc-providers/provider.ts";
import { kycProviders, kycWebhookPath } from "../kyc-providers/providers.ts";
import { limits } from "../limits.ts";
import { createLog, type Log } from "../log.ts";
import { createMetrics } from "../metrics/metrics.ts";
import { startRequestLog } from "../request-log/writer.ts";
import { openScreener } from "../reviews/screener.ts";
import type { RunningScreener } from "../screening/screener.ts";
import { deleteExpiredLogIns } from "../users/attempt-queries.ts";
import { linkOf, newSetUpToken } from "../users/invitation.ts";
import { hasAnAdmin } from "../users/queries.ts";
import { type Admin, openAdmin } from "./admin.ts";
import { startAnchoring } from "./anchor-audit.ts";
import { type Background, leaveToOthers, startBackground } from "./background.ts";
import { CliError } from "./cli-error.ts";
import { createExampleData } from "./example-data.ts";
import { type Listening, listen } from "./listen.ts";
import { type Opened, openDatabase } from "./open-database.ts";
import { railsOf } from "./rails.ts";
import type { ProcessRole } from "./roles.ts";
import {
  type CommandSettings,
  commandLine,
  type Facts,
  setUpCommand,
  welcome,
  welcomeLine,
} from "./welcome.ts";

export async function runService(
  config: Config,
  { json, role }: { json: boolean; role: ProcessRole },
): Promise<void> {
  const log = createLog({
    level: config.logLevel,
    ...(process.stdout.isTTY && { destination: await forPeople() }),
  });
  const progress = (text: string) => process.stderr.write(`disburse: ${text} …\n`);
  const service = new ServiceProcess(log);
  if (config.endsWithParent) service.endWithParent();

  const metrics = createMetrics();
  const answers = role !== "worker";
  const opened = await openDatabase(config, {
    purpose: answers ? `serve on ${config.host}:${config.port}` : "serve --role worker",
    alone: answers,
    mayCreate: true,
    progress,
    onLost: (error) => service.end(1, error.message),
    metrics,
  });
  service.opened = opened;
  const { db, seal } = opened;
  const { cell } = opened.installation;
  try {
    const issued = answers && config.exampleData ? await createExampleData(db, seal) : undefined;
    const key = issued?.key ?? (await firstKey(db));
    const hasAdmin = await hasAnAdmin(db);
    // Only shown at a terminal: collected logs are read by many.
    const isShown = json || process.stderr.isTTY;
    const setUpToken = answers && isShown ? await newSetUpToken(db) : undefined;
    const kyc = kycProviders(config.kyc);
    const rails = railsOf(config);
    await connectBanks({ db, seal, rails });
    const screener = await openScreener(db.background, log);
    service.screener = screener;
    const readiness = { db, isDraining: () => service.isEnding };
    service.admin = await openAdmin({ ...config.admin, metrics, log, readiness });
    const parts = { db, seal, log, metrics, kyc };
    const backgroundParts = { ...parts, db: db.background };
    service.background =
      role === "api"
        ? leaveToOthers({ db: db.background, seal, log, rails })
        : startBackground({ ...backgroundParts, config, rails, screener });
    const { onKycDue, onPayoutDue } = service.background;
    if (answers) {
      const requestLog = startRequestLog({ db: db.background, log, metrics });
      const due = { onKycDue, onPayoutDue };
      service.listening = await listen({
        ...config,
        ...parts,
        cell,
        rails,
        screener,
        requestLog,
        ...due,
      });
    }
    // Nothing below may fail: the service already accepts requests.
    startCleanup(db.background, log);
    startAnchoring({ db: db.background, log, metrics, file: config.auditAnchorFile });
    const consoleUrl = config.consoleUrl ?? `http://localhost:${service.listening?.port}`;
    const setUp = setUpToken && linkOf(consoleUrl, setUpToken);
    const facts: Facts = {
      address: service.listening?.address,
      metrics: `${service.admin.address}/metrics`,
      console: answers ? { url: `${consoleUrl}/console`, setUp, hasAdmin } : undefined,
      kycWebhook: isRemote(kyc.live) ? kycWebhookPath(kyc.live.name, cell) : undefined,
      key,
      secret: issued?.secret,
      settings: commandSettings(config, service.listening?.address),
    };
    if (answers && !hasAdmin && !setUp) {
      const command = commandLine(setUpCommand, facts.settings);
      log.info({ command }, "the console has no admin yet: this command creates a set-up link");
    }
    if (json) process.stdout.write(welcomeLine(facts));
    else process.stderr.write(welcome(facts));
  } catch (error) {
    // Open handles would keep the process alive after the failure.
    await Promise.all([service.background?.close(), service.admin?.close()]);
    await service.screener?.close();
    await opened.close();
    const { code, port, address } = error as NodeJS.ErrnoException & ListenFailure;
    if (code !== "EADDRINUSE") throw error;
    const setting = service.admin ? "PORT" : "ADMIN_PORT";
    throw new CliError(
      `Port ${port} on ${address} is in use. Stop the program that uses it, or set ${setting} to another port.`,
    );
  }
}

/** Loaded only at a terminal. */
async function forPeople() {
  const { default: pretty } = await import("pino-pretty");
  return pretty({ sync: true, ignore: "pid,hostname" });
}

type ListenFailure = { port?: number; address?: string };

/** The running service, and its shutdown from the first signal to the exit. */
class ServiceProcess {
  admin: Admin | undefined;
  listening: Listening | undefined;
  background: Background | undefined;
  screener: RunningScreener | undefined;
  opened: Opened | undefined;
  #endingSinceMs = Number.POSITIVE_INFINITY;
  get isEnding(): boolean {
    return this.#endingSinceMs < Number.POSITIVE_INFINITY;
  }
  readonly #log: Log;

  constructor(log: Log) {
    this.#log = log;
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
      process.on(signal, () => void this.end(0, signal));
    }
  }

  async end(exitCode: number, why: string): Promise<void> {
    // A second signal ends the process at once; PostgreSQL still stops cleanly, because its pipe to us closes.
    // At a terminal one Ctrl-C arrives twice, directly and through npm, so an early second signal is ignored.
    if (this.isEnding) {
      if (performance.now() - this.#endingSinceMs > limits.signalEchoMs)
        process.exit(exitCode || 1);
      return;
    }
    this.#endingSinceMs = performance.now();
    this.#log.info({ why }, "stopping: current requests are finished first");
    setTimeout(() => process.exit(1), limits.shutdownMs + 10_000).unref();
    await this.listening?.close();
    await this.background?.close();
    await this.screener?.close();
    await this.admin?.close();
    await this.opened?.close();
    this.#log.info("stopped");
    // Log lines are written in the background; exiting now would lose the last ones.
    await new Promise<void>((resolve) => this.#log.flush(() => resolve()));
    process.exit(exitCode);
  }

  endWithParent(): void {
    const parent = process.ppid;
    setInterval(() => {
      if (process.ppid !== parent) void this.end(0, "npm start has ended");
    }, 1_000).unref();
  }
}

/** Settings that differ from the defaults, for the printed commands. DATABASE_URL is never printed. */
function commandSettings(config: Config, baseUrl: string | undefined): CommandSettings {
  const defaults = readConfig({});
  const dataDir = "embeddedIn" in config.database ? config.database.embeddedIn : undefined;
  const isDefaultData =
    "embeddedIn" in defaults.database && dataDir === defaults.database.embeddedIn;
  const isDefaultPort = config.host === defaults.host && config.port === defaults.port;
  return {
    dataDir: isDefaultData ? undefined : dataDir,
    baseUrl: isDefaultPort ? undefined : baseUrl,
  };
}

async function firstKey(db: Db): Promise<string | undefined> {
  const keys = await listKeys(db, undefined);
  return keys.find(({ revoked_at }) => revoked_at === null)?.api_key;
}

function startCleanup(db: Db, log: Log): void {
  setInterval(() => {
    const nowMs = Date.now();
    Promise.all([
      deleteExpiredNonces(db, nowMs - limits.nonceMarginMs),
      deleteExpiredAnswers(db, nowMs),
      deleteExpiredLogIns(db, nowMs),
    ]).catch((error) => log.warn({ err: error }, "housekeeping"));
  }, limits.housekeepingMs).unref();
}
