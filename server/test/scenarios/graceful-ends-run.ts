// Two processes of the service under load are stopped in turn and replaced at once: no client should notice.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { DisburseError } from "../../../client/src/index.ts";
import { waitingCount } from "../support/committed-events.ts";
import { checkDeliveries, complaints, type DeliveryCheck } from "../support/delivery-check.ts";
import type { Broken } from "../support/kept-connections.ts";
import { clientOf, committedEvents, newPayer, payoutIds, payUntilMade } from "../support/payers.ts";
import { type Serving, serve } from "../support/process.ts";
import { startSink } from "../support/sink.ts";
import { addThreeSpeeds } from "../support/three-speeds.ts";
import type { ServiceParts } from "../support/worker.ts";

type GracefulEnds = { ends: number; onEnd?: (done: number) => void };

type GracefulEndsSeen = DeliveryCheck & {
  acknowledged: number;
  read: number;
  /** Refused connections, which were retried at the other process. */
  refused: number;
  exitMs: number[];
  complaints: string[];
};

const payers = 4;
const callers = 12;
const exitMsMax = 20_000;
const drainMs = 60_000;

export async function endGracefully(
  { db, seal, url, masterKey }: ServiceParts,
  { ends, onEnd = () => {} }: GracefulEnds,
): Promise<GracefulEndsSeen> {
  const compiled = mkdtempSync(join(tmpdir(), "disburse-compiled-"));
  const sink = await startSink((_received, response) => {
    setTimeout(() => response.writeHead(204).end(), Math.random() * 30);
  });
  let further: Awaited<ReturnType<typeof addThreeSpeeds>> | undefined;
  const up: Serving[] = [];
  const said: string[] = [];
  const paid: string[] = [];
  const exitMs: number[] = [];
  let [read, refused] = [0, 0];
  let isOver = false;

  async function raise(): Promise<void> {
    const environment = {
      NODE_COMPILE_CACHE: compiled,
      NODE_ENV: "production",
      DATABASE_URL: url,
      DISBURSE_MASTER_KEY: masterKey.toString("base64"),
      ADMIN_PORT: "0",
      POSTBACK_ADDRESSES: "loopback",
      KYC_SANDBOX_DELAY_MS: "86400000",
      SANDBOX_BANK_DELAY_MS: "50",
      RATE_LIMIT_PER_S: "0",
      LOG_LEVEL: "warn",
    };
    up.push(await serve(environment));
  }
  const anyUp = () => (up[Math.floor(Math.random() * up.length)] as Serving).baseUrl;

  async function onTrouble(error: DisburseError): Promise<void> {
    const broken = brokenOn(error);
    if (broken?.isUntaken) refused += 1;
    else said.push(`a client got ${error.status} ${error.code} ${error.message} ${broken}`);
    await sleep(5);
  }

  try {
    await Promise.all([raise(), raise()]);
    const baseUrl = anyUp();
    const all = await Promise.all(
      Array.from({ length: payers }, (_, index) =>
        newPayer({ db, seal, baseUrl }, sink.url(`/${index}`)),
      ),
    );
    further = await addThreeSpeeds({ db, seal }, [(all[0] as (typeof all)[number]).subaccountId]);
    const call = async (index: number) => {
      const payer = all[index % payers] as (typeof all)[number];
      for (let payee = index; !isOver; payee += 1) {
        paid.push(await payUntilMade(payer, payee, anyUp, onTrouble));
        const client = clientOf(payer.keys, anyUp());
        await client.payouts.get(paid.at(-1) as string).then(() => {
          read += 1;
        }, onTrouble);
        await sleep(Math.random() * 10);
      }
    };
    const calling = Promise.all(Array.from({ length: callers }, (_, index) => call(index)));
    for (let done = 1; done <= ends; done += 1) {
      const [before, receivedBefore] = [paid.length, sink.received.length];
      while (paid.length < before + callers || sink.received.length < receivedBefore + callers) {
        await sleep(10);
      }
      await sleep(Math.random() * 200);
      // Callers still use it for a while, as before a load balancer has noticed.
      const ending = up[0] as Serving;
      const startMs = performance.now();
      setTimeout(() => up.splice(up.indexOf(ending), 1), Math.random() * 400);
      const code = await ending.end("SIGTERM");
      exitMs.push(Math.round(performance.now() - startMs));
      if (code !== 0) said.push(`a process exited with ${code}`);
      const { stdout, stderr } = ending.output();
      const trouble = [...stdout.split("\n"), ...stderr.split("\n")].filter((line) =>
        /"level":(40|50|60)|^\w*Error/.test(line),
      );
      said.push(...trouble.map((line) => `a process said ${line.slice(0, 400)}`));
      if (done < ends) await raise();
      onEnd(done);
    }
    isOver = true;
    await calling;
    const endMs = Date.now() + drainMs;
    while (Date.now() < endMs && (await waitingCount(db)) > 0) await sleep(100);
    said.push(...(await further.finish(drainMs)));
    await Promise.all(up.splice(0).map((serving) => serving.end()));

    const stored = await payoutIds(db);
    const lost = paid.filter((id) => !stored.has(id));
    if (lost.length > 0) said.push(`${lost.length} acknowledged payouts are lost`);
    // The last processes may have created more events when they ended.
    const waiting = await db.pool.query("select event_id from delivery");
    const stillWaiting = new Set(waiting.rows.map(({ event_id }) => event_id));
    const committed = (await committedEvents(db)).filter(({ id }) => !stillWaiting.has(id));
    const checked = checkDeliveries(committed, sink.received);
    if (checked.repeats > 0) said.push(`${checked.repeats} events were delivered twice`);
    const late = exitMs.filter((ms) => ms > exitMsMax);
    if (late.length > 0) said.push(`ended only after ${late.join(", ")} ms`);
    return {
      ...checked,
      ...{ acknowledged: paid.length, read, refused, exitMs },
      complaints: [...new Set([...said, ...complaints(checked)])],
    };
  } finally {
    isOver = true;
    for (const serving of up) await serving.end("SIGKILL");
    await sink.close();
    await further?.close();
    rmSync(compiled, { recursive: true, force: true });
  }
}

/** The connection error of the call; undefined if it was answered. */
function brokenOn({ cause }: DisburseError): Broken | undefined {
  return (cause as { cause?: Broken } | undefined)?.cause;
}
