// Further webhook endpoints beside that of postback_url, for scenarios: a fast one, a slow one, one that is dead until the end,
// and one that asks for another type. Each must get every event of its types, in order, and no other.

import { setTimeout as sleep } from "node:timers/promises";
import type { Db } from "../../src/platform/db/connect.ts";
import type { Seal } from "../../src/platform/encryption/seal.ts";
import { publishedTypes } from "../../src/platform/event-catalogue/event-catalogue.ts";
import { createEndpoint } from "../../src/webhooks/webhook-endpoints/endpoints.ts";
import { type Committed, checkDeliveries, complaints } from "./delivery-check.ts";
import { type Received, startSink } from "./sink.ts";

const speeds = { fast: 0, slow: 40, dead: 0, narrow: 0 } as const;
type Speed = keyof typeof speeds;
const typesOf = (speed: Speed) => (speed === "narrow" ? ["payoutFailure"] : publishedTypes);

type CommittedRow = Committed & { subaccountId: string; type: string };

export async function addThreeSpeeds({ db, seal }: { db: Db; seal: Seal }, ids: readonly string[]) {
  let isDead = true;
  const refused = new Set<Received>();
  const sink = await startSink((received, response) => {
    const speed = received.path.split("/").at(-1) as Speed;
    const isRefused = speed === "dead" && isDead;
    if (isRefused) refused.add(received);
    setTimeout(() => response.writeHead(isRefused ? 500 : 204).end(), speeds[speed]);
  });
  for (const id of ids) {
    for (const speed of Object.keys(speeds) as Speed[]) {
      const request = { url: sink.url(`/${id}/${speed}`), event_types: [...typesOf(speed)] };
      const parts = { addresses: "loopback", nowMs: Date.now() } as const;
      await db.transaction((tx) => createEndpoint({ tx, seal }, id, request, parts));
    }
  }
  const { rows } = await db.pool.query("select last_value from event_number");
  const after = rows[0].last_value;

  const waiting = async () => {
    const counted = `select (select count(*) from further_delivery)::int + (select count(*) from event_fan_out)::int as n`;
    return (await db.pool.query(counted)).rows[0].n as number;
  };

  return {
    close: () => sink.close(),
    /** While workers are up: revives the dead one, waits until nothing waits, and says what is missing or wrong. */
    async finish(drainMs: number): Promise<string[]> {
      isDead = false;
      const endMs = Date.now() + drainMs;
      while (Date.now() < endMs && (await waiting()) > 0) {
        await db.pool.query(
          "update further_endpoint set open_until_ms = 0 where open_until_ms > 0",
        );
        await db.pool.query("update further_delivery set due_at_ms = 0 where due_at_ms > 0");
        await sleep(300);
      }
      const { rows: committed } = await db.pool.query<CommittedRow>(
        `select id, body, order_key as "orderKey", number::int, subaccount_id as "subaccountId", type
         from event where subaccount_id = any($1) and number > $2`,
        [ids, after],
      );
      const said: string[] = [];
      for (const id of ids) {
        for (const speed of Object.keys(speeds) as Speed[]) {
          const types = typesOf(speed) as readonly string[];
          const own = committed.filter(
            ({ subaccountId, type }) => subaccountId === id && types.includes(type),
          );
          const received = sink.received.filter(({ path }) => path === `/${id}/${speed}`);
          const checked = checkDeliveries(own, received, (one) => refused.has(one));
          said.push(...complaints(checked).map((text) => `${speed} endpoint: ${text}`));
        }
      }
      return said;
    },
  };
}
