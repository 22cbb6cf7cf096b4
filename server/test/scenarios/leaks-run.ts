// Sends secrets and personal data on every path, also on those that fail, and then searches for them in everything that
// others may read.

import { randomBytes, randomUUID } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { Disburse, DisburseError } from "../../../client/src/index.ts";
import { limits } from "../../src/platform/limits/limits.ts";
import { createSubaccount } from "../../src/tenants/subaccounts/create.ts";
import { newWebhookSecret } from "../../src/webhooks/webhook-endpoints/secret.ts";
import { addSecret } from "../support/committed-events.ts";
import { newPayee, newPerson, type Payee } from "../support/payers.ts";
import { type Serving, serve } from "../support/process.ts";
import { type Received, startSink } from "../support/sink.ts";
import type { ServiceParts } from "../support/worker.ts";

type LeaksSeen = {
  /** The number of texts searched for, and the bytes searched in each place. */
  canaries: number;
  searched: Record<string, number>;
  answers: Record<string, number>;
  /** The places where a text was found, and the text. */
  hits: string[];
};

/** Endpoints that return the request in their response, each in another way. */
const ways: Record<string, (received: Received, response: ServerResponse) => void> = {
  echo: (received, response) => response.writeHead(200).end(echo(received)),
  refuse: (received, response) => response.writeHead(500).end(echo(received)),
  headers: ({ headers }, response) => {
    const all = Object.entries(headers).map(([name, value]) => [`x-${name}`, String(value)]);
    response.writeHead(400, Object.fromEntries(all)).end();
  },
  encoded: (received, response) => response.writeHead(422).end(encodeURIComponent(echo(received))),
  page: (received, response) =>
    response.writeHead(404).end(`<pre>${echo(received).replaceAll('"', "&quot;")}</pre>`),
  // The stored part of the response ends in the middle of a secret.
  late: (received, response) => {
    const text = String(received.headers["webhook-signature"]);
    const room = limits.answerKeptBytesMax - Math.floor(text.length / 2);
    response.writeHead(500).end(`${" ".repeat(room)}${text}${echo(received)}`);
  },
  move: (received, response) => {
    const query = new URLSearchParams(received.headers as Record<string, string>);
    response.writeHead(302, { location: `http://127.0.0.1:1/?${query}` }).end(echo(received));
  },
  gone: (received, response) => response.writeHead(410).end(echo(received)),
  cut: (received, response) => {
    response.writeHead(200, { "content-length": "99999" }).write(echo(received));
    setTimeout(() => response.destroy(), 20);
  },
  noise: (received, response) => {
    response.socket?.end(
      `HTTP/9.9 ${received.headers["webhook-signature"]}\r\n\r\n${echo(received)}`,
    );
  },
};

const serviceName = "leaks";
const echo = ({ headers, body }: Received) => JSON.stringify({ headers, body });

export async function seekLeaks(parts: ServiceParts): Promise<LeaksSeen> {
  const { db, seal, url, masterKey } = parts;
  const mark = randomBytes(6)
    .toString("hex")
    .replace(/\d/g, (digit) => "ghijklmnop"[+digit] as string);
  const sink = await startSink((received, response) => {
    const way = ways[received.path.slice(1).split("?")[0] as string];
    if (way) way(received, response);
    else response.writeHead(204).end();
  });
  const personal: string[] = [];
  const tokens: string[] = [];
  const secrets = [masterKey.toString("base64"), masterKey.toString("hex"), new URL(url).password];
  const answers: Record<string, number> = {};
  const refusals: string[] = [];
  const signatures: string[] = [];

  const service = await serve({
    NODE_ENV: "production",
    DATABASE_URL: `${url}&application_name=${serviceName}`,
    DISBURSE_MASTER_KEY: masterKey.toString("base64"),
    ADMIN_PORT: "0",
    POSTBACK_ADDRESSES: "loopback",
    KYC_SANDBOX_DELAY_MS: "86400000",
    SANDBOX_BANK_DELAY_MS: "20",
    RATE_LIMIT_PER_S: "0",
    LOG_LEVEL: "trace",
  });
  const watching: typeof fetch = async (address, init) => {
    signatures.push(new Headers(init?.headers).get("signature") ?? "");
    const response = await fetch(address, init);
    const text = await response.clone().text();
    answers[response.status] = (answers[response.status] ?? 0) + 1;
    if (response.status >= 400) refusals.push(text);
    return response;
  };

  async function payBy(way: string): Promise<string> {
    const token = `canary-token-${mark}-${way}`;
    const postbackUrl = sink.url(`/${way}?token=${token}`);
    const request = { name: `Canary ${mark}`, mode: "test", postbackUrl } as const;
    const { subaccountId, key, secret } = await createSubaccount({ db, seal }, request);
    const webhookSecret = newWebhookSecret();
    await addSecret({ db, seal }, subaccountId, webhookSecret);
    secrets.push(secret, secret.slice(8), webhookSecret, webhookSecret.slice(6));
    tokens.push(token);
    const options = { apiKey: key, apiSecret: secret, baseUrl: service.baseUrl, fetch: watching };
    const disburse = new Disburse({ ...options, maxRetries: 0 });
    const payee = await newCanaryPayee(disburse);
    const reference = `canary-reference-${mark}-${way}`;
    const money = { amount: 1_000, currency: "AUD", reference };
    await disburse.testHelpers.fund(money);
    const body = { ...payee, amount: 10, currency: "AUD", reference, note: `canary-note-${mark}` };
    personal.push(reference, body.note);
    await disburse.payouts.create(body, { idempotencyKey: `canary-key-${mark}` });
    await fail(disburse, payee);
    return subaccountId;
  }

  async function newCanaryPayee(disburse: Disburse): Promise<Payee> {
    const email = `canary-${randomUUID()}-${mark}@example.com`;
    const names = { first_name: `Canaryfirst${mark}`, last_name: `Canarylast${mark}`, email };
    const place = { address: `77 Canary Wharf ${mark}`, city: `Canarytown ${mark}` };
    const account_number = String(100_000_000 + (randomBytes(4).readUInt32BE() % 900_000_000));
    personal.push(...Object.values(names), ...Object.values(place), account_number);
    return newPayee(disburse, account_number, { ...names, ...place });
  }

  /** Calls that are refused, with canaries wherever they fit. */
  async function fail(disburse: Disburse, { receiver_id, account_id }: Payee): Promise<void> {
    const email = personal.find((text) => text.includes("@")) as string;
    const number = personal.find((text) => /^\d{9}$/.test(text)) as string;
    const bad = {
      ...newPerson(),
      email: `${email} `,
      first_name: `Canaryfirst${mark}!`,
      phone: number,
    };
    const to = { receiver_id, account_id, currency: "AUD" };
    const reference = `canary-reference-${mark}`;
    const calls = [
      () => disburse.receivers.create(bad),
      () => disburse.receivers.create({ ...newPerson(), email }),
      () => disburse.receivers.get(email),
      () => disburse.payouts.get(`${number}?email=${email}`),
      () => disburse.payouts.create({ ...to, amount: 99_999_999, reference }),
      () => disburse.payouts.create({ ...to, account_id: number, amount: 1, reference }),
      () =>
        disburse.payouts.create(
          { ...to, amount: 11, reference },
          { idempotencyKey: `canary-key-${mark}` },
        ),
    ];
    for (const call of calls) {
      await call().catch((error: unknown) => {
        if (!(error instanceof DisburseError)) throw error;
      });
    }
  }

  try {
    const payers: Promise<string>[] = [];
    for (const way of [...Object.keys(ways), "taken"]) payers.push(payBy(way));
    await untilTried(parts, await Promise.all(payers));
    await withDatabaseErrors(parts, () => payBy("echo"));
    const metrics = await (await fetch(service.metricsUrl)).text();
    const commands = commandLines(service);
    await service.end();
    for (const { headers } of sink.received) {
      const sent = String(headers["webhook-signature"]).split(" ");
      signatures.push(...sent.map((one) => one.split(",")[1] as string));
    }
    const { stdout, stderr } = service.output();
    const all = [...personal, ...secrets, ...tokens, ...signatures];
    // The caller's reference is part of the published event.
    const exceptReference = all.filter((text) => !text.startsWith("canary-reference"));
    const sealed = [...secrets, ...personal.filter((text) => /^\d{9}$/.test(text))];
    const places: Place[] = [
      ["the log", stdout + stderr, all],
      ["metrics", metrics, all],
      ["arguments of processes", commands, all],
      ["refusals", refusals.join("\n"), all],
      ["events", sink.received.map(({ body }) => body).join("\n"), exceptReference],
      ["attempts", await textOf(parts, "delivery_attempt"), exceptReference],
      ["every table", await everyTable(parts), sealed],
    ];
    return { ...search(places), canaries: new Set(all).size, answers };
  } finally {
    await service.end("SIGKILL");
    await sink.close();
  }
}

type Place = [name: string, text: string, canaries: string[]];

function search(places: readonly Place[]): Pick<LeaksSeen, "searched" | "hits"> {
  const searched: Record<string, number> = {};
  const hits: string[] = [];
  for (const [name, text, canaries] of places) {
    searched[name] = text.length;
    const lower = text.toLowerCase();
    for (const canary of new Set(canaries.filter(Boolean))) {
      const at = lower.indexOf(canary.toLowerCase());
      if (at >= 0)
        hits.push(`${name}: ${JSON.stringify(text.slice(Math.max(0, at - 80), at + 120))}`);
    }
  }
  return { searched, hits };
}

/** Waits until each subaccount has a recorded attempt. */
async function untilTried({ db }: ServiceParts, subaccountIds: string[]): Promise<void> {
  const text = "select count(distinct subaccount_id)::int as tried from delivery_attempt";
  const endMs = Date.now() + 30_000;
  while (Date.now() < endMs) {
    const { rows } = await db.pool.query(text);
    if (rows[0].tried >= subaccountIds.length) return;
    await sleep(50);
  }
  throw new Error("some events were never sent");
}

/** PostgreSQL refuses a row and quotes it in its error, then cuts every connection. */
async function withDatabaseErrors(
  { db }: ServiceParts,
  work: () => Promise<unknown>,
): Promise<void> {
  const { pool } = db;
  await pool.query(
    "alter table delivery_attempt add constraint strange check (took_ms < 0) not valid",
  );
  await work();
  await sleep(1_500);
  await pool.query("alter table receiver add constraint strange check (email = '') not valid");
  await work().catch(() => {});
  await pool.query("alter table receiver drop constraint strange");
  await pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid() and application_name = $1`,
    [serviceName],
  );
  await work().catch(() => {});
  await pool.query("alter table delivery_attempt drop constraint strange");
  await sleep(1_500);
}

/** The arguments of the process and its children, as ps shows them. */
function commandLines({ process: { pid } }: Serving): string {
  const of = (id: string | number) => {
    try {
      return readFileSync(`/proc/${id}/cmdline`, "utf8").replaceAll("\0", " ");
    } catch {
      return "";
    }
  };
  const children = readdirSync("/proc").filter((id) => {
    if (!/^\d+$/.test(id)) return false;
    try {
      return readFileSync(`/proc/${id}/stat`, "utf8").split(") ")[1]?.split(" ")[1] === String(pid);
    } catch {
      return false;
    }
  });
  return [pid as number, ...children].map(of).join("\n");
}

async function textOf({ db }: ServiceParts, table: string): Promise<string> {
  const { rows } = await db.pool.query<{ row: string }>(`select t::text as row from ${table} t`);
  return rows.map(({ row }) => row).join("\n");
}

async function everyTable(parts: ServiceParts): Promise<string> {
  const { rows } = await parts.db.pool.query<{ name: string }>(
    "select format('%I', tablename) as name from pg_tables where schemaname = 'public'",
  );
  let text = "";
  for (const { name } of rows) text += await textOf(parts, name);
  return text;
}
