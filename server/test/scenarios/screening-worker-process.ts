// A process that screens in the background, until it is killed or its parent closes its input.

import { connect } from "../../src/db/connect.ts";
import { openScreener } from "../../src/reviews/screener.ts";
import { startScreeningWorker } from "../../src/reviews/worker.ts";

const db = connect({
  connection: { connectionString: process.env.DATABASE_URL ?? "" },
  poolMax: 4,
});
const log = {
  info() {},
  warn: (context: object, message: string) => console.error(message, context),
};
const screener = await openScreener(db, log);
const worker = startScreeningWorker({ db, screener, log });
process.stdout.write("ready\n");
for await (const _ of process.stdin);
await worker.close();
await screener.close();
await db.close();
