// Finds a receiver by its id. Calls that arrive together share one statement.

import { type Batching, batch } from "../db/batch.ts";
import type { Db } from "../db/connect.ts";
import { isUuid } from "../ids.ts";
import { findReceivers, type ReceiverKey } from "./queries.ts";
import type { Receiver } from "./schema.ts";

export type FindReceiver = (key: ReceiverKey) => Promise<Receiver | undefined>;

export function receiverFinder(db: Db, batching?: Batching): FindReceiver {
  const observe = db.listeners.metrics?.batchSize("receivers-find");
  const find = batch((keys: ReceiverKey[]) => findReceivers(db, keys), batching, { observe });
  return async (key) => (isUuid(key.id) ? find(key) : undefined);
}
