// The service as shipped, in its own process. The first argument has the database and the batching; the port is sent to
// the parent, and the process ends with the parent.

import type { ClientConfig } from "pg";
import { keepCompiledCode } from "../../server/src/doors/app/keep-compiled.ts";
import { listen } from "../../server/src/doors/app/listen.ts";
import { railDirectory } from "../../server/src/money/rails/directory.ts";
import { sandboxRail } from "../../server/src/money/rails/sandbox.ts";
import { openScreener } from "../../server/src/money/screener/screener.ts";
import { kycProviders } from "../../server/src/people/kyc-providers/providers.ts";
import type { Batching } from "../../server/src/platform/batching/batch.ts";
import { readConfig } from "../../server/src/platform/config/config.ts";
import { connect } from "../../server/src/platform/db/connect.ts";
import { sealWith } from "../../server/src/platform/encryption/seal.ts";
import { createLog } from "../../server/src/platform/log/log.ts";
import { startRequestLog } from "../../server/src/tenants/request-log/writer.ts";

export type DisburseSetup = {
  connection: ClientConfig;
  masterKeyBase64: string;
  /** Undefined: as shipped. "off": one statement for each request, on every connection of the pool. */
  batching?: "off";
  /** Listens on a second port, which writes the request log. */
  andLogging?: boolean;
};

const setup: DisburseSetup = JSON.parse(process.argv[2] as string);
// The default of every setting, as at a first start, apart from the port.
const config = readConfig({});
// The sandbox decides later than any round lasts, so that creates are measured without checks.
const kyc = kycProviders({ ...config.kyc, sandboxDelayMs: 86_400_000 });
// No payout is paid within a round.
const bank = sandboxRail({ delayMs: 86_400_000 });
const unbatched: Batching = { sizeMax: 1, slots: config.poolMax, crowd: 1 };

keepCompiledCode();
const db = connect({ connection: setup.connection, poolMax: config.poolMax });
const log = createLog({ level: config.logLevel });

const options = {
  ...config,
  host: "127.0.0.1",
  port: 0,
  db,
  seal: sealWith(Buffer.from(setup.masterKeyBase64, "base64")),
  log,
  kyc,
  rails: railDirectory([
    { mode: "test", rail: bank },
    { mode: "live", rail: { ...bank, id: "live-bank" } },
  ]),
  screener: await openScreener(db, log),
  ...(setup.batching === "off" && { batching: unbatched }),
};
const { port } = await listen(options);
const logging = setup.andLogging
  ? await listen({ ...options, requestLog: startRequestLog({ db, log }) })
  : undefined;

// Ctrl-C reaches the whole process group. The parent ends the round first, and then this process.
process.on("SIGINT", () => {});
process.on("disconnect", () => process.exit(0));
process.send?.({ port, loggingPort: logging?.port });
