// The primary is lost and its standby is promoted: the service goes on by itself.

import { once } from "node:events";
import { type AddressInfo, createServer, connect as dial, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { DisburseError } from "@disburse/client";
import { expect, onTestFinished, test } from "vitest";
import { connect, statement } from "../../src/platform/db/connect.ts";
import { isOutage } from "../../src/platform/db/outage.ts";
import { sealWith } from "../../src/platform/encryption/seal.ts";
import { ensureInstallation } from "../../src/tenants/installation/installation.ts";
import { checkDeliveries, complaints } from "../support/delivery-check.ts";
import {
  committedEvents,
  newPayer,
  payoutIds,
  payUntilMade,
  untilDrained,
} from "../support/payers.ts";
import { standbyName, startPair } from "../support/postgres-servers.ts";
import { serve } from "../support/process.ts";
import { masterKey, settingsOf } from "../support/service.ts";
import { startSink } from "../support/sink.ts";

const callers = 8;
const startMs = 240_000;

test(
  "after the loss of the primary, its standby serves: nothing acknowledged is lost",
  async () => {
    const pair = await startPair();
    onTestFinished(pair.close, startMs);
    const { primary, standby, urlOf } = pair;
    const url = urlOf(primary, standby);
    const db = connect({ connection: { connectionString: url }, poolMax: 2 });
    onTestFinished(() => db.close());
    const seal = sealWith(masterKey);
    await ensureInstallation(db, seal);
    const sink = await startSink((_received, response) => void response.writeHead(204).end());
    onTestFinished(() => sink.close());
    const service = await serve({
      ...settingsOf({ url }),
      NODE_ENV: "production",
      ADMIN_PORT: "0",
      POSTBACK_ADDRESSES: "loopback",
      SANDBOX_BANK_DELAY_MS: "50",
      RATE_LIMIT_PER_S: "0",
      LOG_LEVEL: "fatal",
    });
    onTestFinished(() => service.end("SIGKILL").then(() => {}));
    const { baseUrl } = service;
    const ready = async () => (await (await fetch(`${baseUrl}/readyz`)).json()).reasons;
    const payer = await newPayer({ db, seal, baseUrl }, sink.url("/"));
    await pair.waitForStandby(standbyName);

    const paid: string[] = [];
    const answers = new Set<string>();
    let isOver = false;
    const pay = async (caller: number) => {
      for (let payee = caller; !isOver; payee += callers) {
        const onTrouble = async ({ status, retryAfterMs }: DisburseError) => {
          answers.add(`${status} ${retryAfterMs === null ? "without" : "with"} Retry-After`);
          await sleep(20);
        };
        paid.push(await payUntilMade(payer, payee, () => baseUrl, onTrouble));
      }
    };
    const paying = Promise.all(Array.from({ length: callers }, (_, caller) => pay(caller)));
    await expect.poll(() => Math.min(paid.length, sink.received.length)).toBeGreaterThan(50);

    await primary.stop("SIGKILL");
    await expect.poll(ready).toEqual(["database has no primary: only a standby answers"]);
    const [before, receivedBefore] = [paid.length, sink.received.length];
    await standby.query("select pg_promote()");
    await expect.poll(ready).toEqual([]);
    await expect.poll(() => paid.length, { timeout: 30_000 }).toBeGreaterThan(before + 50);
    await expect
      .poll(() => sink.received.length, { timeout: 30_000 })
      .toBeGreaterThan(receivedBefore + 50);
    isOver = true;
    await paying;
    await untilDrained(db, [payer], 60_000);

    const stored = await payoutIds(db);
    expect(paid.filter((id) => !stored.has(id))).toEqual([]);
    expect([...stored].length).toBe(paid.length);
    // 409: a retry arrives while the transaction of the first request is not over yet.
    const expected = ["409 with Retry-After", "503 with Retry-After"];
    expect([...answers].filter((answer) => !expected.includes(answer))).toEqual([]);
    expect(complaints(checkDeliveries(await committedEvents(db), sink.received))).toEqual([]);
  },
  startMs,
);

/** A way to the server that can fall silent, as when a machine loses its power: nothing is refused or closed. */
async function startLine(port: number) {
  let isSilent = false;
  const sockets: Socket[] = [];
  const server = createServer((client) => {
    sockets.push(client);
    client.on("error", () => {});
    if (isSilent) return;
    const upstream = dial(port, "127.0.0.1");
    upstream.on("error", () => {});
    client.on("data", (chunk) => isSilent || upstream.write(chunk));
    upstream.on("data", (chunk) => isSilent || client.write(chunk));
    client.on("close", () => upstream.destroy());
    upstream.on("close", () => isSilent || client.destroy());
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return {
    port: (server.address() as AddressInfo).port,
    fallSilent() {
      isSilent = true;
    },
  };
}

test(
  "connections to a primary that has fallen silent end when another one is found",
  async () => {
    const pair = await startPair();
    onTestFinished(pair.close, startMs);
    const line = await startLine(pair.primary.port);
    const url = pair.urlOf({ port: line.port }, pair.standby);
    const db = connect({ connection: { connectionString: url }, poolMax: 4 });
    onTestFinished(() => db.close());
    const which = statement<{ port: number }>("which", "select inet_server_port() as port");
    const ask = () => db.run(which);
    const listening = await db.openClient();
    const lost = new Promise<void>((resolve) => listening.once("end", resolve));
    expect(await ask()).toEqual([{ port: pair.primary.port }]);

    line.fallSilent();
    const unanswered = await ask().catch((error) => error);
    expect(isOutage(unanswered)).toBe(true);
    expect(db.overdueCount()).toBe(1);
    await pair.standby.query("select pg_promote()");
    await lost;
    await expect.poll(() => db.overdueCount()).toBe(0);
    expect(await ask()).toEqual([{ port: pair.standby.port }]);
  },
  startMs,
);
