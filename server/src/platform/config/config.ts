// Reads the settings from the environment, and reports every problem at once.

import { join, resolve } from "node:path";
import { isLoopbackHost } from "../addresses/index.ts";
import { isUuid } from "../base/index.ts";
import { limits } from "../limits/index.ts";
import { type Retention, retentionOf, retentionSettings } from "../retention/index.ts";
import {
  addressList,
  backupProblems,
  backupSettings,
  cellName,
  consoleUrl,
  httpsUrl,
  httpUrl,
  InvalidSetting,
  type KeySettings,
  keySettings,
  oneOf,
  optionalPath,
  poolOf,
  portAbove,
  postbackAddresses,
  postgresUrl,
  processCount,
  processPoolMin,
  readKeySettings,
  wholeNumber,
} from "../settings/index.ts";

type Environment = Record<string, string | undefined>;
type Setting<T> = { fallback: string; meaning: string; read: (text: string) => T };

const asIs = (text: string) => text;

const merchantId = (text: string) => {
  if (text && !isUuid(text)) throw new InvalidSetting("must be a UUID");
  return text.toLowerCase();
};

/** docs/reference/settings.md is made from this table. */
export const settings = {
  HOST: { fallback: "127.0.0.1", meaning: "Address to listen on", read: asIs },
  PORT: {
    fallback: "4000",
    meaning: "Port to listen on; 0 for any free port",
    read: wholeNumber(0, 65535),
  },
  CONSOLE_URL: {
    fallback: "http://localhost:PORT",
    meaning: "Address of the console, as browsers see it",
    read: consoleUrl,
  },
  OIDC_ISSUER: {
    fallback: "",
    meaning: "Identity provider for single sign-on to the console (OpenID Connect)",
    read: (text: string) => text && httpsUrl(text),
  },
  OIDC_CLIENT_ID: { fallback: "", meaning: "Identity provider: client id", read: asIs },
  OIDC_CLIENT_SECRET: { fallback: "", meaning: "Identity provider: client secret", read: asIs },
  OIDC_NAME: {
    fallback: "Single sign-on",
    meaning: "Identity provider: name on the sign-in page",
    read: asIs,
  },
  ADMIN_HOST: {
    fallback: "127.0.0.1",
    meaning: "Address to listen on for metrics and health, without authentication",
    read: asIs,
  },
  ADMIN_PORT: {
    fallback: "one above PORT",
    meaning: "Port for metrics and health; 0 for any free port",
    read: wholeNumber(0, 65535),
  },
  DATA_DIR: {
    fallback: "./data",
    meaning: "Folder of the embedded database and its master key",
    read: (text: string) => resolve(text),
  },
  DATABASE_URL: {
    fallback: "",
    meaning:
      "PostgreSQL 15 or newer to use instead of the embedded one; several servers as `host:port,host:port`",
    read: postgresUrl,
  },
  DATABASE_DIRECT_URL: {
    fallback: "",
    meaning:
      "PostgreSQL itself, when DATABASE_URL is a PgBouncer: for locks, notifications and migrations",
    read: postgresUrl,
  },
  CELL: {
    fallback: "",
    meaning:
      "Name of this cell, 1 to 8 of `a-z0-9`, fixed at the first start; new API keys carry it. Empty: as the database says, at first the default cell",
    read: cellName,
  },
  MERCHANT_ID: {
    fallback: "",
    meaning: "Merchant id, one for all cells; empty: made at the first start",
    read: merchantId,
  },
  AUDIT_ANCHOR_FILE: {
    fallback: "audit-anchors in DATA_DIR, none with DATABASE_URL",
    meaning: "File outside the database in which the head of the audit log is recorded each minute",
    read: optionalPath,
  },
  ...backupSettings,
  PROCESSES: {
    fallback: "1",
    meaning: "Processes that serve on one port; `auto` for one per processor core",
    read: processCount,
  },
  DATABASE_POOL_MAX: {
    fallback: "16; with several processes, 4 to 8 for each",
    meaning:
      "Database connections, divided among the processes; from 4 in a process on, each kind of work has its own share",
    read: wholeNumber(2, 1_000),
  },
  DISBURSE_EMBEDDED: {
    fallback: "",
    meaning: "`1` allows the embedded database when NODE_ENV is `production`",
    read: oneOf("", "1"),
  },
  ...keySettings,
  SIGNATURE_WINDOW_S: {
    fallback: "300",
    meaning: "Seconds by which the time of a signature may differ from our clock",
    read: wholeNumber(1, limits.signatureWindowMaxMs / 1000),
  },
  RATE_LIMIT_PER_S: {
    fallback: "100; 0 for development",
    meaning: "Requests per second and key, in all processes of this service; 0 for no limit",
    read: wholeNumber(0, 1_000_000),
  },
  RATE_LIMIT_BURST: {
    fallback: "200",
    meaning: "Requests that a key may make at once (burst)",
    read: wholeNumber(1, 1_000_000),
  },
  POSTBACK_ADDRESSES: {
    fallback: "public; loopback for development",
    meaning:
      "Where events and bank files may be sent: `public` addresses, also `loopback`, and named private networks (`public,10.1.0.0/16`)",
    read: postbackAddresses,
  },
  WEBHOOK_SOURCE_ADDRESSES: {
    fallback: "",
    meaning:
      "IP addresses or CIDR ranges that events are sent from, as `GET /api/webhook-endpoint/source-addresses` tells them",
    read: addressList,
  },
  KYC_PROVIDER: {
    fallback: "manual",
    meaning: "Identity check of live receivers: `manual` (by an operator) or `sumsub`",
    read: oneOf("manual", "sumsub"),
  },
  KYC_SANDBOX_DELAY_MS: {
    fallback: "1000",
    meaning: "Duration of the identity check of a test receiver, in milliseconds",
    read: wholeNumber(0, 86_400_000),
  },
  SANDBOX_BANK_DELAY_MS: {
    fallback: "1000",
    meaning: "Duration of a payout at the sandbox bank, in milliseconds",
    read: wholeNumber(0, 86_400_000),
  },
  KYC_POLL_AFTER_S: {
    fallback: "86400",
    meaning: "Seconds after which we ask Sumsub about a check that it has not reported",
    read: wholeNumber(1, 2_592_000),
  },
  SUMSUB_BASE_URL: {
    fallback: "https://api.sumsub.com",
    meaning: "Address of the Sumsub API",
    read: httpsUrl,
  },
  SUMSUB_APP_TOKEN: { fallback: "", meaning: "Sumsub: app token", read: asIs },
  SUMSUB_SECRET_KEY: { fallback: "", meaning: "Sumsub: secret key for our calls", read: asIs },
  SUMSUB_WEBHOOK_SECRET: { fallback: "", meaning: "Sumsub: secret of its webhooks", read: asIs },
  SUMSUB_LEVEL_NAME: { fallback: "", meaning: "Sumsub: verification level", read: asIs },
  SCREENING_FOLDER: {
    fallback: "",
    meaning: "Folder of sanctions lists, looked at every 15 minutes; a changed file is imported",
    read: optionalPath,
  },
  ...retentionSettings,
  TRUST_PROXY: {
    fallback: "",
    meaning: "IP addresses or CIDR ranges of proxies whose x-forwarded-for is trusted",
    read: addressList,
  },
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    fallback: "",
    meaning:
      "OpenTelemetry collector for traces (OTLP over HTTP, without `/v1/traces`); empty: no traces",
    read: (text: string) => text && httpUrl(text),
  },
  OTEL_SERVICE_NAME: {
    fallback: "disburse",
    meaning: "Name of this service in traces",
    read: asIs,
  },
  LOG_LEVEL: {
    fallback: "info",
    meaning: "`debug` also logs successful reads",
    read: oneOf("trace", "debug", "info", "warn", "error", "fatal", "silent"),
  },
} satisfies Record<string, Setting<unknown>>;

const sumsubSettings = [
  "SUMSUB_APP_TOKEN",
  "SUMSUB_SECRET_KEY",
  "SUMSUB_WEBHOOK_SECRET",
  "SUMSUB_LEVEL_NAME",
] as const;

type Settings = typeof settings;
type Values = { [Name in keyof Settings]: ReturnType<Settings[Name]["read"]> };

export type Config = {
  host: string;
  port: number;
  /** Undefined: localhost with the port of the service. */
  consoleUrl: string | undefined;
  /** Identity provider for sign-in to the console, besides passwords and passkeys. */
  oidc: Record<"issuer" | "clientId" | "clientSecret" | "name", string> | undefined;
  /** `isChosen`: ADMIN_PORT is set, so no other port may be used. */
  admin: { host: string; port: number; isChosen: boolean };
  database: { url: string; directUrl: string } | { embeddedIn: string };
  processes: number;
  /** Of all processes. */
  poolMax: number;
  /** Empty: as the database says. */
  installation: { cell: string; merchantId: string };
  auditAnchorFile: string | undefined;
  backup: { folder: string | undefined; keepDays: number };
  keys: KeySettings;
  signatureWindowMs: number;
  rateLimit: { perSecond: number; burst: number };
  postbackAddresses: Values["POSTBACK_ADDRESSES"];
  webhookSources: Values["WEBHOOK_SOURCE_ADDRESSES"];
  sandboxBankDelayMs: number;
  kyc: {
    provider: Values["KYC_PROVIDER"];
    sandboxDelayMs: number;
    pollAfterMs: number;
    sumsub: Record<"baseUrl" | "appToken" | "secretKey" | "webhookSecret" | "levelName", string>;
  };
  screeningFolder: string | undefined;
  retention: Retention;
  trustProxy: string[];
  /** Undefined: no traces. */
  tracing: { endpoint: string; serviceName: string } | undefined;
  logLevel: Values["LOG_LEVEL"];
  exampleData: boolean;
  /** A killed `npm start` does not pass the signal on, so the service watches its parent. */
  endsWithParent: boolean;
};

export class ConfigError extends Error {
  readonly problems: readonly string[];
  constructor(problems: readonly string[]) {
    super(problems.join("\n"));
    this.name = "ConfigError";
    this.problems = problems;
  }
}

export function readConfig(environment: Environment): Config {
  const problems: string[] = [];
  const values = {} as Record<string, unknown>;
  const embedded = !environment.DATABASE_URL;
  // Only when no other machine can reach the service, it has no rate limit and may call local addresses.
  const isDevelopment =
    embedded &&
    environment.NODE_ENV !== "production" &&
    isLoopbackHost(environment.HOST || settings.HOST.fallback);
  const computed: Record<string, () => string> = {
    RATE_LIMIT_PER_S: () => (isDevelopment ? "0" : "100"),
    POSTBACK_ADDRESSES: () => (isDevelopment ? "loopback" : "public"),
    ADMIN_PORT: () => String(portAbove(values.PORT)),
    DATABASE_POOL_MAX: () => String(poolOf(values.PROCESSES)),
    CONSOLE_URL: () => "",
    AUDIT_ANCHOR_FILE: () => (embedded ? join(values.DATA_DIR as string, "audit-anchors") : ""),
  };
  for (const [name, setting] of Object.entries(settings) as [string, Setting<unknown>][]) {
    const fallback = computed[name]?.() ?? setting.fallback;
    try {
      values[name] = setting.read(environment[name] || fallback);
    } catch (error) {
      if (!(error instanceof InvalidSetting)) throw error;
      problems.push(`${name} ${error.message}`);
    }
  }

  const read = values as Values;
  const unreadKey = problems.some((text) => text.startsWith("DISBURSE_MASTER_KEY"));
  const keys = readKeySettings(read, problems);
  const key = keys.masterKey ?? keys.vault;
  if (!embedded && !key && !unreadKey) {
    problems.push("DISBURSE_MASTER_KEY must be set when DATABASE_URL is (openssl rand -base64 32)");
  }
  if (read.CELL) {
    const shared = "all cells have one";
    if (!environment.MERCHANT_ID) problems.push(`MERCHANT_ID must be set when CELL is: ${shared}`);
    if (embedded && !key && !unreadKey) {
      problems.push(`DISBURSE_MASTER_KEY must be set when CELL is: ${shared}`);
    }
  }
  if (embedded && read.DATABASE_DIRECT_URL) {
    problems.push("DATABASE_DIRECT_URL is set without DATABASE_URL");
  }
  const place = { dataDir: read.DATA_DIR, isEmbedded: embedded };
  problems.push(...backupProblems(read.BACKUP_DIR, place));
  if (embedded && environment.NODE_ENV === "production" && !read.DISBURSE_EMBEDDED) {
    problems.push(
      "DATABASE_URL must be set when NODE_ENV is production (or DISBURSE_EMBEDDED=1 to keep the embedded database)",
    );
  }
  if (read.KYC_PROVIDER === "sumsub") {
    for (const name of sumsubSettings) {
      if (!read[name]) problems.push(`${name} must be set when KYC_PROVIDER is sumsub`);
    }
  }
  for (const name of ["OIDC_CLIENT_ID", "OIDC_CLIENT_SECRET"] as const) {
    if (read.OIDC_ISSUER && !read[name]) problems.push(`${name} must be set when OIDC_ISSUER is`);
  }
  const poolMin = read.PROCESSES > 1 ? read.PROCESSES * processPoolMin : 0;
  if (read.DATABASE_POOL_MAX < poolMin) {
    problems.push(`DATABASE_POOL_MAX must be at least ${poolMin}: 4 for each process`);
  }
  if (problems.length > 0) throw new ConfigError(problems);

  return {
    host: read.HOST,
    port: read.PORT,
    consoleUrl: read.CONSOLE_URL,
    oidc: read.OIDC_ISSUER
      ? {
          issuer: read.OIDC_ISSUER,
          clientId: read.OIDC_CLIENT_ID,
          clientSecret: read.OIDC_CLIENT_SECRET,
          name: read.OIDC_NAME,
        }
      : undefined,
    admin: {
      host: read.ADMIN_HOST,
      port: read.ADMIN_PORT,
      isChosen: Boolean(environment.ADMIN_PORT),
    },
    database: embedded
      ? { embeddedIn: read.DATA_DIR }
      : { url: read.DATABASE_URL, directUrl: read.DATABASE_DIRECT_URL },
    processes: read.PROCESSES,
    poolMax: read.DATABASE_POOL_MAX,
    installation: { cell: read.CELL, merchantId: read.MERCHANT_ID },
    auditAnchorFile: read.AUDIT_ANCHOR_FILE,
    backup: { folder: read.BACKUP_DIR, keepDays: read.BACKUP_KEEP_DAYS },
    keys,
    signatureWindowMs: read.SIGNATURE_WINDOW_S * 1000,
    rateLimit: { perSecond: read.RATE_LIMIT_PER_S, burst: read.RATE_LIMIT_BURST },
    postbackAddresses: read.POSTBACK_ADDRESSES,
    webhookSources: read.WEBHOOK_SOURCE_ADDRESSES,
    sandboxBankDelayMs: read.SANDBOX_BANK_DELAY_MS,
    kyc: {
      provider: read.KYC_PROVIDER,
      sandboxDelayMs: read.KYC_SANDBOX_DELAY_MS,
      pollAfterMs: read.KYC_POLL_AFTER_S * 1000,
      sumsub: {
        baseUrl: read.SUMSUB_BASE_URL,
        appToken: read.SUMSUB_APP_TOKEN,
        secretKey: read.SUMSUB_SECRET_KEY,
        webhookSecret: read.SUMSUB_WEBHOOK_SECRET,
        levelName: read.SUMSUB_LEVEL_NAME,
      },
    },
    screeningFolder: read.SCREENING_FOLDER,
    retention: retentionOf(read),
    trustProxy: read.TRUST_PROXY,
    tracing: read.OTEL_EXPORTER_OTLP_ENDPOINT
      ? { endpoint: read.OTEL_EXPORTER_OTLP_ENDPOINT, serviceName: read.OTEL_SERVICE_NAME }
      : undefined,
    logLevel: read.LOG_LEVEL,
    exampleData: environment.NODE_ENV !== "production",
    endsWithParent: environment.npm_lifecycle_event === "start",
  };
}
