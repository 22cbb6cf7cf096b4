// The same deliveries as jobs of graphile-worker, which deletes completed jobs.
//
// Configured as its documentation advises for throughput: jobs are fetched in bulk into a local queue, and completed in
// bulk. The concurrency is that of Disburse, with a queue of 2000 jobs, and completions are gathered for 5 ms. Over two
// rounds this was a little faster than a concurrency of 100 with a queue of 500 and no delay, and than a concurrency of
// 800 with the suggested queue of one job more.

import { Logger, makeWorkerUtils, type Runner, run } from "graphile-worker";
import pg from "pg";
import { limits } from "../../server/src/platform/limits/limits.ts";
import { obey } from "./deliverer.ts";
import { guardedSender, type Job, jobs, type Sender, signing } from "./http-senders.ts";

const task = "deliver";
const insertedMax = 1_000;
const logger = new Logger(() => () => {});

obey((setup) => {
  const headersOf = signing(setup);
  const pgPool = new pg.Pool(setup.connection);
  // Without these it logs a warning at every start.
  pgPool.on("error", () => {});
  pgPool.on("connect", (client) => client.on("error", () => {}));
  const working = {
    concurrentJobs: setup.endpoints.length * limits.laneWidth,
    localQueue: { size: 2_000 },
    completeJobBatchDelay: 5,
    failJobBatchDelay: 5,
  };
  let sender: Sender;
  let runner: Runner;

  async function deliver(payload: unknown): Promise<void> {
    const job = payload as Job;
    await sender.post(job.endpoint, headersOf(job), job.body);
  }

  return {
    async load(count) {
      const utils = await makeWorkerUtils({ pgPool, logger });
      await utils.migrate();
      await pgPool.query("truncate graphile_worker._private_jobs");
      const waiting = jobs(setup, count).map((payload) => ({ identifier: task, payload }));
      while (waiting.length > 0) await utils.addJobs(waiting.splice(0, insertedMax));
      await utils.release();
    },
    async start() {
      sender = guardedSender(setup);
      const taskList = { [task]: deliver };
      const preset = { worker: working };
      runner = await run({ pgPool, logger, taskList, preset, noHandleSignals: true });
    },
    async stop() {
      await runner.stop();
      await sender.close();
    },
  };
});
