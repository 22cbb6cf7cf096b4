// One worker of Disburse, as shipped.

import { readConfig } from "../../server/src/platform/config/config.ts";
import { connect } from "../../server/src/platform/db/connect.ts";
import { sealWith } from "../../server/src/platform/encryption/seal.ts";
import { createMetrics } from "../../server/src/platform/metrics/metrics.ts";
import { startDeliveryWorker } from "../../server/src/webhooks/delivery/worker.ts";
import { poster } from "../../server/src/webhooks/http-client/post.ts";
import { addWaiting } from "../waiting-events.ts";
import { obey } from "./deliverer.ts";

obey(({ connection, masterKeyBase64, endpoints, body }) => {
  const { poolMax } = readConfig({});
  const seal = sealWith(Buffer.from(masterKeyBase64, "base64"));
  const ids = endpoints.map(({ subaccountId }) => subaccountId);
  const metrics = createMetrics();
  const db = connect({ connection, poolMax, metrics });
  const log = {
    warn(context: object, message: string) {
      throw new Error(message, { cause: context });
    },
  };
  let close = async () => {};

  return {
    async load(count) {
      await db.pool.query("truncate event, delivery, delivery_attempt");
      await addWaiting(db, { subaccountIds: ids, count, body });
    },
    async start() {
      const posting = poster({ policy: "loopback" });
      const delivery = startDeliveryWorker({ db, seal, log, metrics, poster: posting });
      close = () => delivery.close().then(() => posting.close());
    },
    stop: () => close(),
  };
});
