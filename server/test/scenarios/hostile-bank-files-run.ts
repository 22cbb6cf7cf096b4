// A user uploads hostile bank files to a service in this process, another one confirms what waits, and the longest turn of
// its event loop is measured. Used by a test and by a campaign, without a test runner.

import { randomBytes } from "node:crypto";
import { Agent, request } from "node:http";
import { saveCsvMapping } from "../../src/banking/connections/csv-mapping.ts";
import { putConnection } from "../../src/banking/connections/save-connection.ts";
import { listen } from "../../src/doors/app/listen.ts";
import { railDirectory } from "../../src/money/rails/directory.ts";
import { sandboxRail } from "../../src/money/rails/sandbox.ts";
import { sandboxProvider } from "../../src/people/kyc-providers/sandbox.ts";
import { noScreening } from "../../src/people/screening/screener.ts";
import { newId } from "../../src/platform/base/ids.ts";
import type { Db } from "../../src/platform/db/connect.ts";
import type { Seal } from "../../src/platform/encryption/seal.ts";
import { createLog } from "../../src/platform/log/log.ts";
import { ensureInstallation } from "../../src/tenants/installation/installation.ts";
import { insertUser } from "../../src/tenants/user-records/queries.ts";
import { authSecret } from "../../src/tenants/users/login.ts";
import { signedToken } from "../../src/tenants/users/session-cookie.ts";
import { hostileBankFiles, hostileCsvMapping } from "./hostile-bank-files.ts";

export type HostileUpload = {
  /** Format and shape. */
  name: string;
  status: number;
  /** Of the longest turn, in processor time of the main thread: other processes may have the processor meanwhile. */
  blockedMs: number;
};

type Parts = { db: Db; seal: Seal };

const account = "40718263";
const base = "/console/api/banks";

export async function uploadHostileFiles(
  { db, seal }: Parts,
  options: { bytes: number; only?: RegExp; onFile?: (done: number) => void },
): Promise<HostileUpload[]> {
  await ensureInstallation(db, seal);
  const made = { who: "campaign", atMs: Date.now() };
  const { after: connection } = await db.transaction((tx) =>
    putConnection({ tx, seal }, connectionInput, made),
  );
  await db.transaction((tx) =>
    saveCsvMapping(tx, connection.id, { input: hostileCsvMapping, ...made }),
  );
  const finance = await signIn({ db, seal }, "Finance");
  const second = await signIn({ db, seal }, "Second");
  const service = await listen({
    ...{ db, seal, log: createLog({ level: "silent" }), host: "127.0.0.1", port: 0 },
    ...{ signatureWindowMs: 300_000, rateLimit: { perSecond: 0, burst: 1 } },
    kyc: { test: sandboxProvider({ delayMs: 0 }), live: sandboxProvider({ delayMs: 0 }) },
    rails: railDirectory([{ mode: "test", rail: sandboxRail({ delayMs: 0 }) }]),
    screener: noScreening,
    postbackAddresses: "loopback",
  });
  const agent = new Agent({ keepAlive: true });
  const post = (cookie: string, path: string, body: Buffer) =>
    send({ agent, url: service.address, cookie }, path, body);
  const uploads: HostileUpload[] = [];
  const upload = async (name: string, cookie: string, path: string, body: Buffer) => {
    const watch = watchTurns();
    const { status, text } = await post(cookie, path, body);
    uploads.push({ name, status, blockedMs: Math.round(watch.end()) });
    options.onFile?.(uploads.length);
    return text;
  };
  const confirm = async (name: string, requestId: string) => {
    const { rows } = await db.pool.query<{ sha256: string }>(
      "select summary_sha256 as sha256 from bank_request where id = $1",
      [requestId],
    );
    const path = `/console/api/bank-requests/${requestId}/approve`;
    await upload(`${name}, confirmed`, second, path, Buffer.from(JSON.stringify(rows[0])));
  };
  try {
    // The first file starts the thread, and compiles what serves it.
    await post(finance, `${base}/inbound`, bodyOf("first", "hello", connection.id));
    const files = Object.entries(hostileBankFiles(options.bytes, account));
    for (const [name, text] of files.filter(([name]) => options.only?.test(name) ?? true)) {
      const body = bodyOf(name, text, connection.id);
      const answer = await upload(name, finance, `${base}/inbound`, body);
      const waiting = /"request_id":"([^"]+)"/.exec(answer)?.[1];
      if (waiting) await confirm(name, waiting);
      if (!name.startsWith("csv")) continue;
      const content = Buffer.from(text).toString("base64");
      const preview = `${base}/connections/${connection.id}/csv-mapping/preview`;
      await upload(`${name}, preview`, finance, preview, Buffer.from(JSON.stringify({ content })));
    }
  } finally {
    agent.destroy();
    await service.close();
  }
  return uploads;
}

function bodyOf(name: string, text: string, connectionId: string): Buffer {
  const content = Buffer.from(text).toString("base64");
  const file = { name: name.replaceAll(/[^a-z0-9.]/g, "-"), content, connection_id: connectionId };
  return Buffer.from(JSON.stringify(file));
}

const connectionInput = {
  name: "hostile",
  format: "aba",
  subaccount_ids: null,
  settings: {
    bank: "CBA",
    user_id: "301500",
    user_name: "ACME PAYOUTS PTY LTD",
    bsb: "062000",
    account_number: account,
    description: "PAYOUTS",
    remitter: "ACME PAYOUTS",
  },
};

async function signIn({ db, seal }: Parts, name: string): Promise<string> {
  const email = `${name.toLowerCase()}@example.com`;
  const user = { id: newId(), name, email, role: "finance" } as const;
  await insertUser(db, user);
  const token = randomBytes(24).toString("base64url");
  await db.pool.query(
    `insert into user_session (id, user_id, token, expires_at, proven_at)
     values ($1, $2, $3, now() + interval '12 hours', now() + interval '12 hours')`,
    [newId(), user.id, token],
  );
  return `disburse-session=${signedToken(token, authSecret(seal))}`;
}

/** With as little work in this process as possible. */
function send(
  { agent, url, cookie }: { agent: Agent; url: string; cookie: string },
  path: string,
  body: Buffer,
): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const sent = request(new URL(path, url), {
      agent,
      method: "POST",
      headers: {
        ...{ cookie, origin: url, "sec-fetch-site": "same-origin" },
        ...{ "x-requested-with": "disburse-console", "content-type": "application/json" },
        "content-length": body.length,
      },
    });
    sent.on("error", reject);
    sent.on("response", (response) => {
      let text = "";
      response.on("data", (chunk) => {
        text += chunk;
      });
      response.on("end", () => resolve({ status: response.statusCode ?? 0, text }));
    });
    sent.end(body);
  });
}

/** A timer of a millisecond. What lies between two of its turns is at most one long turn. */
function watchTurns(): { end(): number } {
  let longestMs = 0;
  let before = process.threadCpuUsage();
  const look = () => {
    const { user, system } = process.threadCpuUsage(before);
    before = process.threadCpuUsage();
    longestMs = Math.max(longestMs, (user + system) / 1000);
  };
  const timer = setInterval(look, 1);
  return {
    end() {
      look();
      clearInterval(timer);
      return longestMs;
    },
  };
}
