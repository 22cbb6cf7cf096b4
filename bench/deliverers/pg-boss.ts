// The same deliveries as jobs of pg-boss, which keeps completed jobs.
//
// Configured as its documentation advises for a backlog: large batches, several workers, and the next fetch at once
// while batches are full, otherwise every half second, the shortest interval that it accepts. Each job has its own
// result: with one result for the whole batch, a failing endpoint would cause the events of all others to be resent.

import { PgBoss } from "pg-boss";
import { obey } from "./deliverer.ts";
import { guardedSender, type Job, jobs, type Sender, signing } from "./http-senders.ts";

const queue = "delivery";
const insertedMax = 1_000;
const working = {
  batchSize: 800,
  localConcurrency: 2,
  burstWhenBatchFull: true,
  pollingIntervalSeconds: 0.5,
  perJobResults: true,
} as const;

obey((setup) => {
  const headersOf = signing(setup);
  let sender: Sender;
  let boss: PgBoss;

  return {
    async load(count) {
      boss = new PgBoss({ ...(setup.connection as object), schedule: false });
      boss.on("error", (error) => {
        throw error;
      });
      await boss.start();
      await boss.createQueue(queue);
      await boss.deleteAllJobs();
      const waiting = jobs(setup, count).map((data) => ({ data }));
      while (waiting.length > 0) await boss.insert(queue, waiting.splice(0, insertedMax));
    },
    async start() {
      sender = guardedSender(setup);
      await boss.work<Job, void, typeof working>(queue, working, (batch) =>
        Promise.all(
          batch.map(async ({ id, data }) => {
            await sender.post(data.endpoint, headersOf(data), data.body);
            return { id, status: "completed" as const };
          }),
        ),
      );
    },
    async stop() {
      await boss.stop();
      await sender.close();
    },
  };
});
