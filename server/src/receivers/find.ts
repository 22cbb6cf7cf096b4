// Finds a receiver by its id. Calls that arrive together share one statement.

import { type Batching, batch } from "../db/batch.ts";
import type { Db } from "../db/connect.ts";
import { spanOf } from "../db/trace-statement.ts";
import { isUuid } from "../ids.ts";
import type { Seal } from "../seal.ts";
import type { TraceContext } from "../tracing/trace-context.ts";
import { OpenedPersons } from "./opened-persons.ts";
import { findReceivers, type ReceiverKey } from "./queries.ts";
import type { Receiver } from "./schema.ts";

/** `trace`: the span of the request. */
export type FindReceiver = (
  key: ReceiverKey,
  trace?: TraceContext | undefined,
) => Promise<Receiver | undefined>;

export function receiverFinder(
  { db, seal }: { db: Db; seal: Seal },
  batching?: Batching,
): FindReceiver {
  const observe = db.listeners.metrics?.batchSize("receivers-find");
  const persons = new OpenedPersons();
  const read = (keys: ReceiverKey[]) => findReceivers({ db, seal }, keys, persons);
  const span = spanOf<Receiver | undefined>(db, "receivers-find");
  const find = batch(read, batching, { observe, span });
  return async (key, trace) => (isUuid(key.id) ? find(key, trace) : undefined);
}
