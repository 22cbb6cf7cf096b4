// A process that screens in the background, until it is killed or its parent closes its input.

import { openScreener } from "../../src/money/screener/screener.ts";
import { startScreeningWorker } from "../../src/people/reviews/worker.ts";
import { connect } from "../../src/platform/db/connect.ts";
import { masterKeyBytes, sealWith } from "../../src/platform/encryption/seal.ts";

const db = connect({
  connection: { connectionString: process.env.DATABASE_URL ?? "" },
  poolMax: 4,
});
const log = {
  info() {},
  warn: (context: object, message: string) => console.error(message, context),
};
// The receivers of this scenario are in the clear.
const seal = sealWith(Buffer.alloc(masterKeyBytes));
const screener = await openScreener(db, log);
const worker = startScreeningWorker({ db, seal, screener, log });
process.stdout.write("ready\n");
for await (const _ of process.stdin);
await worker.close();
await screener.close();
await db.close();
