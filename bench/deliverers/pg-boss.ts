// The same deliveries as jobs of pg-boss: what is delivered stays as a completed job.
//
// As its documentation advises for a backlog: large batches, several workers, and the next fetch at once while
// batches come full; then every half second, the shortest that it takes. Two workers with batches of 800 were a
// little faster, over two rounds, than four with 400 or eight with 100. A batch is completed as a whole, because
// `perJobResults` cost eight with 100 a third; in earnest one would need it, or one endpoint that fails has the events of all others in
// its batch sent again.

import { PgBoss } from "pg-boss";
import { obey } from "./deliverer.ts";
import { type Job, jobs, type Posting, posting, signing } from "./posting.ts";

const queue = "delivery";
const insertedMax = 1_000;
const working = {
  batchSize: 800,
  localConcurrency: 2,
  burstWhenBatchFull: true,
  pollingIntervalSeconds: 0.5,
};

obey((setup) => {
  const headersOf = signing(setup);
  let sender: Posting;
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
      sender = posting(setup);
      await boss.work<Job>(queue, working, async (batch) => {
        const sending = batch.map(({ data }) =>
          sender.post(data.endpoint, headersOf(data), data.body),
        );
        await Promise.all(sending);
      });
    },
    async stop() {
      await boss.stop();
      await sender.close();
    },
  };
});
