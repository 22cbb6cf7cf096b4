// A company with a month behind it: the service on a database of its own, a webhook endpoint for its events, and
// people who have done their work. Gone at the end.

import "./moved-clock.ts"; // First: the service takes the clock as it finds it.

import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Writable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { startBackground } from "../../server/src/doors/app/background.ts";
import { listen } from "../../server/src/doors/app/listen.ts";
import { openDatabase } from "../../server/src/doors/database/open-database.ts";
import { railDirectory } from "../../server/src/money/rails/directory.ts";
import { sandboxRail } from "../../server/src/money/rails/sandbox.ts";
import { openScreener } from "../../server/src/money/screener/screener.ts";
import { manualProvider } from "../../server/src/people/kyc-providers/manual.ts";
import { sandboxProvider } from "../../server/src/people/kyc-providers/sandbox.ts";
import { readConfig } from "../../server/src/platform/config/config.ts";
import { eventName } from "../../server/src/platform/event-catalogue/event.ts";
import { createLog } from "../../server/src/platform/log/log.ts";
import { createMetrics } from "../../server/src/platform/metrics/metrics.ts";
import { startRequestLog } from "../../server/src/tenants/request-log/writer.ts";
import { createSubaccount } from "../../server/src/tenants/subaccounts/create.ts";
import { setPostback } from "../../server/src/webhooks/webhook-endpoints/set-postback.ts";
import { liveMonth } from "./month.ts";
import { moveClockTo } from "./moved-clock.ts";

const dayMs = 86_400_000;
/** The month drives the bank and the identity check, so both do nothing by themselves. */
const neverMs = 400 * dayMs;

export type Company = Awaited<ReturnType<typeof startCompany>>;

export async function startCompany({ days, say }: { days: number; say: (text: string) => void }) {
  const untilMs = Date.now();
  // At midnight, so that days begin when they do. Ids only ever grow, so it is then before there is any.
  const sinceMs = Math.floor(untilMs / dayMs) * dayMs - days * dayMs;
  moveClockTo(sinceMs);
  const folder = mkdtempSync(join(tmpdir(), "disburse-screenshots-"));
  const config = readConfig({ DATA_DIR: folder, PORT: "0", LOG_LEVEL: "error" });
  const metrics = createMetrics();
  const log = createLog({
    level: "error",
    destination: new Writable({ write: (_c, _e, done) => done() }),
  });
  const opened = await openDatabase(config, {
    purpose: "the screenshots",
    alone: true,
    mayCreate: true,
    metrics,
  });
  const { db, seal } = opened;
  const kyc = { test: sandboxProvider({ delayMs: neverMs }), live: manualProvider };
  const rails = railDirectory([{ mode: "test", rail: sandboxRail({ delayMs: neverMs }) }]);
  const screener = await openScreener(db, log);
  const parts = { db, seal, log, metrics, kyc };
  const background = startBackground({ ...parts, config, rails, screener });
  background.lead();
  const { onKycDue, onPayoutDue } = background;
  const requestLog = startRequestLog({ db, log, metrics });
  const due = { onKycDue, onPayoutDue };
  const listening = await listen({ ...config, ...parts, rails, screener, requestLog, ...due });
  const endpoint = await startEndpoint();

  const issued = await createSubaccount(parts, { name: "Northwind Makers", mode: "test" });
  const live = await createSubaccount(parts, { name: "Harbour Rides", mode: "live" });
  await db.transaction((tx) =>
    setPostback({ tx, seal }, issued.subaccountId, endpoint.url, {
      addresses: "loopback",
      nowMs: Date.now(),
    }),
  );
  const month = { db, baseUrl: listening.address, issued, sinceMs, untilMs };
  await liveMonth(month, (day) => say(`day ${day} of ${days}`));
  await sleep(500);

  const { subaccountId } = issued;
  const idOf = async (text: string): Promise<string> => {
    const { rows } = await db.pool.query<{ id: string }>(text, [subaccountId]);
    if (!rows[0]) throw new Error(`nothing of it: ${text}`);
    return rows[0].id;
  };
  return {
    consoleUrl: `http://localhost:${listening.port}`,
    subaccountId,
    db,
    seal,
    rails,
    screener,
    keys: { test: issued, live },
    aPayout: (status: string) =>
      idOf(
        `select id from payout where subaccount_id = $1 and status = '${status}' order by id desc limit 1`,
      ),
    /** The newest row of a table of the installation. */
    newestOf: async (table: string, where = "true") => {
      const newest = `select id from ${table} where ${where} order by id desc limit 1`;
      const { rows } = await db.pool.query<{ id: string }>(newest);
      if (!rows[0]) throw new Error(`nothing of it: ${newest}`);
      return rows[0].id;
    },
    aPayee: async () => {
      const { rows } = await db.pool.query<{ receiver_id: string; account_id: string }>(
        "select receiver_id, account_id from payout where subaccount_id = $1 and currency = 'AUD' limit 1",
        [subaccountId],
      );
      if (!rows[0]) throw new Error("no receiver was paid");
      return rows[0];
    },
    /** The newest payouts of the company, as if they had been sent together. */
    aPayoutBatch: () =>
      idOf(`with newest as (select id from payout where subaccount_id = $1 order by id desc limit 40),
                 batch as (select id from newest limit 1),
                 changed as (update payout p set batch_id = batch.id from batch
                             where p.subaccount_id = $1 and p.id in (select id from newest))
            select id from batch`),
    aReceiver: () =>
      idOf(
        "select receiver_id as id from payout where subaccount_id = $1 order by id desc limit 1",
      ),
    aPendingReceiver: () =>
      idOf(`select id from receiver where subaccount_id = $1 and kyc_status = 'pending'
            order by id desc limit 1`),
    aHit: () => idOf("select id from screening_hit where subaccount_id = $1 limit 1"),
    aHold: () =>
      idOf(`select h.payout_id as id from payout_hold h where h.subaccount_id = $1 and h.decision is null
            and not exists (select from screening_hit x join payout p on p.subaccount_id = x.subaccount_id
              and p.receiver_id = x.receiver_id
              where p.subaccount_id = h.subaccount_id and p.id = h.payout_id) limit 1`),
    anEvent: async () =>
      eventName(
        await idOf(`select event_id as id from delivery_attempt
                    where subaccount_id = $1 and status = 503 order by id desc limit 1`),
      ),
    aRequest: () =>
      idOf("select id from request_log where subaccount_id = $1 and status = 401 limit 1"),
    async close() {
      await listening.close();
      await background.close();
      await screener.close();
      await endpoint.close();
      await opened.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Takes a moment for each, and has no time at all for one in thirty. */
async function startEndpoint() {
  let received = 0;
  const server = createServer((request, response) => {
    request.resume();
    received += 1;
    const status = received % 31 === 0 ? 503 : 204;
    setTimeout(() => response.writeHead(status).end(), 5 + (received % 7) * 9);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/disburse/events`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
