// The same deliveries by the peer, from its outbox.

import pg from "pg";
import { peerModule } from "../peers/build.ts";
import { addPeerEvents } from "../peers/database.ts";
import { obey } from "./deliverer.ts";

type Deliver = (database: pg.ClientConfig) => Promise<{ stop(): Promise<void> }>;

process.env.NODE_ENV = "production";
const { deliver } = (await import(peerModule("deliver.js"))) as { deliver: Deliver };

obey(({ connection, endpoints, body }) => {
  const pool = new pg.Pool({ ...connection, max: 1 });
  const subaccountIds = endpoints.map(({ subaccountId }) => subaccountId);
  let stop = async () => {};

  return {
    async load(count) {
      await pool.query("truncate outbox_event");
      await addPeerEvents(pool, { subaccountIds, count, body });
    },
    async start() {
      ({ stop } = await deliver(connection));
    },
    stop: () => stop(),
  };
});
