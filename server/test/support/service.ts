// The service under test: real PostgreSQL, a real port, and callers with their own subaccounts.

import { createHmac, randomBytes, randomUUID } from "node:crypto";
import { Writable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { Disburse } from "@disburse/client";
import { onTestFinished } from "vitest";
import type { AppOptions } from "../../src/doors/app/app.ts";
import { listen } from "../../src/doors/app/listen.ts";
import { commandRunner } from "../../src/doors/cli/over-http.ts";
import { newProgram } from "../../src/doors/cli/program.ts";
import { startPayoutWorker } from "../../src/money/payouts/worker.ts";
import { railDirectory } from "../../src/money/rails/directory.ts";
import { sandboxRail } from "../../src/money/rails/sandbox.ts";
import { openScreener } from "../../src/money/screener/screener.ts";
import { findAccountReceiver } from "../../src/people/accounts/holder-queries.ts";
import { insertAccount, insertBankDetails } from "../../src/people/accounts/queries.ts";
import { startKycWorker } from "../../src/people/kyc/worker.ts";
import { manualProvider } from "../../src/people/kyc-providers/manual.ts";
import { sandboxProvider } from "../../src/people/kyc-providers/sandbox.ts";
import { blankAccount } from "../../src/people/person/account.ts";
import type { NewReceiver } from "../../src/people/receivers/schema.ts";
import { noScreening } from "../../src/people/screening/screener.ts";
import { type Mode, scopes } from "../../src/platform/base/caller.ts";
import { idTimeMs, newId } from "../../src/platform/base/ids.ts";
import type { Db } from "../../src/platform/db/connect.ts";
import { masterKeyBytes, type Seal, sealWith } from "../../src/platform/encryption/seal.ts";
import { createLog } from "../../src/platform/log/log.ts";
import type { Metrics } from "../../src/platform/metrics/metrics.ts";
import { hmacKey, signatureHeader, stringToSign } from "../../src/platform/signatures/signature.ts";
import type { IssuedKey, KeyRequest } from "../../src/tenants/api-keys/create.ts";
import { ensureInstallation } from "../../src/tenants/installation/installation.ts";
import { startRequestLog } from "../../src/tenants/request-log/writer.ts";
import { createSubaccount } from "../../src/tenants/subaccounts/create.ts";
import { startDeliveryWorker } from "../../src/webhooks/delivery/worker.ts";
import { poster } from "../../src/webhooks/http-client/post.ts";
import { checkAuditEntries } from "./audit-check.ts";
import { cloneDatabase } from "./clone-database.ts";
import { createKey } from "./keys.ts";
import { templateName } from "./template-name.ts";

export const masterKey = randomBytes(masterKeyBytes);

/** The settings of a program that works on this database. */
export const settingsOf = ({ url }: { url: string }) => ({
  DATABASE_URL: url,
  DISBURSE_MASTER_KEY: masterKey.toString("base64"),
});

/** A new database, cloned from the migrated template. Without a name, it is that of the default cell. */
export async function newDatabase(
  metrics?: Metrics,
  cell = "",
): Promise<{ db: Db; url: string; seal: Seal }> {
  const { db, url } = await cloneDatabase(templateName, metrics);
  const seal = sealWith(masterKey);
  await ensureInstallation(db, seal, { cell, merchantId: "" });
  return { db, url, seal };
}

/** A database on which Disburse was never started. */
export function emptyDatabase(): Promise<{ db: Db; url: string }> {
  return cloneDatabase("template0");
}

export type Service = Awaited<ReturnType<typeof startService>>;

/** Options of the service. By default the sandbox never decides. */
export type ServiceOptions = Partial<AppOptions> & {
  sandboxDelayMs?: number;
  /** The delay of the sandbox bank. */
  bankDelayMs?: number;
  /** Also delivers events, to this machine. */
  delivers?: boolean;
  /** Writes the request log. */
  logsRequests?: boolean;
  /** Screens receivers and accounts against the lists in the database. */
  screens?: boolean;
  /** Without it, a new one. */
  database?: { db: Db; url: string; seal: Seal };
};

const neverMs = 86_400_000;

/** The service in this process, with its log. `close` ends it. */
export async function startService({
  sandboxDelayMs = neverMs,
  bankDelayMs = neverMs,
  delivers = false,
  logsRequests = false,
  screens = false,
  database,
  kyc = { test: sandboxProvider({ delayMs: sandboxDelayMs }), live: manualProvider },
  rails = railDirectory([{ mode: "test", rail: sandboxRail({ delayMs: bankDelayMs }) }]),
  ...options
}: ServiceOptions = {}) {
  const { db, url, seal } = database ?? (await newDatabase(options.metrics, options.cell));
  const logged: string[] = [];
  const destination = new Writable({
    write(chunk, _encoding, done) {
      logged.push(String(chunk));
      done();
    },
  });
  const log = createLog({ level: "debug", destination });
  const running = screens ? await openScreener(db, log) : undefined;
  const verification = startKycWorker({ db, seal, providers: kyc, log });
  const payouts = startPayoutWorker({ db, seal, log, metrics: options.metrics, rails });
  const posting = poster({ policy: "loopback" });
  const delivery = delivers && startDeliveryWorker({ db, seal, log, poster: posting });
  if (delivery) db.listeners.eventListeners.add(delivery.hint);
  const { metrics } = options;
  const requestLog = logsRequests ? startRequestLog({ db, log, metrics }) : undefined;
  const listening = await listen({
    runCommand: commandRunner(newProgram),
    db,
    seal,
    log,
    requestLog,
    kyc,
    rails,
    screener: running ?? noScreening,
    onPayoutDue: () => payouts.wake(),
    onKycDue: () => verification.wake(),
    signatureWindowMs: 300_000,
    rateLimit: { perSecond: 0, burst: 1 },
    postbackAddresses: "loopback",
    host: "127.0.0.1",
    port: 0,
    ...options,
  });
  const close = async () => {
    // The connections that idle are those of this process: nothing more comes on them.
    await listening.close(() => 0);
    await Promise.all([verification.close(), payouts.close()]);
    if (delivery) await delivery.close();
    await posting.close();
    await running?.close();
    await checkAuditEntries(db, seal).finally(() => db.close());
  };
  const baseUrl = listening.address;
  return {
    baseUrl,
    port: listening.port,
    db,
    url,
    seal,
    logged,
    screener: running,
    /** Writes the request log. The pause is needed: a client reads the response before the server has logged it. */
    flushRequests: async () => {
      await sleep(20);
      await requestLog?.flush();
    },
    close,
    newCaller: (keyOptions: CallerOptions = {}) => newCaller({ db, seal, baseUrl }, keyOptions),
  };
}

/** Starts the service for one test, and closes it after the test. */
export async function startServiceForTest(options: ServiceOptions = {}): Promise<Service> {
  const service = await startService(options);
  onTestFinished(service.close);
  return service;
}

/** `isAlone`: as a new test subaccount is, where one user is enough. Others practise four eyes. */
type CallerOptions = Partial<KeyRequest> & { mode?: Mode; isAlone?: boolean };

export type TestCaller = Awaited<ReturnType<typeof newCaller>>;

export async function newCaller(
  { db, seal, baseUrl }: { db: Db; seal: Seal; baseUrl: string },
  { mode = "test", isAlone = false, ...keyOptions }: CallerOptions = {},
) {
  const first = await createSubaccount({ db, seal }, { name: "A test", mode, scopes });
  if (!isAlone)
    await db.pool.query("update subaccount set needs_second_user = true where id = $1", [
      first.subaccountId,
    ]);
  const issued =
    Object.keys(keyOptions).length === 0
      ? first
      : ((await createKey(
          { db, seal },
          { name: "A key", scopes, subaccountId: first.subaccountId, ...keyOptions },
        )) as IssuedKey);
  const { key, secret, subaccountId } = issued;
  return {
    key,
    secret,
    subaccountId,
    mode,
    disburse: new Disburse({ apiKey: key, apiSecret: secret, baseUrl, maxRetries: 0 }),
    call: (method: string, path: string, options: CallOptions = {}) =>
      call({ baseUrl, key, secret }, method, path, options),
  };
}

export type CallOptions = {
  body?: unknown;
  /** Sent unchanged, instead of `body`. */
  raw?: string | Buffer;
  version?: 1 | 2;
  headers?: Record<string, string>;
};

export type Answer = { status: number; text: string; json: Body; headers: Headers };
// biome-ignore lint/suspicious/noExplicitAny: tests look into whatever came back
type Body = any;

/** The status of an answer, with the code of a refusal. */
export const outcomeOf = ({ status, json }: Answer): string =>
  `${status} ${json?.error?.[0]?.code ?? ""}`.trim();

/** A signed call without the client, for requests that the client would refuse to send. */
export async function call(
  target: { baseUrl: string; key: string; secret: string },
  method: string,
  path: string,
  { body, raw, version = 1, headers = {} }: CallOptions = {},
): Promise<Answer & { bytes: Buffer }> {
  const sent = raw ?? (body === undefined ? undefined : JSON.stringify(body));
  const signature = sign({ ...target, method, path, version, body: sent ?? "" });
  const response = await fetch(target.baseUrl + path, {
    method,
    headers: {
      "x-api-key": target.key,
      signature,
      ...(sent === undefined ? {} : { "content-type": "application/json" }),
      ...headers,
    },
    ...(sent === undefined ? {} : { body: sent as string }),
  });
  const bytes = Buffer.from(await response.arrayBuffer());
  const text = bytes.toString();
  const json = text && parsed(text);
  return { status: response.status, text, bytes, json, headers: response.headers };
}

function parsed(text: string): Body {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

type ToSign = {
  key: string;
  secret: string;
  method: string;
  path: string;
  body?: string | Buffer;
  version?: 1 | 2;
  ms?: number;
  nonce?: string;
};

export function sign({
  key,
  secret,
  method,
  path,
  body = "",
  version = 1,
  ...rest
}: ToSign): string {
  const ms = rest.ms ?? Date.now();
  // Version 1 is written out here, so that a mistake in the shared code can't hide.
  if (version === 1) {
    return `${ms}.${createHmac("sha256", secret).update(`${ms}.${key}`).digest("hex")}`;
  }
  const unsigned = { version, ms, nonce: rest.nonce ?? randomUUID(), hex: "" } as const;
  const text = stringToSign(unsigned, { key, method, path, body: Buffer.from(body) });
  return signatureHeader(unsigned, hmacKey(secret), text);
}

let count = 0;

/** A receiver that passes every rule, with a unique email. */
export function ada(changes: Partial<NewReceiver> = {}): NewReceiver {
  count += 1;
  return {
    first_name: "Ada",
    last_name: "Lovelace",
    email: `ada-${count}-${randomUUID().slice(0, 8)}@example.com`,
    dob: "1990-12-10",
    dialcode: "61",
    phone: "412345678",
    gender: "F",
    address: "1 St. Kilda Road",
    address2: "",
    city: "Melbourne",
    state: "VIC",
    postcode: "3004",
    country: "AUS",
    ...changes,
  };
}

/** Adds a bank account with any number: unlike the service, this checks no country's rules. */
export async function addAccount(
  { db, seal }: { db: Db; seal: Seal },
  subaccountId: string,
  receiverId: string,
  accountNumber = "12345999",
): Promise<string> {
  const id = newId();
  await db.transaction(async (tx) => {
    const receiver = await findAccountReceiver({ db: tx, seal }, { subaccountId, id: receiverId });
    const bank = {
      account_type: "I",
      account_number: accountNumber,
      bsb: "062000",
      bank_code: "CBA",
    };
    const fields = { ...blankAccount, ...receiver?.defaults, ...bank };
    const { personKey } = receiver ?? { personKey: undefined };
    const first = { subaccountId, personKey, fields, version: 1, createdAtMs: idTimeMs(id) };
    await insertAccount(tx, { ...first, id, receiverId, address: "valid" });
    const bankName = "Commonwealth Bank";
    await insertBankDetails({ tx, seal }, { ...first, accountId: id, bankName, who: "service" });
  });
  return id;
}
