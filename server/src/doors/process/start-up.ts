// The start of the service as its operator sees it: the log, example data, the welcome and failures to open a port.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { isRemote, kycProviders, kycWebhookPath } from "../../people/kyc-providers/index.ts";
import { version } from "../../platform/base/index.ts";
import { type Config, readConfig } from "../../platform/config/index.ts";
import { type Db, onlyProcess } from "../../platform/db/index.ts";
import { createLog, type Log } from "../../platform/log/index.ts";
import type { Tracer } from "../../platform/tracing/index.ts";
import { listKeys } from "../../tenants/api-keys/index.ts";
import { hasAnAdmin } from "../../tenants/user-records/index.ts";
import { linkOf, newSetUpTokens } from "../../tenants/users/index.ts";
import type { Opened } from "../database/index.ts";
import { CliError, type ProcessRole } from "../setup/index.ts";
import { createExampleData } from "./example-data.ts";
import {
  type CommandSettings,
  commandLine,
  type Facts,
  setUpCommand,
  welcome,
  welcomeLine,
} from "./welcome.ts";

/** `process`: which one of several this is. Every line says which process of which version wrote it. */
export async function openLog(
  { logLevel: level }: Config,
  role: ProcessRole,
  process?: number | "supervisor",
): Promise<Log> {
  const destination = await forPeople();
  const base = { process: process ?? onlyProcess.number, role, version };
  return createLog({ level, ...(destination && { destination }), process, base });
}

/** Loaded only where an endpoint is configured. */
export async function openTracing(
  { tracing }: Config,
  { role, number = onlyProcess.number, log }: { role: ProcessRole; number?: number; log: Log },
): Promise<Tracer | undefined> {
  if (!tracing) return undefined;
  const { openTracer } = await import("../../platform/tracing/index.ts");
  const resource = {
    "service.name": tracing.serviceName,
    "service.version": version,
    "process.pid": process.pid,
    "disburse.role": role,
    "disburse.process": number,
  };
  return openTracer({ endpoint: tracing.endpoint, resource, log });
}

/** Loaded only at a terminal. */
async function forPeople() {
  if (!process.stdout.isTTY) return undefined;
  const { default: pretty } = await import("pino-pretty");
  return pretty({ sync: true, ignore: "process,role,version" });
}

export const showProgress = (text: string): void =>
  void process.stderr.write(`disburse: ${text} …\n`);

/** `isAnswering`: it serves the API, unlike a worker. */
type StartUp = { config: Config; opened: Opened; isAnswering: boolean; json: boolean; log: Log };

/** Where the service listens. */
type Addresses = { listening: { address: string; port: number } | undefined; metrics: string };

/** Prints the start-up information. Creates what a first start shows, now that the ports are open and it will be seen. */
export async function sayWelcome(startUp: StartUp, addresses: Addresses): Promise<void> {
  const { config, opened, isAnswering, json, log } = startUp;
  const { listening, metrics } = addresses;
  const { db, seal } = opened;
  const { live: kyc } = kycProviders(config.kyc);
  const issued = isAnswering && config.exampleData ? await createExampleData(db, seal) : undefined;
  const key = issued?.key ?? (await firstKey(db));
  const hasAdmin = await hasAnAdmin(db);
  // Secrets are only shown at a terminal: collected logs are read by many.
  const isShown = json || process.stderr.isTTY;
  const tokens = isAnswering && isShown ? await newSetUpTokens(db) : undefined;
  const consoleUrl = config.consoleUrl ?? `http://localhost:${listening?.port}`;
  const setUp = tokens && {
    first: linkOf(consoleUrl, tokens.first),
    second: linkOf(consoleUrl, tokens.second),
  };
  const facts: Facts = {
    address: listening?.address,
    metrics: `${metrics}/metrics`,
    console: isAnswering ? { url: `${consoleUrl}/console`, setUp, hasAdmin } : undefined,
    kycWebhook: isRemote(kyc) ? kycWebhookPath(kyc.name, opened.installation.cell) : undefined,
    key,
    secret: isShown ? issued?.secret : undefined,
    secretFile: issued && !isShown ? writeSecret(config, issued.secret) : undefined,
    settings: commandSettings(config, listening?.address),
    processes: config.processes,
  };
  if (isAnswering && !hasAdmin && !setUp) {
    const command = commandLine(setUpCommand, facts.settings);
    log.info({ command }, "the console has no admin yet: this command creates a set-up link");
  }
  if (json) process.stdout.write(welcomeLine(facts));
  else process.stderr.write(welcome(facts));
}

/** Returns the file, for its owner only. Undefined: there is no data folder. */
function writeSecret({ database }: Config, secret: string): string | undefined {
  if (!("embeddedIn" in database)) return undefined;
  const file = join(database.embeddedIn, "example-secret");
  writeFileSync(file, `${secret}\n`, { mode: 0o600 });
  return file;
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

type ListenFailure = NodeJS.ErrnoException & { port?: number; address?: string };

/** The error for the operator, if `error` says that a port is taken; otherwise `error` itself. */
export function explainPort(error: unknown, setting: "PORT" | "ADMIN_PORT"): unknown {
  const { code, port, address } = error as ListenFailure;
  if (code !== "EADDRINUSE") return error;
  return new CliError(
    `Port ${port} on ${address} is in use. Stop the program that uses it, or set ${setting} to another port.`,
  );
}
